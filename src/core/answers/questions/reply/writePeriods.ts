import { capitalize } from "../../../common/capitalize.ts"
import type { Citation } from "../../citation.ts"
import { asText } from "../../citations/markdown.ts"
import { describeMeasure } from "./measureWords.ts"
import { formatChange, formatValue } from "../words/numbers.ts"
import type { Period } from "../words/periods.ts"
import type { Plan } from "../plan/plan.ts"
import { writePercent } from "./writeTotal.ts"
import { nameOf, type Report } from "./reply.ts"
import { describeDimension } from "./table.ts"

/** One of the numbers beside each other. */
interface Side {
  /** The head of its column. */
  readonly label: string
  /** Before the label in the sentence. */
  readonly preposition?: string
  /** The period has not ended. */
  readonly isPartial?: boolean
  readonly report: Report
  readonly citation?: Citation | undefined
}

/** A period in words: "2026", "2026-Q2", "2026-03", or its days. */
export const describePeriod = ({ from = "", to = "" }: Period): string => {
  const year = from.slice(0, 4)
  if (from.endsWith("-01-01") && to === `${year}-12-31`) return year
  const quarter = ["01-01|03-31", "04-01|06-30", "07-01|09-30", "10-01|12-31"].indexOf(
    `${from.slice(5)}|${to.slice(5)}`,
  )
  if (quarter >= 0 && to.startsWith(year)) return `${year}-Q${quarter + 1}`
  if (from.endsWith("-01") && to.slice(0, 7) === from.slice(0, 7) && Number(to.slice(8)) >= 28) return from.slice(0, 7)
  return from === "" ? `until ${to}` : to === "" ? `since ${from}` : `${from} to ${to}`
}

const MAX_ROWS = 10

/** The same numbers in two periods or under two conditions, side by side. */
export const writePeriods = (
  { query, measure }: Pick<Extract<Plan, { kind: "periods" }>, "query" | "measure">,
  sides: ReadonlyArray<Side>,
  currency: string | undefined,
): string => {
  const { outcome } = query.filters as { readonly outcome?: ReadonlyArray<string> }
  const what = describeMeasure(measure, outcome?.length === 1 ? outcome[0] : undefined)
  const format = (name: string, value: number | null | undefined) => formatValue(name, value ?? null, currency)
  const values = sides.map(({ report }) => report.totals.values[measure] ?? null)
  const [before, after] = values
  // A running period and a whole one differ in length, so their difference is not a change.
  const isPartial = sides.some((side) => side.isPartial)
  const change =
    sides.length === 2 && !isPartial && typeof before === "number" && typeof after === "number"
      ? ` (${[formatChange(measure, after - before, currency), ...writePercent(measure, after - before, before)].join(", ")})`
      : ""
  const labels = sides.map(({ label, isPartial }) => label + (isPartial === true ? " so far" : ""))
  const said = sides
    .map(
      ({ preposition = "", citation }, n) =>
        `**${format(measure, values[n])}** ${preposition}${labels[n]}${citation === undefined ? "" : ` [${n + 1}](${citation.url})`}`,
    )
    .join(", ")
  const sentence = `${capitalize(what)}: ${said}${change}.`
  const [dimension] = query.groupBy
  const names =
    dimension === undefined
      ? []
      : [...new Set(sides.flatMap(({ report }) => report.data.map((row) => nameOf(row, dimension))))]
  const rows =
    dimension === undefined
      ? query.measures.map((each) => [
          describeMeasure(each, outcome?.length === 1 ? outcome[0] : undefined),
          ...sides.map(({ report }) => format(each, report.totals.values[each])),
        ])
      : names
          .slice(0, MAX_ROWS)
          .map((name) => [
            asText(name),
            ...sides.map(({ report }) =>
              format(measure, report.data.find((row) => nameOf(row, dimension) === name)?.values[measure]),
            ),
          ])
  const header = [dimension === undefined ? "" : describeDimension(dimension), ...labels]
  const table = [header, header.map((_, n) => (n === 0 ? "---" : "---:")), ...rows].map(
    (row) => `| ${row.join(" | ")} |`,
  )
  return `${sentence}\n\n${table.join("\n")}`
}
