import * as Effect from "effect/Effect"
import { dayAt } from "../../common/zone.ts"
import { Deals, dealsIn } from "../../deals/Deals.ts"
import type { CanonicalFilters } from "../../deals/filters/filters.ts"
import { type Html, markup } from "../../library/viewer/html.ts"
import { loadNames, nameClients } from "../questions/names/loadNames.ts"
import { writeCount } from "../questions/words/numbers.ts"
import { runReport } from "../questions/reply/runReport.ts"
import { describeFilters, formatMoney } from "../questions/reply/wording.ts"
import type { StoredFigure } from "./FigureLinks.ts"
import { drawReport, numberCell, numberHead, textHead } from "./drawReport.ts"
import { type AnsweredRow, findRow, rowAt, writeTitle, writeRow } from "./figure.ts"

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

/** Makes every query of a figure's page. `answered` finds the cited row where it is now. */
export const computeFigure = Effect.fn("Figures.compute")(function* (
  org: string,
  { figure: { query, subject, row }, answered }: Pick<StoredFigure, "figure" | "answered">,
  seesDeals: boolean,
) {
  const deals = yield* Deals
  const report = yield* runReport(org, subject, query)
  const at = row === undefined || answered === undefined ? row : findRow(query, answered, report.data)
  const shown = at === undefined ? report.totals : report.data[at]
  // A rate of decided deals is about these alone.
  const drill = shown?.drills?.[query.measures[0] ?? ""]?.filters as CanonicalFilters | undefined
  const filters = drill ?? (at === undefined ? undefined : report.data[at]?.filters) ?? query.filters
  const names = yield* nameClients(org, yield* nameClients(org, yield* loadNames(org, ""), query.filters), filters)
  const totals = yield* deals.totals(org, filters)
  const listed = seesDeals
    ? dealsIn(
        yield* deals.list(org, { filters, columns: COLUMNS, pageSize: MAX_DEALS, sort: "amount", sortOrder: "desc" }),
      )
    : undefined
  return { report, names, filters, totals, row: at, listed: listed as ReadonlyArray<ListedDeal> | undefined }
})

type Computed = Effect.Success<ReturnType<typeof computeFigure>>

interface Drawing {
  readonly nowMs: number
  /** The path at which a caller without a key signs in; empty if the application that embeds the service has its own sign-in. */
  readonly signIn: string
}

/** The header of the deals behind a row. */
const BEHIND = [textHead("deal"), numberHead("amount"), ...["stage", "close date", "owner"].map(textHead)]

/** Draws the page of a figure: what the answer said and what is so today, the report, and what is behind the row. */
export const drawFigure = (
  { figure, answered, currency, answeredAt, timezone }: StoredFigure,
  computed: Computed,
  { nowMs, signIn }: Drawing,
) => {
  const { query } = figure
  const { report, names, row, listed } = computed
  // A table of clients is a list of deals in other words.
  const isShown = (index: number) => listed !== undefined || index === row || !query.groupBy.includes("client")
  const title = writeTitle(figure)
  const today = rowAt(row, report)
  // Rows that were stored before dates had labels have today's.
  const labels = answered?.labels ?? (today as AnsweredRow | undefined)?.labels
  const said = answered === undefined ? undefined : writeRow(query, { ...answered, labels }, currency)
  const day = answeredAt === undefined ? "" : ` on ${dayAt(Date.parse(answeredAt), timezone)}`
  const body = markup`<a class="skip" href="#text">Skip to the report</a>
<header><h1>${title}</h1><p class="facts"><span>${describeFilters(query.filters, names)}</span><span>as of ${minuteAt(nowMs, timezone)}</span></p></header>
<main id="text" tabindex="-1"><article class="report" aria-label="The report">
${drawCited(said, today === undefined ? undefined : writeRow(query, today, names.currency), day)}
${drawReport(query, report.data, names.currency, { row, isShown })}
${drawBehind(computed, signIn)}
</article></main>`
  return { title, body }
}

/** Both rows if they differ: the workspace has changed since the answer. */
const drawCited = (said: string | undefined, today: string | undefined, day: string): Html => {
  if (said === undefined || said === today)
    return markup`<p class="note">${today === undefined ? "The cited row is no longer in the report." : markup`<mark>${today}</mark>`}</p>`
  return markup`<p class="note">The answer said${day}: <mark>${said}</mark></p>
<p class="note">${today === undefined ? "The report no longer has this row." : markup`Today: ${today}`}</p>`
}

const drawBehind = ({ totals: { count, amount }, listed, names, filters }: Computed, signIn: string): Html => {
  const { currency } = names
  if (listed === undefined)
    return markup`<h2>The deals behind it</h2><p>${writeCount(count, "deal")}, ${amount === null ? "of an amount that no number holds" : `${formatMoney(amount, currency)} in all`}: ${describeFilters(filters, names)}.</p>
<p class="note">${signIn === "" ? "The application that this link comes from shows the deals to people of the workspace: sign in there, and open the link again." : markup`People of the workspace see the deals. <a href="${signIn}">Sign in</a>`}</p>`
  const rows = listed.map(
    (deal) =>
      markup`<tr><td>${deal.name}</td>${numberCell(deal.amount === null ? "–" : formatMoney(deal.amount, currency))}<td>${deal.deal_status ?? "–"}</td><td>${deal.close_date ?? "–"}</td><td>${deal.owner_name ?? "–"}</td></tr>`,
  )
  return markup`<h2>The deals behind it</h2><p>${writeCount(count, "deal")}: ${describeFilters(filters, names)}${count > listed.length && `. The ${listed.length} with the highest amounts`}.</p>
<div class="wide"><table><thead><tr>${BEHIND}</tr></thead><tbody>${rows}</tbody></table></div>`
}

/** "2026-04-02 14:05 UTC", in the workspace's time zone. */
const minuteAt = (ms: number, zone: string): string => {
  const time = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" }).format(ms)
  return `${dayAt(ms, zone)} ${time} ${zone}`
}
