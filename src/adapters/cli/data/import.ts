import { createReadStream, statSync } from "node:fs"
import process from "node:process"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Operator } from "../../../core/operator/Operator.ts"
import type { ImportReport } from "../../../core/workspace/Import.ts"
import type { DateOrder } from "../../../core/workspace/import/cells.ts"
import { parseMapping } from "../../../core/workspace/import/mapping.ts"
import { isRecordType, RECORD_TYPES } from "../../../core/workspace/import/records.ts"
import { print } from "../terminal/output.ts"
import { count, progress } from "../terminal/progress.ts"
import { asOperator, Usage } from "../connection/workspace.ts"

interface ImportInput {
  readonly file: string
  readonly organization: string
  readonly type: Option.Option<string>
  readonly map: Option.Option<string>
  readonly dates: DateOrder
  readonly json: boolean
}

/** Some records failed; the report on stdout lists them. */
class Unfinished extends Schema.TaggedError<Unfinished>()("Unfinished", { message: Schema.String }) {}

class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { message: Schema.String }) {}

/** Imports a file's records into an organization and reports the outcome. */
export const importFile = Effect.fnUntraced(function* (input: ImportInput) {
  const file = yield* checkInput(input)
  const shown = progress(input.file, file.size)
  const report = yield* asOperator(
    Effect.gen(function* () {
      const operator = yield* Operator
      yield* operator.find(input.organization)
      const { bytes, ...rest } = file
      return yield* operator.importFile(
        input.organization,
        operator.server === undefined
          ? { ...file, onProgress: shown.update }
          : { ...rest, bytes: Stream.tap(bytes, (chunk) => shown.sent(chunk.length)) },
      )
    }),
  ).pipe(Effect.ensuring(shown.clear))
  yield* print(input.json, report, lines(report, shown.seconds()))
  if (report.failed > 0) {
    return yield* new Unfinished({ message: `${count(report.failed)} of ${count(report.received)} records failed` })
  }
})

const checkInput = Effect.fnUntraced(function* ({ file, type, map, dates }: ImportInput) {
  const format = Option.isSome(type) || /\.(csv|tsv)$/i.test(file) ? ("csv" as const) : ("ndjson" as const)
  if (format === "csv" && !Option.exists(type, isRecordType)) {
    return yield* new Usage({
      message: `a CSV needs --type, one of ${RECORD_TYPES.join(", ")}`,
    })
  }
  if (format === "ndjson" && Option.isSome(map)) {
    return yield* new Usage({ message: "--map works with CSV only: add --type, or use a file that ends in .csv" })
  }
  const mapping = Option.map(map, parseMapping)
  if (Option.isSome(mapping) && mapping.value === undefined) {
    return yield* new Usage({ message: '--map must be "Header=field,Other header=field"' })
  }
  return {
    format,
    type: Option.getOrUndefined(Option.filter(type, isRecordType)),
    map: Option.getOrUndefined(mapping),
    dates,
    ...(yield* bytesOf(file)),
  }
})

/** `-` is stdin. */
const bytesOf = Effect.fnUntraced(function* (file: string) {
  const size = yield* Effect.try({
    try: () => {
      if (file === "-") return undefined
      const found = statSync(file)
      if (found.isDirectory()) throw new Error("it is a directory")
      return found.size
    },
    catch: (cause) => unreadable(file, cause),
  })
  const bytes: Stream.Stream<Uint8Array, Unreadable> = NodeStream.fromReadable<Uint8Array, Unreadable>({
    evaluate: () => (file === "-" ? process.stdin : createReadStream(file)),
    onError: (cause) => unreadable(file, cause),
  })
  return { bytes, size }
})

const unreadable = (file: string, cause: unknown) =>
  new Unreadable({ message: `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}` })

/** Errors in the text output; JSON has up to a thousand. */
const MAX_SHOWN_ERRORS = 20

const lines = ({ received, created, updated, unchanged, deleted, failed, errors }: ImportReport, seconds: number) => [
  `${count(received)} records in ${seconds.toFixed(1)} s: ${count(created)} created, ${count(updated)} updated, ` +
    `${count(unchanged)} unchanged, ${deleted > 0 ? `${count(deleted)} deleted, ` : ""}${count(failed)} failed`,
  ...errors.slice(0, MAX_SHOWN_ERRORS).map(({ line, field, reason }) => `  line ${line}: ${field} ${reason}`),
  ...(errors.length > MAX_SHOWN_ERRORS
    ? [`  and more; --json lists ${errors.length === 1000 ? "the first 1,000" : "them all"}`]
    : []),
]
