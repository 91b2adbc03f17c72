import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import { chooseDateField, makeFilters } from "../parse/makeFilters.ts"
import { chooseGroups, isRate } from "./chooseGroups.ts"
import { planShare } from "./planShare.ts"
import { MAX_ROWS, type Plan } from "./plans.ts"
import type { Dimension } from "../words/lexicon.ts"
import { isAboutFeatures, isAscending, chooseMeasures } from "./chooseMeasures.ts"
import { MODIFIERS } from "../parse/presence.ts"
import { KINDS } from "../words/names.ts"
import { measureOf } from "../../../reports/measures.ts"
import { unitOf } from "../words/numbers.ts"
import type { ReportQuery } from "./reportQuery.ts"
import { compareRunning } from "./runningPeriod.ts"
import type { Having, Slots } from "../parse/slots.ts"

export { MAX_ROWS, type Plan } from "./plans.ts"

/** A rate over fewer decided deals says little, so a ranking by rate leaves such groups out. */
export const MIN_DECIDED = 5

/** Rows of a report by date, or by several groups. */
const MAX_LONG = 100

/** Groups that a report counts. */
const MAX_GROUPS = 1000

/** Turns what a question says into what answers it. Empty if the question asks for no number and no deals. */
export const makePlans = (given: Slots): ReadonlyArray<Plan> => {
  const slots = compareRunning(given)
  if (slots.sides !== undefined) return planSides(slots, slots.sides)
  if (slots.isShare) return [planShare(slots)]
  const isAboutReasons =
    slots.head === "driver" ||
    slots.groups.includes("driver") ||
    (slots.side !== undefined && !isAboutFeatures(slots) && !slots.names.some(({ kind }) => kind === "reason"))
  if (!isAboutReasons && !slots.asksWhy) return [planNumbers(slots)].flatMap((plan) => plan ?? [])
  const isCounted = slots.counts || slots.bases.length > 0 || (slots.head === "deal" && slots.lists)
  const first = isAboutReasons || !isCounted ? undefined : planNumbers(slots)
  return [...(first === undefined ? [] : [first]), planReasons(slots)]
}

const planNumbers = (slots: Slots): Plan | undefined => {
  const { counts, rank, compare, periods, head, bases, date } = slots
  const groups = chooseGroups(slots)
  const isDated = head === undefined && bases.length === 0 && date !== undefined && periods.length > 0
  const asksDeals = (head === "deal" || isDated) && !counts && groups.length === 0
  if (asksDeals && isList(slots)) return planList(slots)
  const measures = chooseMeasures(slots, groups)
  const [measure] = measures
  if (measure === undefined) return undefined
  const isOfMentions = isAboutAssociations(measure)
  // Those of a feature belong to its own product, whatever the deal is about.
  const dimensions = isOfMentions ? groups.map((each) => (each === "product_label" ? "product" : each)) : groups
  const query = makeReport(slots, dimensions, measures)
  if (compare === "named" && periods.length === 2)
    return { kind: "periods", query, measure, field: chooseDateField(slots, measure), periods }
  return {
    kind: "report",
    source: isOfMentions || groups.includes("association_tag") ? "associations" : "deals",
    query,
    measure,
    isRanked: rank !== undefined && groups.length > 0,
    isCompared: compare === "named",
    countsGroups: counts && slots.head !== "deal" && slots.head !== undefined && measureOf(measure)?.unit !== "clients",
  }
}

/** The number for each of two conditions; none if the question asks for groups, a list or reasons. */
const planSides = (slots: Slots, sides: NonNullable<Slots["sides"]>): ReadonlyArray<Plan> => {
  const counts = slots.counts || (slots.head === "deal" && slots.bases.length === 0)
  const numbers = sides.flatMap(({ said, conditions }) => {
    const plan = planNumbers({ ...slots, counts, lists: false, conditions: { ...slots.conditions, ...conditions } })
    const isNumber = plan?.kind === "report" && plan.source === "deals" && plan.query.groupBy.length === 0
    return isNumber ? [{ said, query: plan.query, measure: plan.measure }] : []
  })
  const [first] = numbers
  if (first === undefined || numbers.length < sides.length || slots.asksWhy || slots.isShare) return []
  return [{ kind: "sides", measure: first.measure, sides: numbers.map(({ said, query }) => ({ said, query })) }]
}

const isAboutAssociations = (measure: string) => measureOf(measure)?.unit === "mentions"

/** A ranking of deals, or "which deals": a list. "Average deal" and "deals by region" are not. */
const isList = ({ bases, aggregate, rank, lists, grain, compare, names, outcomes, periods, conditions }: Slots) =>
  aggregate === undefined &&
  grain === undefined &&
  compare === undefined &&
  !bases.some(isRate) &&
  (rank !== undefined ||
    lists ||
    (bases.length === 0 &&
      (names.length > 0 || outcomes.length > 0 || periods.length > 0 || Object.keys(conditions).length > 0)))

/** Orders of deals by their age. */
const BY_AGE = /^(?:new|old|long|short)$/

const isByAmount = ({ rank, bases }: Slots) =>
  rank === undefined ? bases.some((base) => /^(?:amount|revenue|size)$/.test(base)) : !BY_AGE.test(rank.order)

