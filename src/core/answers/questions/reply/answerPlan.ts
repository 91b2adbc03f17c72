import * as Effect from "effect/Effect"
import { Deals } from "../../../deals/Deals.ts"
import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import { measureOf } from "../../../reports/measures.ts"
import { type AnswerEvent, text } from "../../Answerer.ts"
import type { Citation } from "../../citation.ts"
import { citeFigure } from "../../figures/citeFigure.ts"
import { isAboutSlips } from "../parse/makeFilters.ts"
import { citationEvents, reportEvents, toolEvents } from "./events.ts"
import { findFirstPeriod } from "./firstPeriod.ts"
import { listByGroup } from "./listByGroup.ts"
import { citeDeals, countListed, selectDeals } from "./listedDeals.ts"
import type { WorkspaceNames } from "../words/names.ts"
import { writeCount, formatAmount, formatCount, formatRate } from "../words/numbers.ts"
import type { Plan } from "../plan/plan.ts"
import type { Report, ReportRow } from "./reply.ts"
import type { ReportQuery } from "../plan/reportQuery.ts"
import { isRunning } from "../plan/runningPeriod.ts"
import { runReport } from "./runReport.ts"
import { pivot, visibleRows, writeMore } from "./table.ts"
import type { Slots } from "../parse/slots.ts"
import { describeFiscalYear, writeFilters } from "./wording.ts"
import { writeDealLine, writeListHead } from "./writeDeals.ts"
import { describePeriod, writePeriods } from "./writePeriods.ts"
import { writeReasons } from "./writeReasons.ts"
import { knownRows, writeReport } from "./writeReport.ts"

/** Rows of a report that an answer cites. */
const MAX_CITED = 10

/** Open deals of a period are those that are to close in it: their number grows by no day that goes by. */
const isOfOpen = ({ query, measure }: Pick<ReportPlan, "query" | "measure">) =>
  measureOf(measure)?.scope?.name === "open" || query.filters.outcome?.every((outcome) => outcome === "open") === true

type ListPlan = Extract<Plan, { kind: "list" }>
type ReportPlan = Extract<Plan, { kind: "report" }>

/** Rows of the page behind an answer. */
const MAX_PAGE_ROWS = 1000

/** The query of the page, which has the rows that the answer leaves out. */
const widen = (query: ReportPlan["query"]): ReportPlan["query"] =>
  query.groupBy.length === 0 ? query : { ...query, limit: MAX_PAGE_ROWS }

/**
 * The plan that answers "in which stage do we lose deals?": if all lost deals are in one stage, the question means the stages that they
 * left for it.
 */
const byStageLeft = (plan: Plan, { stages }: WorkspaceNames): Plan => {
  if (plan.kind !== "report" || plan.source !== "deals" || !plan.query.groupBy.includes("status")) return plan
  const { status_filter_type: _, ...filters } = plan.query.filters
  const [stage, ...others] = stages.filter(({ category }) => category === "lost")
  const isOfLost =
    filters.outcome?.join(" ") === "lost" && filters.status === undefined && filters.entered_stages === undefined
  if (stage === undefined || others.length > 0 || !isOfLost || plan.measure.startsWith("stage_")) return plan
  const groupBy = plan.query.groupBy.map((each) => (each === "status" ? "left_stage" : each))
  return { ...plan, query: { ...plan.query, groupBy, filters: { ...filters, entered_stages: [stage.name] } } }
}

/** Runs one plan and writes its answer. About deals that slipped, it says since when that is known. */
export const answerPlan = Effect.fn("DealQuestions.answerPlan")(function* (
  org: string,
  planned: Plan,
  slots: Slots,
  names: WorkspaceNames,
  index: number,
) {
  const plan = byStageLeft(planned, names)
  if (!isAboutSlips(slots)) return yield* writePlan(org, plan, slots, names, index)
  const filters = plan.kind === "list" ? plan.filters : plan.kind === "report" ? plan.query.filters : {}
  const query = { measures: ["slipped"], groupBy: [], filters, limit: 1 }
  const { reasons, since } = yield* runReport(org, "deals", query)
  const reason = reasons?.["slipped"]
  if (reason !== undefined)
    return [text(`Which deals slipped then is unknown: ${reason}.\n\nFilter: ${writeFilters(filters, names)}.\n`)]
  return [
    ...(yield* writePlan(org, plan, slots, names, index)),
    text(`\nClose dates are tracked since ${since}: what slipped before is unknown.\n`),
  ]
})

