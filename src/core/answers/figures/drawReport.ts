import { type Html, markup } from "../../library/viewer/html.ts"
import { describeMeasure } from "../questions/reply/measureWords.ts"
import { formatExact, formatValue } from "../questions/words/numbers.ts"
import type { ReportQuery } from "../questions/plan/reportQuery.ts"
import { nameOf, type Report } from "../questions/reply/reply.ts"
import { describeDimension, findOutcome } from "../questions/reply/table.ts"
import { drawChart } from "./chart.ts"

export const textHead = (text: string): Html => markup`<th scope="col">${text}</th>`
export const numberHead = (text: string): Html => markup`<th scope="col" class="number">${text}</th>`
export const numberCell = (text: string): Html => markup`<td class="number">${text}</td>`

interface Cited {
  /** The cited row, from 0. */
  readonly row?: number | undefined
  /** Whether a row, from 0, may be seen. */
  readonly isShown?: (index: number) => boolean
}

/** Draws the groups of a report as a chart of the first measure and a table; false without groups. */
export const drawReport = (
  query: ReportQuery,
  data: Report["data"],
  currency: string | undefined,
  { row, isShown = () => true }: Cited = {},
): Html | false => {
  const { groupBy, measures } = query
  const outcome = findOutcome(query)
  const header = [
    ...groupBy.map((each) => textHead(describeDimension(each))),
    ...measures.map((each) => numberHead(describeMeasure(each, outcome))),
  ]
  const rows = data.map(
    (each, index) =>
      isShown(index) &&
      markup`<tr${index === row && markup` class="here"`}>${groupBy.map((group) => markup`<td>${nameOf(each, group)}</td>`)}${measures.map((measure) => numberCell(formatExact(measure, each.values[measure] ?? null, currency)))}</tr>`,
  )
  const [first = "deals"] = measures
  const points = data.flatMap((each, index) => {
    const value = each.values[first] ?? null
    const name = groupBy.map((group) => nameOf(each, group)).join(" · ")
    if (value === null || !isShown(index)) return []
    return [{ name, value, shown: formatValue(first, value, currency), isCited: index === row }]
  })
  const title = `${describeMeasure(first, outcome)} by ${groupBy.map(describeDimension).join(" and ")}`
  return (
    rows.some((each) => each !== false) &&
    markup`${drawChart(title, groupBy, points)}<div class="wide"><table><thead><tr>${header}</tr></thead><tbody>${rows}</tbody></table></div>`
  )
}
