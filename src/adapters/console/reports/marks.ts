import type { ChartKind } from "../../../core/views/charts.ts"
import type { BarRow } from "../charts/rows.tsx"
import { type Color, type Mark, type Marks, MAX_COLORS, type Series } from "../charts/marks.ts"
import { dealsHref } from "../common/links.ts"
import { t } from "../common/texts.ts"
import { filtersBehind, groupLabel, measureLabel, type Report, type ReportRow, show } from "./names.ts"
import { isDated, type ReportQuery } from "./query.ts"

const MAX_BARS = 25
const MAX_LABELS = 40
const MAX_HEAT_ROWS = 25

/** The charts that can show a report, the best first. */
export const chooseCharts = (
  { groupBy, measures: [first = ""] }: ReportQuery,
  { meta }: Report,
): ReadonlyArray<ChartKind> => {
  const hasDate = groupBy.some(isDated)
  if (groupBy.length === 1) return hasDate ? ["line", "columns"] : ["bars"]
  if (groupBy.length !== 2) return []
  const stacked = meta.measures[first]?.additive === true ? (["stacked"] as const) : []
  return hasDate ? [...stacked, "line", "heat"] : [...stacked, "heat"]
}

const chooseColor = (name: string, index: number): Color => {
  if (/^(?:amount_)?won$|^win_rate|^positive$/.test(name)) return "won"
  if (/^(?:amount_)?lost$|^loss_rate$|^negative$/.test(name)) return "lost"
  if (/^(?:amount_)?open$/.test(name)) return "open"
  return ((index % MAX_COLORS) + 1) as Color
}

export const chooseBarColor = (measure: string): "won" | "lost" | "accent" => {
  const color = chooseColor(measure, 0)
  return color === "won" || color === "lost" ? color : "accent"
}

const keyOf = (value: ReportRow["group"][string] | undefined) => JSON.stringify(value ?? null)

const unitOf = ({ meta }: Report, measure: string) => meta.measures[measure]?.unit ?? "deals"

const makeMark = (report: Report, row: ReportRow, measure: string): Mark => ({
  value: row.values[measure] ?? null,
  text: show(unitOf(report, measure), row.values[measure], true),
  href: dealsHref(filtersBehind(row, measure)),
})

/** The first groups as bars of the first measure; the others of the row stand beside its value. */
export const makeBars = (report: Report, { groupBy: [dimension = ""], measures: [first = "", ...more] }: ReportQuery) =>
  report.data.slice(0, MAX_BARS).map((row): BarRow => ({
    id: keyOf(row.group[dimension]),
    name: groupLabel(row, dimension),
    value: row.values[first] ?? 0,
    text: [first, ...more.slice(0, 1)].map((name) => show(unitOf(report, name), row.values[name], true)).join(" · "),
    href: dealsHref(filtersBehind(row, first)),
    ...(row.previous !== undefined && { before: row.previous[first] ?? null }),
  }))

/** A series for each measure that has the first one's unit, by date. */
const marksByMeasure = (report: Report, { groupBy: [dimension = ""], measures }: ReportQuery): Omit<Marks, "label"> => {
  const rows = report.data.toSorted((one, other) =>
    String(one.group[dimension]) < String(other.group[dimension]) ? -1 : 1,
  )
  const [first = ""] = measures
  const unit = unitOf(report, first)
  const series = measures
    .filter((name) => unitOf(report, name) === unit)
    .flatMap((name, index): ReadonlyArray<Series> => {
      const own = { name: measureLabel(name), color: chooseColor(name, index) }
      return [
        ...(rows.some(({ previous }) => previous !== undefined)
          ? [
              {
                ...own,
                name: `${own.name}, ${t("chart.before")}`,
                isBefore: true,
                marks: rows.map(makeBefore(unit, name)),
              },
            ]
          : []),
        { ...own, marks: rows.map((row) => makeMark(report, row, name)) },
      ]
    })
  return {
    labels: rows.map((row) => groupLabel(row, dimension)),
    series,
    axis: (value) => show(unit, value, true),
  }
}

const makeBefore =
  (unit: Parameters<typeof show>[0], name: string) =>
  ({ previous }: ReportRow): Mark | undefined => {
    const value = previous?.[name] ?? null
    return { value, text: show(unit, value, true), href: undefined }
  }

/** Labels of one dimension, by preference a date, and a series for each group of the other one. */
const marksByPair = (report: Report, query: ReportQuery, kind: ChartKind): Omit<Marks, "label"> => {
  const { groupBy, measures } = query
  const [first = ""] = measures
  const across = groupBy.find(isDated) ?? groupBy[0]!
  const along = groupBy.find((name) => name !== across)!
  const unit = unitOf(report, first)
  const cells = new Map<string, Map<string, ReportRow>>()
  const labels = new Map<string, string>()
  for (const row of report.data) {
    const [column, line] = [keyOf(row.group[across]), keyOf(row.group[along])]
    labels.set(column, groupLabel(row, across))
    if (!cells.has(line)) cells.set(line, new Map())
    cells.get(line)!.set(column, row)
  }
  const columns = [...labels.keys()]
  if (isDated(across)) columns.sort()
  const shown = columns.slice(0, isDated(across) ? columns.length : MAX_LABELS)
  const weight = (line: string) =>
    [...cells.get(line)!.values()].reduce((sum, { values }) => sum + (values[first] ?? 0), 0)
  const lines = [...cells.keys()].toSorted((one, other) => weight(other) - weight(one))
  const most = kind === "heat" ? MAX_HEAT_ROWS : MAX_COLORS
  const makeSeries = (line: string, index: number): Series => {
    const row = cells.get(line)!
    const cell = [...row.values()][0]!
    const value = cell.group[along]
    const id = typeof value === "object" ? (value.id ?? "") : ""
    return {
      name: groupLabel(cell, along),
      color: isNone(value) ? "rest" : chooseColor(id, index),
      marks: shown.map((column) => (row.has(column) ? makeMark(report, row.get(column)!, first) : undefined)),
    }
  }
  const rest = lines.slice(most)
  const others: Series = {
    name: t("chart.others"),
    color: "rest",
    marks: shown.map((column) => {
      const value = rest.reduce((sum, line) => sum + (cells.get(line)!.get(column)?.values[first] ?? 0), 0)
      return value === 0 ? undefined : { value, text: show(unit, value, true), href: undefined }
    }),
  }
  return {
    labels: shown.map((column) => labels.get(column)!),
    series: [...lines.slice(0, most).map(makeSeries), ...(kind === "stacked" && rest.length > 0 ? [others] : [])],
    axis: (value) => show(unit, value, true),
  }
}

export const makeMarks = (report: Report, query: ReportQuery, kind: ChartKind): Marks => ({
  label: query.measures.map(measureLabel).join(", "),
  ...(query.groupBy.length === 1 ? marksByMeasure(report, query) : marksByPair(report, query, kind)),
})

const isNone = (value: ReportRow["group"][string] | undefined) => typeof value === "object" && value.name === null

/** How many groups the chart leaves out. */
export const leftOut = ({ data }: Report, kind: ChartKind): number =>
  kind === "bars" ? Math.max(0, data.length - MAX_BARS) : 0
