import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ImportReport } from "../../../core/import/Import.ts"
import type { DateOrder } from "../../../core/import/plan/cells.ts"
import { parseMapping } from "../../../core/import/plan/mapping.ts"
import { isRecordType, RECORD_TYPES } from "../../../core/import/records.ts"
import { print } from "../terminal/output.ts"
import { bar, count, showStatus, statusLine } from "../terminal/progress.ts"
import { asOperator } from "../connection/operator.ts"
import { Usage } from "../connection/workspace.ts"
import { sendFile } from "./file.ts"

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

/** Imports a file's records into an organization and reports the outcome. */
export const importFile = Effect.fnUntraced(function* (input: ImportInput) {
  const { format, ...query } = yield* checkInput(input)
  const began = performance.now()
  const report = yield* asOperator(({ call, within }) =>
    Effect.gen(function* () {
      // Before the file is sent.
      yield* call((operator, signal) => operator.organizations.find(input.organization, { signal }))
      return yield* sendFile(input.file, input.file, ({ size, content }) =>
        within(input.organization).call((client, signal) =>
          client.workspace.import(format === "csv" ? { ...query, csv: content } : { ...query, ndjson: content }, {
            signal,
            onProgress: ({ sentBytes }) => showSent(input.file, sentBytes, size),
          }),
        ),
      )
    }),
  ).pipe(Effect.ensuring(statusLine("")))
  yield* print(input.json, report, lines(report, (performance.now() - began) / 1000))
  if (report.failed > 0) {
    return yield* new Unfinished({ message: `${count(report.failed)} of ${count(report.received)} records failed` })
  }
})

/** The server reports records only at the end. */
const showSent = (file: string, sent: number, size: number | undefined) =>
  showStatus(`${file}: ${size === undefined ? "" : `[${bar(sent / size)}] `}${count(sent)} bytes sent`)

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
  if (Option.exists(map, (text) => parseMapping(text) === undefined)) {
    return yield* new Usage({ message: '--map must be "Header=field,Other header=field"' })
  }
  return {
    format,
    type: Option.getOrUndefined(Option.filter(type, isRecordType)),
    map: Option.getOrUndefined(map),
    dates,
  }
})

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
