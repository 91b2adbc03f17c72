import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { dayAt } from "../../../common/zone.ts"
import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import { Database } from "../../../storage/Database.ts"
import { type AnswerEvent, text } from "../../Answerer.ts"
import { asText } from "../../citations/markdown.ts"
import { citeFigure } from "../../figures/citeFigure.ts"
import { citeDeals, selectDeals } from "./listedDeals.ts"
import type { WorkspaceNames } from "../words/names.ts"
import { writeCount, formatAmount, formatCount, formatRate } from "../words/numbers.ts"
import type { ReportQuery } from "../plan/reportQuery.ts"
import { nameOf, type Report, type ReportRow } from "./reply.ts"
import { runReport } from "./runReport.ts"
import { writeTable } from "./table.ts"
import { describeFiscalYear } from "./wording.ts"
import { writeDealLine } from "./writeDeals.ts"

/** Names that a line of a brief lists. */
const MAX_NAMED = 5
/** Facts of an account, and UTF-16 units of each. */
const MAX_FACTS = 6
const MAX_FACT_LENGTH = 80
const YEAR_MS = 365 * 86_400_000

/** Runs a report, and cites it as a whole. */
const report = Effect.fnUntraced(function* (
  org: string,
  query: ReportQuery,
  { currency }: WorkspaceNames,
  subject: "deals" | "associations" = "deals",
  /** The row that the brief names first; undefined for the totals. */
  rowOf: (found: Report) => number | undefined = () => undefined,
) {
  const found = yield* runReport(org, subject, query)
  const citation = yield* citeFigure(org, { subject, query, row: rowOf(found) }, found, currency)
  const cited: ReadonlyArray<AnswerEvent> = citation === undefined ? [] : [{ type: "citation", citation }]
  return { found, cited, link: citation === undefined ? "" : ` [show as table](${citation.url})` }
})

/** "Record against **Orvanta**: **128 won** and **153 lost** …". */
export const writeRecord = Effect.fnUntraced(function* (
  org: string,
  of: string,
  filters: CanonicalFilters,
  names: WorkspaceNames,
) {
  const measures = ["won", "lost", "decided", "win_rate", "open", "amount_open", "amount_won", "amount_lost"]
  const { found, cited, link } = yield* report(org, { measures, groupBy: [], filters, limit: 1 }, names)
  const { values } = found.totals
  const count = (measure: string) => values[measure] ?? 0
  const amount = (measure: string) => formatAmount(count(measure), names.currency)
  const worth = count("amount_open") === 0 ? "" : `, worth ${amount("amount_open")}`
  const rate = values["win_rate"] == null ? "" : `, a win rate of ${formatRate(values["win_rate"])}`
  const sums = [
    ...(count("amount_won") === 0 ? [] : [`${amount("amount_won")} won in total`]),
    ...(count("amount_lost") === 0 ? [] : [`${amount("amount_lost")} lost`]),
  ]
  return [
    ...cited,
    text(
      `Record ${of}: **${formatCount(count("won"))} won** and **${formatCount(count("lost"))} lost** of ${writeCount(count("decided"), "decided deal")}${rate}; ${writeCount(count("open"), "open deal")}${worth}${sums.length === 0 ? "" : `; ${sums.join(", ")}`}.${link}\n\n`,
    ),
  ]
})

/** Describes the account: its industry, and the properties that its CRM holds as texts. */
export const writeAccount = Effect.fnUntraced(function* (org: string, client: string) {
  const { scoped, sql } = yield* Database
  const [row] = yield* scoped<{ readonly industry: string | null; readonly properties: Record<string, unknown> }>(
    org,
    sql`select industry, crm_properties as properties from clients where org_id = scope.org and id = ${client}`,
  )
  const facts = [
    ...(row?.industry == null ? [] : [row.industry]),
    ...Object.entries(row?.properties ?? {}).flatMap(([name, value]) =>
      typeof value === "string" && value.length <= MAX_FACT_LENGTH ? [`${name.replaceAll("_", " ")} ${value}`] : [],
    ),
  ]
  return facts.length === 0 ? [] : [text(`Account: ${facts.slice(0, MAX_FACTS).map(asText).join(", ")}.\n\n`)]
})