const writePlan = Effect.fn("DealQuestions.writePlan")(function* (
  org: string,
  plan: Plan,
  slots: Slots,
  names: WorkspaceNames,
  index: number,
) {
  const call = `report_${index + 1}`
  const filterLine = (filters: CanonicalFilters, citation?: Citation) =>
    `\n\nFilter: ${writeFilters(filters, names)}.${citation === undefined ? "" : ` [show as table](${citation.url})`}\n`
  switch (plan.kind) {
    case "list":
      return yield* answerList(org, plan, slots, names)
    case "report": {
      const report = yield* runReport(org, plan.source, plan.query)
      const events = reportEvents(call, plan.source, plan.query, report.data.length)
      const figure = { subject: plan.source, query: widen(plan.query) }
      const whole = yield* citeFigure(org, figure, report, names.currency)
      const shown = citedRows(plan, report)
      const begun = yield* findFirstPeriod(org, plan, report, names)
      const rows = yield* Effect.forEach(shown, (row) =>
        citeFigure(org, { ...figure, row: report.data.findIndex((each) => each === row) }, report, names.currency),
      )
      const links = new Map(
        rows.flatMap((citation, n) =>
          citation === undefined ? [] : [[shown[n]!, `[${n + 1}](${citation.url})`] as const],
        ),
      )
      const wording = {
        currency: names.currency,
        order: slots.rank?.order,
        now: slots.today.now,
        links,
        rest: whole?.url,
        incomplete: begun?.row,
      }
      const written = isOfReasons(plan)
        ? writeReasons(plan, report, yield* countMatching(org, plan), wording)
        : writeReport(plan, report, wording)
      return [
        ...events,
        ...citationEvents([...rows, whole]),
        text(
          written + (begun?.note ?? "") + describeFiscalYear(plan.query, names) + filterLine(plan.query.filters, whole),
        ),
        ...(yield* listByGroup(org, plan, slots, report, names)),
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
        ...[plan.part, plan.whole].flatMap((filters, n) =>
          reportEvents(`${call}_${n + 1}`, "deals", query(filters), 1),
        ),
        ...citationEvents([part.citation, whole.citation]),
        text(
          `${writeShare(plan.measure, part.report, whole.report, names.currency)}\n\nFilter: ${writeFilters(plan.part, names)}${part.link}; of ${writeFilters(plan.whole, names)}${whole.link}.\n`,
        ),
      ]
    }
    case "periods": {
      const sides = plan.periods
        .toSorted((a, b) => ((a.from ?? "") < (b.from ?? "") ? -1 : 1))
        .map((period) => ({
          label: describePeriod(period),
          isPartial: isRunning(period, slots) && !isOfOpen(plan),
          preposition: "in ",
          query: { ...plan.query, filters: { ...plan.query.filters, [plan.field]: period } },
        }))
      return yield* answerSides(org, plan, sides, names, call)
    }
    case "sides": {
      const sides = plan.sides.map(({ said, query }) => ({ label: said, query }))
      const [{ query } = { query: undefined }] = sides
      // The line of filters has those that both share.
      const shared = Object.entries(query?.filters ?? {}).filter(([key, value]) =>
        sides.every(
          (side) =>
            JSON.stringify(Object.entries(side.query.filters).find(([each]) => each === key)?.[1]) ===
            JSON.stringify(value),
        ),
      )
      return query === undefined
        ? []
        : yield* answerSides(
            org,
            { query: { ...query, filters: Object.fromEntries(shared) }, measure: plan.measure },
            sides,
            names,
            call,
          )
    }
  }
})

interface Side {
  readonly label: string
  readonly preposition?: string
  readonly isPartial?: boolean
  readonly query: ReportQuery
}

