import { createReadStream, statSync } from "node:fs"
import { basename, extname } from "node:path"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Document } from "../../../core/library/contract.ts"
import type { Target } from "../../../core/library/targets.ts"
import { Operator, type Refused } from "../../../core/operator/Operator.ts"
import { CONTENT_TYPES } from "../../../ingest/safety/sniff.ts"
import { bar, statusLine } from "../terminal/progress.ts"

interface Destination {
  readonly org: string
  readonly target: Target
  /** Waits until the files are read. */
  readonly wait: boolean
  /** Makes files new versions of documents of their names. */
  readonly replacesSameName: boolean
}

/** The outcome of one file. `error`: the server refused it or cannot read it. */
export interface Outcome {
  readonly file: string
  readonly document?: Document
  readonly run_id?: string
  readonly duplicate?: true
  readonly error?: string
  /** The failure does not lie in the file: another attempt may succeed. */
  readonly temporary?: true
}

class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { message: Schema.String }) {}

export const uploadFiles = Effect.fnUntraced(function* (to: Destination, files: ReadonlyArray<string>) {
  const operator = yield* Operator
  yield* operator.find(to.org)
  const taken = yield* Effect.forEach(files, (file) => failing(file, take(operator, to, file)))
  return to.wait
    ? yield* Effect.forEach(taken, (outcome) => failing(outcome.file, read(operator, to.org, outcome)))
    : taken
})

const take = Effect.fnUntraced(function* (
  operator: Operator["Service"],
  { org, target, replacesSameName }: Destination,
  file: string,
) {
  const content_type = typeOf(file)
  if (content_type === undefined) {
    const endings = Object.keys(CONTENT_TYPES).join(", ")
    return yield* new Unreadable({ message: `its extension is not one that can be read: ${endings}` })
  }
  const bytes = yield* bytesOf(file)
  const receipt = yield* operator.upload(org, target, {
    file_name: basename(file),
    content_type,
    replacesSameName,
    bytes,
  })
  return { file, ...receipt } satisfies Outcome
})

/** An import may add a missing deal or competitor, and another upload of the same name ends. */
const TEMPORARY: ReadonlySet<string> = new Set<Refused["_tag"]>([
  "DatabaseUnavailable",
  "InternalError",
  "NotFound",
  "Conflict",
])

const failing = <E extends Unreadable | Refused, R>(file: string, effect: Effect.Effect<Outcome, E, R>) =>
  Effect.catch(effect, ({ _tag, message }) =>
    Effect.succeed<Outcome>({ file, error: message, ...(TEMPORARY.has(_tag) && { temporary: true }) }),
  )

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

export const lineOf = ({ file, document, duplicate, error }: Outcome) => {
  const id = document === undefined ? "" : ` (${document.id})`
  if (error !== undefined) return `${file}${id}: failed: ${error}`
  return `${file}${id}: ${document?.status ?? ""}${duplicate === true ? ", already there" : ""}`
}
