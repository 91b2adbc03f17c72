import { createReadStream, statSync } from "node:fs"
import { basename, extname } from "node:path"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { NotFound } from "../../core/http/errors.ts"
import { JobQueue } from "../../core/jobs/JobQueue.ts"
import type { Document } from "../../core/library/contract.ts"
import { Documents, type NewDocument } from "../../core/library/Documents.ts"
import { type Place, placeOfCompetitor, placeOfDeal } from "../../core/library/places.ts"
import { Uploads } from "../../core/library/Uploads.ts"
import { Database } from "../../core/storage/Database.ts"
import { Organizations } from "../../core/workspace/Organizations.ts"
import { CONTENT_TYPES } from "../../ingest/sniff.ts"
import { print } from "./output.ts"
import { bar, count, statusLine } from "./progress.ts"
import { inLibrary, Usage } from "./workspace.ts"

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

/** What became of one file. `error`: it was not taken, or could not be read. */
interface Outcome {
  readonly file: string
  readonly document?: Document
  readonly run_id?: string
  readonly duplicate?: true
  readonly error?: string
}

/** Some files were not taken or not read; which, the report on stdout says. */
class Unfinished extends Schema.TaggedError<Unfinished>()("Unfinished", { message: Schema.String }) {}

class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { message: Schema.String }) {}

/** Adds files to a deal or to the library; with `wait`, reads them too. */
export const upload = Effect.fnUntraced(function* (input: UploadInput) {
  const target = yield* checked(input)
  const outcomes = yield* inLibrary(
    Effect.gen(function* () {
      const org = input.organization
      if ((yield* (yield* Organizations).find(org)) === undefined) {
        return yield* new NotFound({ message: `no organization has the id '${org}'` })
      }
      const place = yield* placeOf(org, target)
      const taken = yield* Effect.forEach(input.files, (file) => failing(file, take(org, file, place)))
      return input.wait ? yield* Effect.forEach(taken, (outcome) => failing(outcome.file, read(org, outcome))) : taken
    }),
  ).pipe(Effect.ensuring(statusLine("")))
  const failed = outcomes.filter(({ error }) => error !== undefined)
  yield* print(input.json, { files: outcomes, received: outcomes.length, failed: failed.length }, outcomes.map(line))
  if (failed.length > 0) {
    return yield* new Unfinished({ message: `${count(failed.length)} of ${count(outcomes.length)} files failed` })
  }
})

type Target =
  | { readonly type: "asset" | "intel"; readonly competitor: string }
  | { readonly type: "asset"; readonly deal: Parameters<typeof placeOfDeal>[2] }

const checked = Effect.fnUntraced(function* ({ deal, crmOne, crmTwo, competitor, type }: UploadInput) {
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
  return { type: "asset", deal: { [by]: id } } satisfies Target
})

const placeOf = Effect.fnUntraced(function* (org: string, target: Target) {
  const database = yield* Database
  if ("deal" in target) return { type: target.type, ...(yield* placeOfDeal(database, org, target.deal)) }
  const { type, competitor } = target
  const place = yield* Effect.catchTag(
    placeOfCompetitor(database, org, { competitor_id: competitor }),
    "NotFound",
    () => placeOfCompetitor(database, org, { competitor_name: competitor }),
  )
  return { type, ...place }
})

const take = Effect.fnUntraced(function* (org: string, file: string, place: Place & Pick<NewDocument, "type">) {
  const content_type = typeOf(file)
  if (content_type === undefined) {
    const endings = Object.keys(CONTENT_TYPES).join(", ")
    return yield* new Unreadable({ message: `its ending says no type that can be read: ${endings}` })
  }
  const uploads = yield* Uploads
  const original = yield* uploads.keep(org, content_type, yield* bytesOf(file))
  const document = { ...place, source: "api", file_name: basename(file), content_type }
  const receipt = yield* (yield* Documents).receive(org, document, original)
  return { file, ...receipt } satisfies Outcome
})

const failing = <E extends { readonly message: string }, R>(file: string, effect: Effect.Effect<Outcome, E, R>) =>
  Effect.catch(effect, ({ message }) => Effect.succeed<Outcome>({ file, error: message }))

const LOOK = "200 millis"

/** Until its run ends, here or in another process. */
const read = Effect.fnUntraced(function* (org: string, outcome: Outcome) {
  const { file, document, run_id } = outcome
  if (document === undefined || run_id === undefined) return outcome
  const documents = yield* Documents
  const jobs = yield* JobQueue
  for (;;) {
    const now = yield* documents.get(org, document.id)
    if (now.status !== "processing") {
      return { ...outcome, document: now, ...(now.failure_reason !== null && { error: now.failure_reason }) }
    }
    const run = yield* jobs.find(org, run_id)
    yield* statusLine(`${file}: [${bar(run?.progress ?? 0)}] ${run?.stage ?? "queued"}`)
    yield* Effect.sleep(LOOK)
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
  return `${file}${id}: ${document?.status ?? ""}${duplicate === true ? ", was there already" : ""}`
}