/** Runs the queries of two periods or conditions, and writes their numbers beside each other. `query` has what they share. */
const answerSides = Effect.fnUntraced(function* (
  org: string,
  plan: Pick<ReportPlan, "query" | "measure">,
  asked: ReadonlyArray<Side>,
  names: WorkspaceNames,
  call: string,
) {
  const sides = yield* Effect.forEach(
    asked,
    Effect.fnUntraced(function* (side) {
      const report = yield* runReport(org, "deals", side.query)
      const citation = yield* citeFigure(org, { subject: "deals", query: side.query }, report, names.currency)
      return { ...side, report, citation }
    }),
  )
  return [
    ...sides.flatMap(({ query, report }, n) => reportEvents(`${call}_${n + 1}`, "deals", query, report.data.length)),
    ...citationEvents(sides.map(({ citation }) => citation)),
    text(`${writePeriods(plan, sides, names.currency)}\n\nFilter: ${writeFilters(plan.query.filters, names)}.\n`),
  ]
})

/** The rows that the table shows, in its order. A line of a table of two dimensions is no row. */
const citedRows = ({ query, measure, isRanked }: ReportPlan, report: Report): ReadonlyArray<ReportRow> => {
  const { groupBy } = query
  if (groupBy.length === 0) return []
  if (groupBy.at(-1) === "driver") return report.data.slice(0, MAX_CITED)
  const rows = knownRows(groupBy, measure, report.data)
  return pivot({ data: rows }, groupBy) === undefined ? visibleRows(rows, groupBy, isRanked) : []
}

const isOfReasons = ({ query }: ReportPlan) => query.groupBy.at(-1) === "driver"

/** The deals among which reasons are counted, with or without a reason. */
const countMatching = Effect.fnUntraced(function* (org: string, { query }: ReportPlan) {
  const { driver_effect: _, driver_ids_filter_type: __, driver_ids: ___, ...filters } = query.filters
  const all = yield* runReport(org, "deals", { measures: ["deals"], groupBy: [], filters, limit: 1 })
  return all.totals.values["deals"] ?? 0
})

const writeShare = (measure: "deals" | "amount", part: Report, whole: Report, currency: string | undefined): string => {
  const [some, all] = [part.totals.values[measure] ?? 0, whole.totals.values[measure] ?? 0]
  if (all === 0) return "There is no share: **no deal** matches the whole."
  const deals = `${formatCount(part.totals.values["deals"] ?? 0)} of ${writeCount(whole.totals.values["deals"] ?? 0, "deal")}`
  return measure === "deals"
    ? `**${formatRate(some / all)}**: ${deals}.`
    : `**${formatRate(some / all)}**: ${formatAmount(some, currency)} of ${formatAmount(all, currency)}, in ${deals}.`
}

const answerList = Effect.fnUntraced(function* (org: string, plan: ListPlan, slots: Slots, names: WorkspaceNames) {
  const deals = yield* Deals
  const totals = yield* deals.totals(org, plan.filters)
  const head = [
    ...toolEvents("count", "count_deals", { filters: plan.filters }, totals.count),
    text(`${writeListHead(plan, slots, totals, names.currency)}\n\nFilter: ${writeFilters(plan.filters, names)}.\n\n`),
  ]
  if (totals.count === 0) return head
  const listed = yield* citeDeals(org, yield* selectDeals(org, plan), slots.asksWhy)
  const more = Math.min(totals.count, plan.limit ?? totals.count) - listed.length
  const rest = more > 0 ? yield* citeRest(org, plan, names) : undefined
  return [
    ...head,
    ...toolEvents("list", "search_deals", { filters: plan.filters, limit: countListed(plan.limit) }, listed.length),
    ...listed.flatMap((deal): ReadonlyArray<AnswerEvent> => [
      { type: "citation", citation: deal.citation },
      text(writeDealLine(deal, names, plan.sort === "created_at" ? slots.today.now.getTime() : undefined)),
    ]),
    ...citationEvents([rest]),
    ...(more > 0 ? [text(`${writeMore(more, rest?.url).slice(1)}\n`)] : []),
  ]
})

/** The page of the deals that a list leaves out. */
const citeRest = Effect.fnUntraced(function* (org: string, { filters }: ListPlan, { currency }: WorkspaceNames) {
  const query = { measures: ["deals", "amount"], groupBy: [], filters, limit: 1 }
  return yield* citeFigure(org, { subject: "deals", query }, yield* runReport(org, "deals", query), currency)
})
