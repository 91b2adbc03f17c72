import type { ImportReport } from "../../client/contract/imports.ts"
import { count } from "../terminal/progress.ts"

/** Errors and columns in the text output; JSON has up to a thousand errors. */
const MAX_SHOWN = 20

/** An import as a person reads it: how the file was read, what is unsure, what happened, and what failed. */
export const linesOf = (report: ImportReport, isDryRun: boolean, seconds: number): ReadonlyArray<string> => [
  ...plan(report.assumptions),
  ...report.warnings.flatMap(warning),
  counts(report, isDryRun, seconds),
  ...report.errors.slice(0, MAX_SHOWN).map(({ line, field, reason, value }) => {
    return `  line ${line}: ${field} ${value === undefined ? "" : `'${value}' `}${reason}`
  }),
  ...(report.errors.length > MAX_SHOWN
    ? [`  and more; --json lists ${report.errors.length === 1000 ? "the first 1,000" : "them all"}`]
    : []),
]

const counts = (report: ImportReport, isDryRun: boolean, seconds: number) => {
  const { received, created, updated, unchanged, deleted, failed, not_rows } = report
  const parts = [
    `${count(created)} created`,
    `${count(updated)} updated`,
    `${count(unchanged)} unchanged`,
    ...(deleted > 0 ? [`${count(deleted)} deleted`] : []),
    `${count(failed)} failed`,
    ...(not_rows > 0 ? [`${count(not_rows)} lines that are no records`] : []),
  ]
  return `${isDryRun ? "a dry run: " : ""}${count(received)} records in ${seconds.toFixed(1)} s: ${parts.join(", ")}`
}

const plan = (assumptions: ImportReport["assumptions"]): ReadonlyArray<string> => {
  const { container, encoding, delimiter, sheet, header_line, columns, currency } = assumptions
  if (columns === undefined) return []
  const kind = [
    container.toUpperCase(),
    ...(sheet === undefined ? [] : [`sheet '${sheet}'`]),
    ...(encoding === undefined ? [] : [encoding]),
    ...(delimiter === undefined ? [] : [`separated by ${delimiter === "\t" ? "tabs" : `'${delimiter}'`}`]),
    `headers in line ${header_line}`,
    ...(currency == null ? [] : [`amounts in ${currency}`]),
  ]
  const used = columns.filter(({ field }) => field !== null)
  const width = Math.min(40, Math.max(...used.map(({ column }) => column.length)))
  const ignored = columns.filter(({ field }) => field === null).map(({ column }) => column)
  return [
    kind.join(", "),
    ...used.map(({ column, field, confidence, by }) => {
      const notes = [
        ...readingOf(field!, assumptions),
        ...(by === "map" || confidence >= SURE ? [] : [sure(by, confidence)]),
      ]
      return `  ${column.padEnd(width)}  ${field}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`
    }),
    ...(ignored.length === 0
      ? []
      : [`  not imported: ${ignored.slice(0, MAX_SHOWN).join(", ")}${ignored.length > MAX_SHOWN ? " …" : ""}`]),
  ]
}

const readingOf = (field: string, { decimal, date_order }: ImportReport["assumptions"]) => [
  ...(decimal?.[field] === undefined ? [] : [`decimal ${decimal[field] === "," ? "comma" : "point"}`]),
  ...(date_order?.[field] === undefined ? [] : [date_order[field] === "DMY" ? "day first" : "month first"]),
]

/** Headers that CRMs use are as sure as our own; others are shown with their confidence. */
const SURE = 0.9
const sure = (by: string, confidence: number) => `by its ${by}, ${Math.round(confidence * 100)} % sure`

const warning = ({ code, field, count: times, message, lines, examples }: ImportReport["warnings"][number]) => [
  `warning ${code}${field === undefined ? "" : ` in ${field}`}: ${message}`,
  ...(times === 1 && examples.length === 0
    ? []
    : [
        `  ${count(times)} ${times === 1 ? "time" : "times"}${lines.length === 0 ? "" : `, ${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${times > lines.length ? " …" : ""}`}` +
          (examples.length === 0 ? "" : `: ${examples.map((each) => `'${each}'`).join(", ")}`),
      ]),
]
