import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { CanonicalFilters } from "../../deals/filters.ts"
import type { AnswerEvent } from "../Answerer.ts"
import { asText } from "../citations/markdown.ts"
import { citeFigure } from "../figures/citeFigure.ts"
import { citeDeals, selectDeals } from "./listedDeals.ts"
import { loadNames, type WorkspaceNames } from "./names.ts"
import { countOf, formatAmount, formatCount, formatRate } from "./numbers.ts"
import type { ReportQuery } from "./plan.ts"
import { nameOf } from "./reply.ts"
import { runReport } from "./runReport.ts"
import { writeTable } from "./table.ts"
import { describeFiscalYear } from "./wording.ts"
import { writeDealLine } from "./writeDeals.ts"

/** The competitor, client or deal that a brief is about. */
export interface BriefSubject {
  readonly kind: "competitor" | "client" | "deal"
  readonly id: string
  readonly name: string
}

const MAX_OPEN = 5
const MAX_DECIDED = 3
const MAX_REASONS = 3
const YEAR_MS = 365 * 86_400_000

const text = (content: string): AnswerEvent => ({ type: "content_delta", content })

const filtersOn = ({ kind, id, name }: BriefSubject): CanonicalFilters =>
  kind === "competitor" ? { competitors: [name] } : kind === "client" ? { client_ids: [id] } : { deal_ids: [id] }

/** Writes the numbers of a brief: the record, its last quarters, the reasons of losses, and the deals of a client. */
export const briefOn = Effect.fn("DealQuestions.brief")(function* (org: string, subject: BriefSubject) {
  const names = yield* loadNames(org, subject.name)
  const filters = filtersOn(subject)
  if (subject.kind === "deal")
    return yield* listSome(org, "", { filters, sort: "amount", ascending: false, limit: 1 }, names)
  const record = yield* writeRecord(org, subject, filters, names)
  const decided = { ...filters, outcome: ["won", "lost"] } as const
  const parts =
    subject.kind === "competitor"
      ? [yield* writeQuarters(org, decided, names)]
      : [
          yield* listSome(
            org,
            "Open pipeline:\n\n",
            { filters: { ...filters, outcome: ["open"] }, sort: "amount", ascending: false, limit: MAX_OPEN },
            names,
          ),
          yield* listSome(
            org,
            "Last decided:\n\n",
            { filters: decided, sort: "close_date", ascending: false, limit: MAX_DECIDED },
            names,
          ),
        ]
  return [...record, ...parts.flat(), ...(yield* writeLossReasons(org, filters, names))]
})

/** Runs a report, and cites it as a whole. */
const report = Effect.fnUntraced(function* (org: string, query: ReportQuery, { currency }: WorkspaceNames) {
  const found = yield* runReport(org, "deals", query)
  const citation = yield* citeFigure(org, { subject: "deals", query }, found, currency)
  const cited: ReadonlyArray<AnswerEvent> = citation === undefined ? [] : [{ type: "citation", citation }]
  return { found, cited, link: citation === undefined ? "" : ` [show as table](${citation.url})` }
})

const writeRecord = Effect.fnUntraced(function* (
  org: string,
  { kind, name }: BriefSubject,
  filters: CanonicalFilters,
  names: WorkspaceNames,
) {
  const measures = ["won", "lost", "decided", "win_rate", "open", "amount_open", "amount_won"]
  const { found, cited, link } = yield* report(org, { measures, groupBy: [], filters, limit: 1 }, names)
  const { values } = found.totals
  const count = (measure: string) => values[measure] ?? 0
  const amount = (measure: string) => formatAmount(count(measure), names.currency)
  const worth = (measure: string) => (count(measure) === 0 ? "" : `, worth ${amount(measure)}`)
  const rate = values["win_rate"] == null ? "" : `, a win rate of ${formatRate(values["win_rate"])}`
  const preposition = kind === "competitor" ? "against" : "with"
  return [
    ...cited,
    text(
      `Record ${preposition} **${asText(name)}**: **${formatCount(count("won"))} won** and **${formatCount(count("lost"))} lost** of ${countOf(count("decided"), "decided deal")}${rate}; ${countOf(count("open"), "open deal")}${worth("amount_open")}${count("amount_won") === 0 ? "" : `; ${amount("amount_won")} won in total`}.${link}\n\n`,
    ),
  ]
})

const writeQuarters = Effect.fnUntraced(function* (org: string, decided: CanonicalFilters, names: WorkspaceNames) {
  const from = new Date((yield* Clock.currentTimeMillis) - YEAR_MS).toISOString().slice(0, 10)
  const measures = ["win_rate", "won", "lost", "decided"]
  const groupBy = ["close_date.quarter"]
  const query = { measures, groupBy, filters: { ...decided, close_date: { from } }, limit: 8 }
  const { found, cited, link } = yield* report(org, query, names)
  if (found.data.length === 0) return []
  const table = writeTable(found, { measures, groups: groupBy, currency: names.currency, outcome: undefined })
  return [...cited, text(`By quarter, closed since ${from}:${link}\n\n${table}${describeFiscalYear(query, names)}\n\n`)]
})

const writeLossReasons = Effect.fnUntraced(function* (org: string, filters: CanonicalFilters, names: WorkspaceNames) {
  const query = {
    measures: ["deals"],
    groupBy: ["driver"],
    filters: { ...filters, outcome: ["lost"], driver_effect: ["negative"] } as const,
    orderBy: "-deals",
    limit: MAX_REASONS,
  }
  const { found, cited, link } = yield* report(org, query, names)
  if (found.data.length === 0) return []
  const said = found.data.map((row) => `${asText(nameOf(row, "driver"))} (${formatCount(row.values["deals"] ?? 0)})`)
  return [...cited, text(`Lost most often on: ${said.join(", ")}.${link}\n\n`)]
})

const listSome = Effect.fnUntraced(function* (
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