const planList = (slots: Slots): Plan => {
  const { rank, isSingular, bases } = slots
  const byAmount = isByAmount(slots)
  // "Open deals by close date", and those that close in a period: the next first.
  const isUpcoming =
    rank === undefined && slots.outcomes.includes("open") && chooseDateField(slots, "deals") === "close_date"
  const field = isUpcoming || slots.outcomes.some((outcome) => outcome !== "open") ? "close_date" : "created_at"
  const limit = rank?.limit ?? (rank !== undefined && isSingular ? 1 : undefined)
  const isOldest = rank?.order === "old" || rank?.order === "long"
  return {
    kind: "list",
    filters: makeFilters(slots, bases.includes("pipeline") ? "amount_open" : "deals"),
    sort: byAmount ? "amount" : isOldest && field === "created_at" ? "created_at" : field,
    ascending: byAmount ? rank !== undefined && isAscending(rank.order, "amount") : isOldest || isUpcoming,
    limit,
  }
}

/** The measures that "how are we doing" shows. */
const PERFORMANCE = ["won", "lost", "decided", "amount_won", "amount_open"]

/** A rate over decided deals. */
const isDecidedRate = (measure: string) => unitOf(measure) === "rate" && measureOf(measure)?.scope?.name === "decided"

const makeReport = (slots: Slots, groups: ReadonlyArray<string>, measures: ReadonlyArray<string>): ReportQuery => {
  const [measure = "deals", ...more] = measures
  const { rank, head, counts } = slots
  const isRanked = rank !== undefined && groups.length > 0
  const ascending = rank !== undefined && isAscending(rank.order, measure, slots.outcomes)
  const isDated = groups.some((each) => each.includes("."))
  const isOrdered = groups.length > 0 && (!isDated || isRanked)
  const countsGroups = counts && head !== undefined && head !== "deal"
  const beside = slots.bases.includes("performance") ? PERFORMANCE : (measureOf(measure)?.beside ?? ["deals"])
  return {
    measures: [...new Set([measure, ...more, ...beside])].slice(0, 8),
    groupBy: groups,
    filters: { ...makeFilters(slots, measure), ...(isRanked || countsGroups ? withValue(slots, groups) : {}) },
    ...(isOrdered && { orderBy: `${ascending ? "" : "-"}${measure}` }),
    limit: countsGroups ? MAX_GROUPS : (rank?.limit ?? (isDated || groups.length > 1 ? MAX_LONG : MAX_ROWS)),
    ...makeHaving(slots, measure, isRanked),
    ...comparedWith(slots),
  }
}

/** A ranking leaves out the deals that have no value to rank. */
const withValue = ({ names }: Slots, groups: ReadonlyArray<string>): CanonicalFilters => {
  const [dimension] = groups
  const modifier = groups.length === 1 ? MODIFIERS[dimension as Dimension] : undefined
  return modifier === undefined || names.some(({ kind }) => KINDS[kind] === dimension)
    ? {}
    : { [modifier]: "is not empty" }
}

const comparedWith = ({ compare }: Slots): Pick<ReportQuery, "compare"> =>
  compare === undefined || compare === "named" ? {} : { compare }

/** The bounds on each group: those that the question states, and the least of decided deals for a ranking by their rate. */
const makeHaving = ({ having }: Slots, measure: string, isRanked: boolean): Pick<ReportQuery, "having"> => {
  const least = isDecidedRate(measure) && isRanked ? { decided: { min: MIN_DECIDED } } : undefined
  if (having === undefined) return least === undefined ? {} : { having: least }
  return { having: { ...least, ...makeBounds(having, measure) } }
}

const makeBounds = ({ of, ...bounds }: Having, measure: string) => ({
  [of === "rate" ? (unitOf(measure) === "rate" ? measure : "win_rate") : isDecidedRate(measure) ? "decided" : "deals"]:
    bounds,
})

const EXPLAINS = { lost: "negative", won: "positive", open: undefined } as const

/** Why: the reasons among the deals, on the side that explains the outcome. */
const planReasons = (slots: Slots): Plan => {
  const { outcomes, side, groups, rank, grain } = slots
  const effect = side ?? (outcomes.length === 1 ? EXPLAINS[outcomes[0]!] : undefined)
  const isByAmount = slots.bases.some((base) => base === "amount" || base === "revenue")
  const others = [
    ...(slots.head === undefined || slots.head === "deal" || slots.head === "client" ? [] : [slots.head]),
    ...groups,
  ].filter((each) => each !== "driver")
  const dates = grain === undefined ? [] : [`${chooseDateField(slots, "")}.${grain}`]
  return {
    kind: "report",
    source: "deals",
    measure: "deals",
    isRanked: true,
    isCompared: false,
    countsGroups: false,
    query: {
      measures: ["deals", "amount"],
      groupBy: [...dates, ...new Set(others), "driver"].slice(0, 3),
      filters: {
        ...makeFilters(slots, "deals"),
        ...(effect === undefined
          ? slots.names.every(({ kind }) => kind !== "reason") && { driver_ids_filter_type: "is not empty" as const }
          : { driver_effect: [effect] }),
      },
      orderBy: `${rank !== undefined && isAscending(rank.order, "deals", outcomes) ? "" : "-"}${isByAmount ? "amount" : "deals"}`,
      limit: rank?.limit ?? MAX_ROWS,
    },
  }
}
