import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { DateOrder } from "../../../core/records/values/dates.ts"
import { parseMapping } from "../../../core/import/plan/fields/parameters.ts"
import type { DecimalMark } from "../../../core/records/values/numbers.ts"
import { parseRates, parseStages } from "../../../core/import/plan/fields/parameters.ts"
import { isRecordType, RECORD_TYPES } from "../../../core/records/record.ts"
import { TABLE_OPTIONS } from "../../../core/import/tableOptions.ts"
import type { WorkspaceImportInput } from "../../client/contract/workspace.ts"
import { asOperator } from "../connection/operator.ts"
import { Usage } from "../connection/workspace.ts"
import { print } from "../terminal/output.ts"
import { Question } from "../terminal/question.ts"
import { bar, count, showStatus, statusLine } from "../terminal/progress.ts"
import { sendFile } from "./file.ts"
import { linesOf, outcomeOf } from "./importReport.ts"
import { undoImport } from "./undoImport.ts"

interface ImportInput {
  readonly file: Option.Option<string>
  readonly organization: string
  readonly type: Option.Option<string>
  readonly map: Option.Option<string>
  readonly dates: Option.Option<DateOrder>
  readonly decimal: Option.Option<DecimalMark>
  readonly rates: Option.Option<string>
  readonly stage: Option.Option<string>
  readonly create: Option.Option<"all" | "none">
  readonly encoding: Option.Option<string>
  readonly sheet: Option.Option<string>
  readonly empty: Option.Option<"keep" | "clear">
  readonly keepUnmapped: Option.Option<"crm_one" | "crm_two">
  readonly dryRun: boolean
  readonly yes: boolean
  readonly undo: Option.Option<string>
  readonly json: boolean
}

/** Some records failed, and the report on stdout lists them; or the user said no. */
class Unfinished extends Schema.TaggedError<Unfinished>()("Unfinished", { message: Schema.String }) {}

/** Imports a file, or undoes an import. */
export const importOrUndo = Effect.fnUntraced(function* ({ file, undo, ...input }: ImportInput) {
  if (Option.isSome(file) && Option.isNone(undo)) return yield* importFile({ ...input, file: file.value })
  if (Option.isNone(undo)) return yield* new Usage({ message: "name a file to import, or an import to --undo" })
  if (Option.isSome(file)) return yield* new Usage({ message: "--undo takes no file: it restores the old values" })
  return yield* undoImport({ id: undo.value, organization: input.organization, json: input.json })
})

type FileInput = Omit<ImportInput, "file" | "undo"> & { readonly file: string }

/** Imports a file's records into an organization and reports the outcome. */
export const importFile = Effect.fnUntraced(function* (input: FileInput) {
  const query = yield* checkInput(input)
  const { canAsk, ask } = yield* Question
  // A program reads the JSON, and stdin can be read only once.
  const asks = canAsk && !input.yes && !input.dryRun && !input.json && input.file !== "-"
  const imported = yield* asOperator(({ call, within }) =>
    Effect.gen(function* () {
      // Before the file is sent.
      yield* call((operator, signal) => operator.organizations.find(input.organization, { signal }))
      const send = Effect.fnUntraced(function* (query: WorkspaceImportInput) {
        const began = performance.now()
        const report = yield* sendFile(input.file, input.file, ({ size, content }) =>
          within(input.organization).call((client, signal) =>
            client.workspace.import(
              isNdjson(input.file) ? { ...query, ndjson: content } : { ...query, file: content },
              { signal, onProgress: ({ sentBytes }) => showSent(input.file, sentBytes, size) },
            ),
          ),
        ).pipe(Effect.ensuring(statusLine("")))
        return { report, seconds: (performance.now() - began) / 1000 }
      })
      if (!asks) return yield* send(query)
      const dry = yield* send({ ...query, dry_run: true })
      yield* print(false, dry.report, linesOf(dry.report, { ...input, dryRun: true, seconds: dry.seconds }))
      const isClear = dry.report.warnings.length === 0 && dry.report.failed === 0
      if (!isClear && !(yield* ask("Import?"))) return yield* new Unfinished({ message: "nothing was imported" })
      const { plan_id } = dry.report
      return yield* send(plan_id === undefined ? query : { plan_id })
    }),
  )
  const { report, seconds } = imported
  const run = { ...input, seconds }
  yield* print(input.json, report, asks ? outcomeOf(report, run) : linesOf(report, run))
  if (report.failed > 0) {
    return yield* new Unfinished({
      message: `${count(report.failed)} of ${count(report.received)} records ${input.dryRun ? "would fail" : "failed"}`,
    })
  }
})

/** The bytes of all other files say what they are. */
const isNdjson = (file: string) => /\.(?:ndjson|jsonl)$/i.test(file)

/** The server reports records only at the end. */
const showSent = (file: string, sent: number, size: number | undefined) =>
  showStatus(`${file}: ${size === undefined ? "" : `[${bar(sent / size)}] `}${count(sent)} bytes sent`)

const checkInput = Effect.fnUntraced(function* ({ file, dryRun, ...input }: FileInput) {
  const { type, map, dates, decimal, rates, stage, create, encoding, sheet, empty, keepUnmapped } = input
  if (Option.isNone(type) && /\.(?:csv|tsv|xlsx?)$/i.test(file)) {
    return yield* new Usage({ message: `a table needs --type, one of ${RECORD_TYPES.join(", ")}` })
  }
  if (Option.isSome(type) && !isRecordType(type.value)) {
    return yield* new Usage({ message: `--type must be one of ${RECORD_TYPES.join(", ")}, not ${type.value}` })
  }
  const useless = Object.entries(TABLE_OPTIONS).find(([option]) =>
    Option.isSome(input[option as keyof typeof TABLE_OPTIONS]),
  )
  if (isNdjson(file) && useless !== undefined) {
    const flag = useless[1].replaceAll("_", "-")
    return yield* new Usage({ message: `--${flag} works with tables only: the records of NDJSON name their fields` })
  }
  if (Option.exists(map, (text) => parseMapping(text) === undefined)) {
    return yield* new Usage({ message: '--map must be "Header=field,Other header=field"' })
  }
  if (Option.exists(rates, (text) => parseRates(text) === undefined)) {
    return yield* new Usage({ message: '--rates must be "EUR:1.08,JPY:0.0067"' })
  }
  if (Option.exists(stage, (text) => parseStages(text) === undefined)) {
    return yield* new Usage({ message: '--stage must be "Name=won,Other=lost": open, won or lost' })
  }
  return {
    type: Option.getOrUndefined(Option.filter(type, isRecordType)),
    map: Option.getOrUndefined(map),
    dates: Option.getOrUndefined(dates),
    decimal: Option.getOrUndefined(decimal),
    rates: Option.getOrUndefined(rates),
    stage: Option.getOrUndefined(stage),
    create: Option.getOrUndefined(create),
    encoding: Option.getOrUndefined(encoding),
    sheet: Option.getOrUndefined(sheet),
    empty: Option.getOrUndefined(empty),
    keep_unmapped: Option.getOrUndefined(keepUnmapped),
    dry_run: dryRun ? true : undefined,
  }
})
