import { createReadStream, statSync } from "node:fs"
import { basename, extname } from "node:path"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Document } from "../../../core/library/contract.ts"
import { Operator } from "../../../core/operator/Operator.ts"
import { CONTENT_TYPES } from "../../../ingest/safety/sniff.ts"
import { print } from "../terminal/output.ts"
import { bar, count, statusLine } from "../terminal/progress.ts"
import type { Target } from "../../../core/library/targets.ts"
import { asOperator, Usage } from "../connection/workspace.ts"

interface UploadInput {
  readonly files: ReadonlyArray<string>
  readonly organization: string
  readonly deal: Option.Option<string>
  readonly crmOne: Option.Option<string>
  readonly crmTwo: Option.Option<string>
  readonly competitor: Option.Option<string>
  readonly type: Option.Option<"asset" | "intel">
  readonly wait: boolean
  readonly json: boolean
}

/** The outcome of one file. `error`: the server refused it or cannot read it. */
interface Outcome {
  readonly file: string
  readonly document?: Document
  readonly run_id?: string
  readonly duplicate?: true
  readonly error?: string
}

/** Some files failed; the report on stdout lists them. */
class Unfinished extends Schema.TaggedError<Unfinished>()("Unfinished", { message: Schema.String }) {}

class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { message: Schema.String }) {}

/** Adds files to a deal or the library; with `wait`, also waits until they are read. */
export const upload = Effect.fnUntraced(function* (input: UploadInput) {
  const target = yield* checkInput(input)
  const outcomes = yield* asOperator(
    Effect.gen(function* () {
      const operator = yield* Operator
      const org = input.organization
      yield* operator.find(org)
      const taken = yield* Effect.forEach(input.files, (file) => failing(file, take(operator, org, file, target)))
      return input.wait
        ? yield* Effect.forEach(taken, (outcome) => failing(outcome.file, read(operator, org, outcome)))
        : taken
    }),
  ).pipe(Effect.ensuring(statusLine("")))
  const failed = outcomes.filter(({ error }) => error !== undefined)
  yield* print(input.json, { files: outcomes, received: outcomes.length, failed: failed.length }, outcomes.map(line))
  if (failed.length > 0) {
    return yield* new Unfinished({ message: `${count(failed.length)} of ${count(outcomes.length)} files failed` })
  }
})

const checkInput = Effect.fnUntraced(function* ({ deal, crmOne, crmTwo, competitor, type }: UploadInput) {
  if ([deal, crmOne, crmTwo, competitor].filter(Option.isSome).length !== 1) {
    return yield* new Usage({ message: "give exactly one of --deal, --crm-one, --crm-two and --competitor" })
  }
  if (Option.isSome(competitor) !== Option.isSome(type)) {
    return yield* new Usage({ message: "--type asset|intel goes with --competitor, and --competitor with it" })
  }
  if (Option.isSome(competitor) && Option.isSome(type)) {
    return { type: type.value, competitor: competitor.value } satisfies Target
  }
  const by = Option.isSome(deal) ? "deal_id" : Option.isSome(crmOne) ? "crm_one_id" : "crm_two_id"
  const id = Option.getOrElse(Option.firstSomeOf([deal, crmOne, crmTwo]), () => "")
  return { deal: { [by]: id } } satisfies Target
})

const take = Effect.fnUntraced(function* (operator: Operator["Service"], org: string, file: string, target: Target) {
  const content_type = typeOf(file)
  if (content_type === undefined) {
    const endings = Object.keys(CONTENT_TYPES).join(", ")
    return yield* new Unreadable({ message: `its extension is not one that can be read: ${endings}` })
  }
  const bytes = yield* bytesOf(file)
  const receipt = yield* operator.upload(org, target, { file_name: basename(file), content_type, bytes })
  return { file, ...receipt } satisfies Outcome
})

const failing = <E extends { readonly message: string }, R>(file: string, effect: Effect.Effect<Outcome, E, R>) =>
  Effect.catch(effect, ({ message }) => Effect.succeed<Outcome>({ file, error: message }))

const POLL_INTERVAL = "200 millis"

/** Waits until the document's run ends, in this or another process. */
const read = Effect.fnUntraced(function* (operator: Operator["Service"], org: string, outcome: Outcome) {
  const { file, document } = outcome
  if (document === undefined) return outcome
  for (;;) {
    const { document: now, run } = yield* operator.document(org, document.id)
    if (now.status !== "processing") {
      return { ...outcome, document: now, ...(now.failure_reason !== null && { error: now.failure_reason }) }
    }
    yield* statusLine(`${file}: [${bar(run?.progress ?? 0)}] ${run?.stage ?? "queued"}`)
    yield* Effect.sleep(POLL_INTERVAL)
  }
})

const ENDINGS: Readonly<Record<string, string>> = { markdown: "md", text: "txt" }

const typeOf = (file: string): string | undefined => {
  const ending = extname(file).slice(1).toLowerCase()
  return Object.entries(CONTENT_TYPES).find(([format]) => format === (ENDINGS[ending] ?? ending))?.[1][0]
}

const bytesOf = Effect.fnUntraced(function* (file: string) {
  const size = yield* Effect.try({
    try: () => {
      const found = statSync(file)
      if (found.isDirectory()) throw new Error("it is a directory")
      return found.size
    },
    catch: unreadable,
  })
  let sent = 0
  return Stream.tap(
    NodeStream.fromReadable<Uint8Array, Unreadable>({ evaluate: () => createReadStream(file), onError: unreadable }),
    (chunk) => {
      sent += chunk.length
      return statusLine(`${file}: [${bar(sent / size)}] storing`)
    },
  )
})

const unreadable = (cause: unknown) =>
  new Unreadable({ message: `it cannot be read: ${cause instanceof Error ? cause.message : String(cause)}` })

const line = ({ file, document, duplicate, error }: Outcome) => {
  const id = document === undefined ? "" : ` (${document.id})`
  if (error !== undefined) return `${file}${id}: failed: ${error}`
  return `${file}${id}: ${document?.status ?? ""}${duplicate === true ? ", already there" : ""}`
}
