import * as Effect from "effect/Effect"
import { Deals, dealsIn } from "../../deals/Deals.ts"
import type { CanonicalFilters } from "../../deals/filters.ts"
import { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import { DealRecords } from "../../search/DealRecords.ts"
import type { AnswerEvent } from "../Answerer.ts"
import type { Citation } from "../citation.ts"
import { citeFigure } from "../figures/citeFigure.ts"
import type { ToolName } from "../tools/names.ts"
import { excerptOf } from "./excerpt.ts"
import type { WorkspaceNames } from "./names.ts"
import { countOf, formatAmount, formatCount, formatRate } from "./numbers.ts"
import type { Plan } from "./plan.ts"
import type { Report } from "./reply.ts"
import { runReport } from "./runReport.ts"
import type { Slots } from "./slots.ts"
import { describeFilters } from "./wording.ts"
import { type ListedDeal, writeDealLine, writeListHead } from "./writeDeals.ts"
import { writePeriods } from "./writePeriods.ts"
import { writeReasons, writeReport } from "./writeReport.ts"

/** Deals in the list of an answer, and rows of a report that it cites. */
const MAX_LISTED = 10
const MAX_CITED = 10
const COLUMNS = ["name", "amount", "deal_status", "close_date", "owner_name", "created_at"] as const

const text = (content: string): AnswerEvent => ({ type: "content_delta", content })

const toolEvents = (id: string, name: ToolName, args: unknown, found: number): ReadonlyArray<AnswerEvent> => [
  { type: "tool_call", id, name, arguments: args },
  { type: "tool_result", id, name, found },
]

type ListPlan = Extract<Plan, { kind: "list" }>
type ReportPlan = Extract<Plan, { kind: "report" }>

/** Runs one plan and writes its answer. */
export const answerPlan = Effect.fn("DealQuestions.answerPlan")(function* (
  org: string,
  plan: Plan,
  slots: Slots,
  names: WorkspaceNames,
  index: number,
) {
  const call = `report_${index + 1}`
  const filterLine = (filters: CanonicalFilters, citation?: Citation) =>
    `\n\nFilter: ${describeFilters(filters, names)}.${citation === undefined ? "" : ` [show as table](${citation.url})`}\n`
  switch (plan.kind) {
    case "list":
      return yield* answerList(org, plan, slots, names)
    case "report": {
      const report = yield* runReport(org, plan.source, plan.query)
      const events = toolEvents(call, "count_deals", plan.query, report.data.length)
      const figure = { subject: plan.source, query: plan.query }
      const whole = yield* citeFigure(org, figure, report, names.currency)
      const shown = plan.query.groupBy.length === 0 ? [] : report.data.map((_, row) => row).slice(0, MAX_CITED)
      const rows = yield* Effect.forEach(shown, (row) => citeFigure(org, { ...figure, row }, report, names.currency))
      const links = rows.map((citation, n) => (citation === undefined ? "" : `[${n + 1}](${citation.url})`))
      const wording = { currency: names.currency, order: slots.rank?.order, now: slots.today.now, links }
      const written = isOfReasons(plan)
        ? writeReasons(plan, report, yield* countMatching(org, plan), links)
        : writeReport(plan, report, wording)
      const fiscal =
        names.fiscalStart > 1 && plan.query.groupBy.some((each) => /\.(?:quarter|year)$/.test(each))
          ? `\n\nQuarters and years are fiscal: a year starts in ${MONTHS[names.fiscalStart - 1]}, and is named after the one in which it ends.`
          : ""
      return [
        ...events,
        ...citationEvents([...rows, whole]),
        text(written + fiscal + filterLine(plan.query.filters, whole)),
      ]
    }
    case "share": {
      const query = (filters: CanonicalFilters) => ({ measures: ["deals", "amount"], groupBy: [], filters, limit: 1 })
      const cite = (filters: CanonicalFilters) =>
        Effect.gen(function* () {
          const report = yield* runReport(org, "deals", query(filters))
          const citation = yield* citeFigure(org, { subject: "deals", query: query(filters) }, report, names.currency)
          return { report, citation, link: citation === undefined ? "" : ` [show as table](${citation.url})` }
        })
      const [part, whole] = [yield* cite(plan.part), yield* cite(plan.whole)]
      return [
        ...toolEvents(call, "count_deals", { part: plan.part, whole: plan.whole }, 2),
        ...citationEvents([part.citation, whole.citation]),
        text(
          `${writeShare(plan.measure, part.report, whole.report, names.currency)}\n\nFilter: ${describeFilters(plan.part, names)}${part.link}; of ${describeFilters(plan.whole, names)}${whole.link}.\n`,
        ),
      ]
    }
    case "periods": {
      const sides = yield* Effect.forEach(
        plan.periods.toSorted((a, b) => ((a.from ?? "") < (b.from ?? "") ? -1 : 1)),
        Effect.fnUntraced(function* (period) {
          const query = { ...plan.query, filters: { ...plan.query.filters, [plan.field]: period } }
          const report = yield* runReport(org, "deals", query)
          const citation = yield* citeFigure(org, { subject: "deals", query }, report, names.currency)
          return { period, report, citation }
        }),
      )
      return [
        ...toolEvents(call, "count_deals", plan.query, sides.length),
        ...citationEvents(sides.map(({ citation }) => citation)),
        text(writePeriods(plan, sides, names.currency) + filterLine(plan.query.filters)),
      ]
    }
  }
})

const MONTHS = "January February March April May June July August September October November December".split(" ")

const citationEvents = (citations: ReadonlyArray<Citation | undefined>): ReadonlyArray<AnswerEvent> =>
  citations.flatMap((citation) => (citation === undefined ? [] : [{ type: "citation", citation } as const]))

const isOfReasons = ({ query }: ReportPlan) => query.groupBy.at(-1) === "driver"

/** The deals among which reasons are counted, with or without a reason. */
const countMatching = Effect.fnUntraced(function* (org: string, { query }: ReportPlan) {
  const { driver_effect: _, driver_ids_filter_type: __, ...filters } = query.filters
  const all = yield* runReport(org, "deals", { measures: ["deals"], groupBy: [], filters, limit: 1 })
  return all.totals.values["deals"] ?? 0
})

const writeShare = (measure: "deals" | "amount", part: Report, whole: Report, currency: string | undefined): string => {
  const [some, all] = [part.totals.values[measure] ?? 0, whole.totals.values[measure] ?? 0]
  if (all === 0) return "There is no share: **no deal** matches the whole."
  const deals = `${formatCount(part.totals.values["deals"] ?? 0)} of ${countOf(whole.totals.values["deals"] ?? 0, "deal")}`
  return measure === "deals"
    ? `**${formatRate(some / all)}**: ${deals}.`
    : `**${formatRate(some / all)}**: ${formatAmount(some, currency)} of ${formatAmount(all, currency)}, in ${deals}.`
}

const answerList = Effect.fnUntraced(function* (org: string, plan: ListPlan, slots: Slots, names: WorkspaceNames) {
  const deals = yield* Deals
  const totals = yield* deals.totals(org, plan.filters)
  const head = [
    ...toolEvents("count", "count_deals", plan.filters, totals.count),
    text(
      `${writeListHead(plan, slots, totals, names.currency)}\n\nFilter: ${describeFilters(plan.filters, names)}.\n\n`,
    ),
  ]
  if (totals.count === 0) return head
  const listed = yield* listDeals(org, plan, slots.asksWhy)
  const more = plan.limit === undefined ? totals.count - listed.length : 0
  return [
    ...head,
    ...toolEvents("list", "search_deals", { filters: plan.filters, limit: MAX_LISTED }, listed.length),
    ...listed.flatMap((deal): ReadonlyArray<AnswerEvent> => [
      { type: "citation", citation: deal.citation },
      text(writeDealLine(deal, names, plan.sort === "created_at" ? slots.today.now.getTime() : undefined)),
    ]),
    ...(more > 0 ? [text(`\nand ${more.toLocaleString("en-US")} more.\n`)] : []),
  ]
})

const listDeals = Effect.fnUntraced(function* (org: string, plan: ListPlan, wantsReasons: boolean) {
  const [deals, records, links] = [yield* Deals, yield* DealRecords, yield* ViewerLinks]
  const page = yield* deals.list(org, {
    filters: plan.filters,
    sort: plan.sort,
    sortOrder: plan.ascending ? "asc" : "desc",
    columns: COLUMNS,
    pageSize: Math.min(Math.max(plan.limit ?? MAX_LISTED, 1), MAX_LISTED),
  })
  const found = dealsIn(page) as ReadonlyArray<Omit<ListedDeal, "citation">>
  const rows = yield* Effect.forEach(
    found,
    Effect.fnUntraced(function* (deal) {
      const record = yield* records.text(org, deal.id)
      if (record === undefined) return []
      const { start, end } = excerptOf(record, wantsReasons)
      const url = yield* links.dealUrl(org, deal.id, { start, end })
      const named = { document_id: deal.id, document_name: deal.name, deal_id: deal.id, deal_name: deal.name }
      return [{ ...deal, citation: { ...named, url, excerpt: record.text.slice(start, end) } }]
    }),
    { concurrency: MAX_LISTED },
  )
  return rows.flat()
})
