import type { CanonicalFilters } from "../../deals/filters/filters.ts"
import type { Days } from "../../deals/filters/periods.ts"
import { earlierPeriod } from "../../reports/earlierPeriod.ts"
import type { Period } from "../questions/words/periods.ts"
import type { Plan } from "../questions/plan/plan.ts"
import type { ReportQuery } from "../questions/plan/reportQuery.ts"

const OUTCOMES: Readonly<Record<string, ReadonlyArray<string>>> = {
  open: ["open"],
  won: ["won"],
  lost: ["lost"],
  decided: ["lost", "won"],
}

/** The part of plans that decides their answer, but for what they show beside it. Plans with equal keys give the same answer. */
export const planKey = (plans: ReadonlyArray<Plan>): string =>
  JSON.stringify(plans.map((plan) => sortKeys(listParts(plan))))

const listParts = (plan: Plan): Readonly<Record<string, unknown>> => {
  switch (plan.kind) {
    case "list":
      // How many of them are shown changes no answer.
      return { ...plan, filters: sortOutcomes(plan.filters), limit: undefined }
    case "share":
      return { ...plan, whole: sortOutcomes(plan.whole), part: sortOutcomes(plan.part) }
    case "sides":
      return plan
    default: {
      const { query, measure } = plan
      // "Won" counts deals with that outcome.
      const outcome = "outcome" in query.filters ? undefined : OUTCOMES[measure]
      const { field, periods, filters: all } = periodsOf(plan)
      const isInOrder = isOfFeedback(measure, query)
      const isRanked = plan.kind === "report" && plan.isRanked && !isInOrder
      const filters = isInOrder ? { ...all, feature_ids_filter_type: undefined } : all
      return {
        // An answer shows the average and the median beside each other.
        measure: outcome === undefined ? measure.replace(/^(cycle_days)_\w+$/, "$1") : "deals",
        groups: query.groupBy.toSorted(),
        filters: { ...sortOutcomes(filters), ...(outcome !== undefined && { outcome }) },
        order: isRanked ? query.orderBy : undefined,
        field,
        periods: periods?.toSorted((a, b) => ((a.from ?? "") < (b.from ?? "") ? -1 : 1)),
      }
    }
  }
}

/** The features that people like or dislike most stand first, with or without "most", and those that nobody judged come last. */
const isOfFeedback = (measure: string, { groupBy, orderBy }: ReportQuery): boolean =>
  (measure === "positive" || measure === "negative") &&
  groupBy.length === 1 &&
  groupBy[0] === "feature" &&
  orderBy === `-${measure}`

interface Compared {
  readonly field?: string
  readonly periods?: ReadonlyArray<Period>
  readonly filters: CanonicalFilters
}

/** "March against last March" and "March against a year before" compare the same periods. */
const periodsOf = (plan: Exclude<Plan, { kind: "list" | "share" | "sides" }>): Compared => {
  const { filters, compare } = plan.query
  if (plan.kind === "periods") return { field: plan.field, periods: plan.periods, filters }
  if (compare === undefined) return { filters }
  const [dated, ...more] = Object.entries(filters).flatMap(([field, period]) =>
    isPeriod(period) ? [{ field, period }] : [],
  )
  if (dated === undefined || more.length > 0) return { field: compare, filters }
  const { field, period } = dated
  return { field, periods: [earlierPeriod(period, compare), period], filters: { ...filters, [field]: undefined } }
}

const isPeriod = (value: unknown): value is Days =>
  typeof value === "object" &&
  value !== null &&
  "from" in value &&
  "to" in value &&
  [value.from, value.to].every((day) => typeof day === "string" && day.length === 10)

const sortOutcomes = (filters: CanonicalFilters) => {
  const { outcome, ...rest } = filters
  // An overdue deal is open.
  return outcome === undefined || filters.overdue === true ? rest : { ...rest, outcome: outcome.toSorted() }
}

const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sortKeys(each)]))
}
