import type { ImportReport } from "../../client/contract/imports.ts"
import { count } from "../terminal/progress.ts"

/** Errors and columns in the text output; JSON has up to a thousand errors. */
const MAX_SHOWN = 20

/** An import as a person reads it: how the file was read, what is unsure, what happened, and what failed. */
export const linesOf = (report: ImportReport, run: Run): ReadonlyArray<string> => [
  ...plan(report.assumptions),
  ...report.warnings.flatMap(warning),
  ...examples(report.examples ?? []),
  ...outcomeOf(report, run),
]

/** The counts of an import, the records that failed, and how to undo it. */
export const outcomeOf = (report: ImportReport, run: Run): ReadonlyArray<string> => [
  counts(report, run),
  ...report.errors.slice(0, MAX_SHOWN).map(({ line, field, reason, value }) => {
    return `  line ${line}: ${field} ${value === undefined ? "" : `'${value}' `}${reason}`
  }),
  ...(report.errors.length > MAX_SHOWN
    ? [`  and more; --json lists ${report.errors.length === 1000 ? "the first 1,000" : "them all"}`]
    : []),
  ...undoOf(report, run),
]

interface Run {
  readonly organization: string
  readonly dryRun: boolean
  readonly seconds: number
}

const undoOf = ({ import_id, undo, undo_refusal }: ImportReport, { organization }: Run): ReadonlyArray<string> => {
  if (import_id === undefined) return []
  if (undo !== true) return [`${import_id}: no undo, because ${undo_refusal}`]
  return [`${import_id}: to undo it within 7 days, run sightline import --org ${organization} --undo ${import_id}`]
}

const counts = (report: ImportReport, { dryRun: isDryRun, seconds }: Run) => {
  const { received, created, updated, unchanged, deleted, failed, not_rows, counts_from } = report
  const parts = [
    `${count(created)} created`,
    `${count(updated)} updated`,
    `${count(unchanged)} unchanged`,
    ...(deleted > 0 ? [`${count(deleted)} deleted`] : []),
    `${count(failed)} failed`,
    ...(not_rows > 0 ? [`${count(not_rows)} lines that are no records`] : []),
  ]
  const of = counts_from === "sample" ? "the first " : ""
  return `${isDryRun ? "a dry run: " : ""}${of}${count(received)} records in ${seconds.toFixed(1)} s: ${parts.join(", ")}`
}

type Example = NonNullable<ImportReport["examples"]>[number]

const examples = (all: ReadonlyArray<Example>): ReadonlyArray<string> => all.map(example)

/** Characters of an example's line. */
const MAX_LINE = 200

const example = ({ line, result, before, after }: Example): string => {
  const shown =
    before === null || after === null
      ? Object.entries(after ?? before ?? {}).map(([field, value]) => `${field} ${valueOf(value)}`)
      : Object.keys(after)
          .filter((field) => valueOf(before[field]) !== valueOf(after[field]))
          .map((field) => `${field} ${valueOf(before[field])} -> ${valueOf(after[field])}`)
  const text = `  line ${line} ${VERBS[result]} ${shown.join(", ")}`
  return text.length > MAX_LINE ? `${text.slice(0, MAX_LINE).toWellFormed()}…` : text
}

const VERBS = { created: "creates", updated: "updates", deleted: "deletes" } as const

const valueOf = (value: unknown): string =>
  value === null || value === undefined ? "nothing" : typeof value === "string" ? `'${value}'` : JSON.stringify(value)

const plan = (assumptions: ImportReport["assumptions"]): ReadonlyArray<string> => {
  const { container, encoding, delimiter, sheet, header_line, columns, currency, timezone, matched_by, stages } =
    assumptions
  if (columns === undefined) return []
  const kind = [
    container.toUpperCase(),
    ...(sheet === undefined ? [] : [`sheet '${sheet}'`]),
    ...(encoding === undefined ? [] : [encoding]),
    ...(delimiter === undefined ? [] : [`separated by ${delimiter === "\t" ? "tabs" : `'${delimiter}'`}`]),
    `headers in line ${header_line}`,
    ...(currency == null ? [] : [`amounts in ${currency}`]),
    ...(timezone === undefined ? [] : [`local times of ${timezone}`]),
  ]
  const used = columns.filter(({ field }) => field !== null)
  const width = Math.min(40, Math.max(...used.map(({ column }) => column.length)))
  const left = columns.filter(({ field }) => field === null)
  const ignored = left.filter(({ by }) => by !== "export").map(({ column }) => column)
  const computed = left.filter(({ by }) => by === "export").map(({ column }) => column)
  const added = new Map(
    assumptions.properties?.flatMap(({ id, is_new, data_type }) =>
      is_new ? [[`crm_properties.${id}`, data_type]] : [],
    ),
  )
  return [
    kind.join(", "),
    ...used.map(({ column, field, confidence, by }) => {
      const notes = [
        ...readingOf(field!, assumptions),
        ...(added.has(field!) ? [`new property: ${added.get(field!)}`] : []),
        ...(by === "map" || confidence >= SURE ? [] : [sure(by, confidence)]),
      ]
      return `  ${column.padEnd(width)}  ${field}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`
    }),
    ...(computed.length === 0 ? [] : [`  computed, so not imported: ${computed.join(", ")}`]),
    ...(ignored.length === 0
      ? []
      : [`  not imported: ${ignored.slice(0, MAX_SHOWN).join(", ")}${ignored.length > MAX_SHOWN ? " …" : ""}`]),
    ...(stages === undefined
      ? []
      : [
          `  new stages: ${stages
            .slice(0, MAX_SHOWN)
            .map(({ name, category }) => `${name} (${category})`)
            .join(", ")}${stages.length > MAX_SHOWN ? " …" : ""}`,
        ]),
    ...(matched_by === undefined
      ? []
      : [
          `  found by: ${Object.entries(matched_by)
            .map(([by, times]) => `${by} (${count(times)})`)
            .join(", ")}`,
        ]),
  ]
}

const readingOf = (field: string, { decimal, date_order }: ImportReport["assumptions"]) => [
  ...(decimal?.[field] === undefined ? [] : [`decimal ${decimal[field] === "," ? "comma" : "point"}`]),
  ...(date_order?.[field] === undefined ? [] : [date_order[field] === "DMY" ? "day first" : "month first"]),
]

/** Headers that CRMs use are as sure as our own; others are shown with their confidence. */
const SURE = 0.9
const sure = (by: string, confidence: number) => `by its ${by}, ${Math.round(confidence * 100)} % sure`

const PARAMETERS = /'(stage|decimal|dates|encoding|sheet|keep_unmapped)'/g

/** Advice with the flags of the command instead of the parameters of the API. `stage`: the stage that it is about. */
const withFlags = (message: string, stage: string | undefined): string =>
  message.replace(PARAMETERS, (_, name: string) => {
    const flag = `--${name.replace("_", "-")}`
    return name === "stage" && stage !== undefined ? `${flag} "${stage}=lost"` : flag
  })

const warning = ({ code, field, count: times, message, lines, examples }: ImportReport["warnings"][number]) => [
  `warning ${code}${field === undefined ? "" : ` in ${field}`}: ${withFlags(message, code === "stage_unclear" ? examples[0] : undefined)}`,
  ...(times === 1 && examples.length === 0
    ? []
    : [
        `  ${count(times)} ${times === 1 ? "time" : "times"}${lines.length === 0 ? "" : `, ${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${times > lines.length ? " …" : ""}`}` +
          (examples.length === 0 ? "" : `: ${examples.map((each) => `'${each}'`).join(", ")}`),
      ]),
]
