import { capitalize } from "../../../common/capitalize.ts"
import { measureOf } from "../../../reports/measures.ts"
import { asText } from "../../citations/markdown.ts"
import { GRAINS, findNoun } from "../words/lexicon.ts"
import { formatChange, formatValue } from "../words/numbers.ts"
import { describeMeasure } from "./measureWords.ts"
import type { ReportQuery } from "../plan/reportQuery.ts"
import { nameOf, type Report, type ReportRow } from "./reply.ts"

/** Rows and columns that a table of an answer shows. */
const MAX_ROWS = 10
/** Rows of a table by date: the months of a year. */
const MAX_DATES = 12
const MAX_COLUMNS = 8

interface Shown {
  readonly measures: ReadonlyArray<string>
  readonly groups: ReadonlyArray<string>
  readonly currency: string | undefined
  readonly outcome: string | undefined
  /** The rows are in the order of a ranking. */
  readonly isRanked?: boolean
  /** The link to a row: "[1](…)". */
  readonly links?: ReadonlyMap<ReportRow, string> | undefined
  /** The address of the page that has all rows. */
  readonly rest?: string | undefined
}

export const describeDimension = (dimension: string): string =>
  findNoun(dimension)?.one ??
  GRAINS.find(([grain]) => dimension.endsWith(`.${grain}`))?.[0] ??
  dimension.replace(/^crm_(?:crm_(?:one|two)_account_)?/, "").replaceAll("_", " ")

/** The one outcome that a query keeps, as its measures are described. */
export const findOutcome = ({ filters }: Pick<ReportQuery, "filters">): string | undefined => {
  const { outcome, overdue } = filters as { readonly outcome?: ReadonlyArray<string>; readonly overdue?: boolean }
  if (overdue === true) return "overdue"
  if (filters.slipped_from_filter_type === "is not empty" && outcome === undefined) return "slipped"
  if (outcome?.length === 1) return outcome[0]
  return outcome?.length === 2 && !outcome.includes("open") ? "decided" : undefined
}

const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`

const render = (header: ReadonlyArray<string>, texts: number, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [line(header), line(header.map((_, n) => (n < texts ? "---" : "---:"))), ...rows.map(line)].join("\n")

const isUnnamed = (row: ReportRow) =>
  Object.values(row.group).some((value) => typeof value === "object" && value.name === null)

/** The rows that a table shows: of dates the latest, or the first of a ranking, else the first, with deals without a value last. */
export const visibleRows = <R extends ReportRow>(
  rows: ReadonlyArray<R>,
  groups: ReadonlyArray<string>,
  isRanked = false,
): ReadonlyArray<R> =>
  groups.some(isDate)
    ? isRanked
      ? rows.slice(0, MAX_DATES)
      : rows.slice(-MAX_DATES)
    : rows.toSorted((a, b) => Number(isUnnamed(a)) - Number(isUnnamed(b))).slice(0, MAX_ROWS)

/** "And 21 more: show as table". The words stand before the link to all rows, which a mark replaces. */
export const writeMore = (more: number, rest: string | undefined): string => {
  if (more <= 0) return ""
  const said = `and ${more.toLocaleString("en-US")} more`
  return `\n\n${rest === undefined ? said : `${said}: [show as table](${rest})`}.`
}

const isDate = (dimension: string) => dimension.includes(".")

/** A table of a report: one row for each group, or, for two dimensions, the second across. */
export const writeTable = (report: Report, shown: Shown): string => {
  const [down, across] = pivot(report, shown.groups) ?? []
  return down === undefined || across === undefined ? writeFlat(report, shown) : writePivot(report, down, across, shown)
}

/** The dimensions down and across, if two and few enough columns. The lines of such a table are no rows of the report. */
export const pivot = ({ data }: Pick<Report, "data">, groups: ReadonlyArray<string>) => {
  const date = groups.find(isDate)
  const [down, across] = date === undefined ? groups : [groups.find((each) => each !== date), date]
  if (groups.length !== 2 || down === undefined || across === undefined) return undefined
  const columns = new Set(data.map((row) => nameOf(row, across))).size
  return isDate(across) || columns <= MAX_COLUMNS ? ([down, across] as const) : undefined
}

/** Whether a sum is 0 because no deal of the row has an amount, in a report where some have none. */
const hasNoAmount = (measure: string, { values }: ReportRow): boolean =>
  measure === "amount" && values["amount"] === 0 && (values["deals"] ?? 0) > 0

const writeFlat = (
  { data, others, withoutAmount }: Report,
  { measures, groups, currency, outcome, isRanked, links, rest }: Shown,
): string => {
  const rows = visibleRows(data, groups, isRanked)
  const compares = rows.some(({ previous }) => previous !== undefined)
  const header = [
    ...groups.map((each) => capitalize(describeDimension(each))),
    ...measures.map((each) => capitalize(describeMeasure(each, outcome))),
    ...(compares ? ["Before", "Change"] : []),
  ]
  const main = measures[0] ?? "deals"
  const linkOf = (row: ReportRow, n: number) => {
    const link = n > 0 ? undefined : links?.get(row)
    return link === undefined ? "" : ` ${link}`
  }
  const cells = rows.map((row) => [
    ...groups.map(
      (each, n) =>
        asText(nameOf(row, each)) + (isDate(each) && row.partial === true ? " (so far)" : "") + linkOf(row, n),
    ),
    ...measures.map((each) =>
      withoutAmount > 0 && hasNoAmount(each, row) ? "no amount" : formatValue(each, row.values[each] ?? null, currency),
    ),
    ...(compares
      ? [
          formatValue(main, row.previous?.[main] ?? null, currency),
          typeof row.change?.[main] === "number" ? formatChange(main, row.change[main], currency) : "–",
        ]
      : []),
  ])
  const more = others + data.length - rows.length
  return `${render(header, groups.length, cells)}${writeMore(more, rest)}`
}

const writePivot = (
  { data }: Report,
  down: string,
  across: string,
  { measures, currency, outcome, rest }: Shown,
): string => {
  const main = measures[0] ?? "deals"
  const said = [...new Set(data.map((row) => nameOf(row, across)))]
  const columns = isDate(across) ? said.toSorted().slice(-MAX_COLUMNS) : said
  const all = [...new Set(data.map((row) => nameOf(row, down)))]
  const names = all.slice(0, MAX_ROWS)
  const partial = new Set(data.filter((row) => row.partial === true).map((row) => nameOf(row, across)))
  const cells = names.map((name) => [
    asText(name),
    ...columns.map((column) => {
      const row = data.find((each) => nameOf(each, down) === name && nameOf(each, across) === column)
      return formatValue(main, row?.values[main] ?? (measureOf(main)?.additive === true ? 0 : null), currency)
    }),
  ])
  const header = [
    `${capitalize(describeDimension(down))} (${describeMeasure(main, outcome)})`,
    ...columns.map((column) => asText(column) + (partial.has(column) ? " (so far)" : "")),
  ]
  return render(header, 1, cells) + writeMore(all.length - names.length, rest)
}