/** The record of the last year by quarter. */
export const writeQuarters = Effect.fnUntraced(function* (
  org: string,
  filters: CanonicalFilters,
  names: WorkspaceNames,
) {
  const from = dayAt((yield* Clock.currentTimeMillis) - YEAR_MS, names.timezone)
  const measures = ["win_rate", "won", "lost", "decided"]
  const groupBy = ["close_date.quarter"]
  const decided = { ...filters, outcome: ["won", "lost"], close_date: { from } } as const
  const query = { measures, groupBy, filters: decided, limit: 8 }
  const { found, cited, link } = yield* report(org, query, names)
  if (found.data.length === 0) return []
  const table = writeTable(found, { measures, groups: groupBy, currency: names.currency, outcome: undefined })
  return [...cited, text(`By quarter, closed since ${from}:${link}\n\n${table}${describeFiscalYear(query, names)}\n\n`)]
})

/** How often a feature came up, and with which sentiment. */
export const writeSentiments = Effect.fnUntraced(function* (
  org: string,
  filters: CanonicalFilters,
  names: WorkspaceNames,
) {
  const query = { measures: ["mentions", "positive", "negative", "deals"], groupBy: [], filters, limit: 1 }
  const { found, cited, link } = yield* report(org, query, names, "associations")
  const count = (measure: string) => formatCount(found.totals.values[measure] ?? 0)
  return [
    ...cited,
    text(
      `Mentions: **${count("mentions")}**, of them ${count("positive")} positive and ${count("negative")} negative.${link}\n\n`,
    ),
  ]
})

interface Named {
  readonly heading: string
  readonly dimension: string
  readonly filters: CanonicalFilters
  /** The number beside each name. */
  readonly measure: "deals" | "mentions"
  /** Whether the count says something: of one deal it does not. */
  readonly isCounted: boolean
}

/** "Lost most often on: Ease of use (34), Reporting (32).": the most frequent values of a dimension. */
export const writeNames = Effect.fnUntraced(function* (
  org: string,
  { heading, dimension, filters, measure, isCounted }: Named,
  names: WorkspaceNames,
) {
  const query = {
    measures: [measure],
    groupBy: [dimension],
    filters,
    orderBy: `-${measure}`,
    limit: MAX_NAMED + 1,
  }
  const subject = measure === "mentions" ? "associations" : "deals"
  const isNamed = (row: ReportRow) => !nameOf(row, dimension).startsWith("(no ")
  const { found, cited, link } = yield* report(org, query, names, subject, ({ data }) => data.findIndex(isNamed))
  const rows = found.data.filter(isNamed).slice(0, MAX_NAMED)
  if (rows.length === 0) return []
  const count = (row: ReportRow) => (isCounted ? ` (${formatCount(row.values[measure] ?? 0)})` : "")
  const said = rows.map((row) => `${asText(nameOf(row, dimension))}${count(row)}`)
  return [...cited, text(`${heading}: ${said.join(", ")}.${link}\n\n`)]
})

/** A short list of deals under a heading; nothing if no deal matches. */
export const listSome = Effect.fnUntraced(function* (
  org: string,
  heading: string,
  plan: Parameters<typeof selectDeals>[1],
  names: WorkspaceNames,
) {
  const deals = yield* citeDeals(org, yield* selectDeals(org, plan), false)
  if (deals.length === 0) return []
  return [
    text(heading),
    ...deals.flatMap((deal): ReadonlyArray<AnswerEvent> => [
      { type: "citation", citation: deal.citation },
      text(writeDealLine(deal, names, undefined)),
    ]),
    text("\n"),
  ]
})
