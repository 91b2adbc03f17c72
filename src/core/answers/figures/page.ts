import * as Effect from "effect/Effect"
import { Deals, dealsIn } from "../../deals/Deals.ts"
import { markup } from "../../library/viewer/html.ts"
import { describeMeasure } from "../deals/measureWords.ts"
import { loadNames, nameClients } from "../deals/loadNames.ts"
import { formatCount, formatValue } from "../deals/numbers.ts"
import { nameOf } from "../deals/reply.ts"
import { runReport } from "../deals/runReport.ts"
import { describeDimension, outcomeOf } from "../deals/table.ts"
import { describeFilters, formatMoney } from "../deals/wording.ts"
import type { Figure } from "./FigureLinks.ts"
import { rowOf, titleOf, writeRow } from "./figure.ts"

/** Deals behind a row that the page lists. */
const MAX_DEALS = 50
const COLUMNS = ["name", "amount", "deal_status", "close_date", "owner_name"] as const

interface ListedDeal {
  readonly name: string
  readonly amount: number | null
  readonly deal_status: string | null
  readonly close_date: string | null
  readonly owner_name: string | null
}

const textHead = (text: string) => markup`<th scope="col">${text}</th>`
const numberHead = (text: string) => markup`<th scope="col" class="number">${text}</th>`
const numberCell = (text: string) => markup`<td class="number">${text}</td>`

/** The header of the deals behind a row. */
const BEHIND = [textHead("deal"), numberHead("amount"), ...["stage", "close date", "owner"].map(textHead)]

/** The page of a figure: the cited row, the whole report, and the deals behind the row. */
export const showFigure = Effect.fn("Figures.show")(function* (org: string, figure: Figure) {
  const deals = yield* Deals
  const { query, subject } = figure
  const report = yield* runReport(org, subject, query)
  const names = yield* nameClients(org, yield* loadNames(org, ""), query.filters)
  const { currency } = names
  const cited = rowOf(figure, report)
  const filters = figure.row === undefined ? query.filters : (report.data[figure.row]?.filters ?? query.filters)
  const count = yield* deals.count(org, filters)
  const listed = yield* deals.list(org, {
    filters,
    columns: COLUMNS,
    pageSize: MAX_DEALS,
    sort: "amount",
    sortOrder: "desc",
  })
  const rows = dealsIn(listed) as ReadonlyArray<ListedDeal>
  const outcome = outcomeOf(query)
  const header = [
    ...query.groupBy.map((each) => textHead(describeDimension(each))),
    ...query.measures.map((each) => numberHead(describeMeasure(each, outcome))),
  ]
  const table = markup`<div class="wide"><table><thead><tr>${header}</tr></thead><tbody>${report.data.map(
    (row, index) =>
      markup`<tr${index === figure.row && markup` class="here"`}>${query.groupBy.map((each) => markup`<td>${nameOf(row, each)}</td>`)}${query.measures.map((each) => numberCell(formatValue(each, row.values[each] ?? null, currency)))}</tr>`,
  )}</tbody></table></div>`
  const behind = rows.map(
    ({ name, amount, deal_status, close_date, owner_name }) =>
      markup`<tr><td>${name}</td>${numberCell(amount === null ? "–" : formatMoney(amount, currency))}<td>${deal_status ?? "–"}</td><td>${close_date ?? "–"}</td><td>${owner_name ?? "–"}</td></tr>`,
  )
  const title = titleOf(figure)
  const body = markup`<a class="skip" href="#text">Skip to the report</a>
<header><h1>${title}</h1><p class="facts"><span>${describeFilters(query.filters, names)}</span><span>computed now</span></p></header>
<main id="text" tabindex="-1"><article aria-label="The report">
<p class="note">${cited === undefined ? "The cited row is no longer in the report." : markup`<mark>${writeRow(query, cited, currency)}</mark>`}</p>
${report.data.length > 0 && table}
<h2>The deals behind it</h2><p>${formatCount(count)} in all${count > rows.length && `; the ${rows.length} with the highest amounts`}.</p>
<div class="wide"><table><thead><tr>${BEHIND}</tr></thead><tbody>${behind}</tbody></table></div>
</article></main>`
  return { title, body }
})
