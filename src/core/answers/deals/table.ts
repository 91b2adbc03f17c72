import { asText } from "../citations/markdown.ts"
import { GRAINS, nounOf } from "./lexicon.ts"
import { formatChange, formatValue } from "./numbers.ts"
import { describeMeasure } from "./measureWords.ts"
import type { ReportQuery } from "./reportQuery.ts"
import { nameOf, type Report, type ReportRow } from "./reply.ts"

/** Rows and columns that a table of an answer shows. */
const MAX_ROWS = 10
const MAX_COLUMNS = 8

interface Shown {
  readonly measures: ReadonlyArray<string>
  readonly groups: ReadonlyArray<string>
  readonly currency: string | undefined
  readonly outcome: string | undefined
  /** Links to the rows, in their order: "[1](…)". */
  readonly links?: ReadonlyArray<string>
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export const describeDimension = (dimension: string): string =>
  nounOf(dimension)?.one ??
  GRAINS.find(([grain]) => dimension.endsWith(`.${grain}`))?.[0] ??
  dimension.replace(/^crm_(?:crm_(?:one|two)_account_)?/, "").replaceAll("_", " ")

/** The one outcome that a query keeps, as its measures are described. */
export const outcomeOf = ({ filters }: Pick<ReportQuery, "filters">): string | undefined => {
  const { outcome, overdue } = filters as { readonly outcome?: ReadonlyArray<string>; readonly overdue?: boolean }
  if (overdue === true) return "overdue"
  if (outcome?.length === 1) return outcome[0]
  return outcome?.length === 2 && !outcome.includes("open") ? "decided" : undefined
}

const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`

const render = (header: ReadonlyArray<string>, texts: number, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [line(header), line(header.map((_, n) => (n < texts ? "---" : "---:"))), ...rows.map(line)].join("\n")

const isUnnamed = (row: ReportRow) =>
  Object.values(row.group).some((value) => typeof value === "object" && value.name === null)

/** The rows that a table shows: of dates the latest, else the first, with deals without a value last. */
const visible = (rows: ReadonlyArray<ReportRow>, isDated: boolean) =>
  isDated
    ? rows.slice(-MAX_ROWS)
    : rows.toSorted((a, b) => Number(isUnnamed(a)) - Number(isUnnamed(b))).slice(0, MAX_ROWS)

const isDate = (dimension: string) => dimension.includes(".")

/** A table of a report: one row for each group, or, for two dimensions, the second across. */
export const writeTable = (report: Report, shown: Shown): string => {
  const { groups } = shown
  const date = groups.find(isDate)
  const pivoted =
    groups.length === 2 ? (date === undefined ? groups : [groups.find((each) => each !== date)!, date]) : []
  const table = pivoted.length === 2 ? writePivot(report, pivoted[0]!, pivoted[1]!, shown) : undefined
  return table ?? writeFlat(report, shown)
}

const writeFlat = ({ data, others }: Report, { measures, groups, currency, outcome, links = [] }: Shown): string => {
  const rows = visible(data, groups.some(isDate))
  const compares = rows.some(({ previous }) => previous !== undefined)
  const header = [
    ...groups.map((each) => capitalize(describeDimension(each))),
    ...measures.map((each) => capitalize(describeMeasure(each, outcome))),
    ...(compares ? ["Before", "Change"] : []),
  ]
  const main = measures[0] ?? "deals"
  const linkOf = (row: ReportRow, n: number) =>
    n > 0 || links[data.indexOf(row)] === undefined ? "" : ` ${links[data.indexOf(row)]}`
  const cells = rows.map((row) => [
    ...groups.map(
      (each, n) =>
        asText(nameOf(row, each)) + (isDate(each) && row.partial === true ? " (so far)" : "") + linkOf(row, n),
    ),
    ...measures.map((each) => formatValue(each, row.values[each] ?? null, currency)),
    ...(compares
      ? [
          formatValue(main, row.previous?.[main] ?? null, currency),
          typeof row.change?.[main] === "number" ? formatChange(main, row.change[main], currency) : "–",
        ]
      : []),
  ])
  const more = others + data.length - rows.length
  return `${render(header, groups.length, cells)}${more > 0 ? `\n\nand ${more.toLocaleString("en-US")} more.` : ""}`
}

/** Undefined if there are too many columns. */
const writePivot = (
  { data, totals: _ }: Report,
  down: string,
  across: string,
  { measures, currency, outcome }: Shown,
): string | undefined => {
  const main = measures[0] ?? "deals"
  const all = [...new Set(data.map((row) => nameOf(row, across)))]
  const columns = isDate(across) ? all.toSorted().slice(-MAX_COLUMNS) : all
  if (columns.length > MAX_COLUMNS) return undefined
  const names = [...new Set(data.map((row) => nameOf(row, down)))].slice(0, MAX_ROWS)
  const partial = new Set(data.filter((row) => row.partial === true).map((row) => nameOf(row, across)))
  const cells = names.map((name) => [
    asText(name),
    ...columns.map((column) => {
      const row = data.find((each) => nameOf(each, down) === name && nameOf(each, across) === column)
      return formatValue(
        main,
        row?.values[main] ?? (/^(?:deals|amount|won|lost|mentions)/.test(main) ? 0 : null),
        currency,
      )
    }),
  ])
  const header = [
    `${capitalize(describeDimension(down))} (${describeMeasure(main, outcome)})`,
    ...columns.map((column) => asText(column) + (partial.has(column) ? " (so far)" : "")),
  ]
  return render(header, 1, cells)
}
