import { measureOf } from "../../../reports/measures.ts"
import { besideRate, findMovement, ranksBySales } from "../parse/makeFilters.ts"
import type { Aggregate, Base, Order } from "../words/lexicon.ts"
import type { Slots } from "../parse/slots.ts"

export const isAboutFeatures = ({ head, groups, names, bases, side }: Slots): boolean =>
  [head, ...groups].some((each) => each === "feature" || each === "product_area" || each === "association_tag") ||
  names.some(({ kind }) => kind === "feature" || kind === "product_area" || kind === "tag") ||
  // "Which product has the most negative mentions?"
  (side !== undefined && bases.includes("mentions") && [head, ...groups].includes("product_label"))

/** The measure of a base with the question's aggregate. */
const measureOfBase = (base: Base, { aggregate, head, rank, counts, bases }: Slots): string | undefined => {
  switch (base) {
    case "cycle":
      return aggregate === "average" ? "cycle_days_avg" : "cycle_days_median"
    case "mentions":
      return undefined
    case "amount":
    case "revenue":
    case "pipeline":
    case "size": {
      const measure = aggregate === undefined || aggregate === "total" ? undefined : AGGREGATED[aggregate]
      if (measure !== undefined) return measure
      if (base === "revenue" && besideRate(bases)) return "amount_won"
      if (base === "size" && (rank === undefined || head !== "deal")) return "amount_avg"
      return counts && head !== undefined ? undefined : "amount"
    }
    default:
      return FIXED[base] ?? `${base}_avg`
  }
}

/** The measures of bases that no aggregate changes. */
const FIXED: Partial<Readonly<Record<Base, string>>> = {
  win_rate: "win_rate",
  win_rate_by_amount: "win_rate_by_amount",
  loss_rate: "loss_rate",
  amount_weighted: "amount_weighted",
  renewal_rate: "renewal_rate",
  lost_no_decision: "lost_no_decision",
  new_clients: "new_clients",
  stage_entered: "stage_entered",
  stage_left: "stage_left",
  sentiment: "positive",
  performance: "win_rate",
  competitors: "competitors_avg",
  age: "age_days_avg",
}

const AGGREGATED: Readonly<Record<Exclude<Aggregate, "total">, string>> = {
  average: "amount_avg",
  median: "amount_median",
  max: "amount_max",
  min: "amount_min",
}

/** The measures that the question asks for, the most important first. */
export const chooseMeasures = (slots: Slots, groups: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { bases, aggregate, counts, head, rank, side, having } = slots
  const extreme = extremeAmount(slots, groups)
  if (extreme !== undefined) return [extreme]
  const said = bases.flatMap((base) => measureOfBase(base, slots) ?? [])
  if (findMovement(bases) !== undefined) return [...new Set(said)]
  // "How many deals did we lose to no decision" is a count of deals already.
  // A bound on the deals of each client counts the clients that keep it.
  const counted =
    counts && (head === "client" && having === undefined ? "clients" : head === "deal" ? "deals" : undefined)
  if (counted && !said.some((each) => measureOf(each)?.unit === counted)) return [counted, ...said]
  if (said.length > 0) return [...new Set(said)]
  if ((aggregate === "average" || aggregate === "median") && head === "deal") return [AGGREGATED[aggregate]]
  if (side !== undefined && isAboutFeatures(slots)) return [side]
  if (head !== "deal" && asksForMentions(slots, groups)) return ["mentions"]
  if (rank !== undefined && groups.length > 0) return [rankedMeasure(slots, groups)]
  return mentionsDeals(slots, groups) ? ["deals"] : []
}

/** "The biggest deal in each region" asks for its amount. */
const extremeAmount = ({ rank, head, isSingular, bases, counts }: Slots, groups: ReadonlyArray<string>) => {
  if (rank === undefined || head !== "deal" || !isSingular || groups.length === 0 || counts) return undefined
  // "Who brought in the biggest deal?"
  if (bases.some((base) => base !== "revenue")) return undefined
  if (/^(?:biggest|largest|highest|greatest|most valuable)$/.test(rank.word)) return "amount_max"
  return /^(?:smallest|lowest|tiniest|least valuable)$/.test(rank.word) ? "amount_min" : undefined
}

const asksForMentions = (slots: Slots, groups: ReadonlyArray<string>): boolean =>
  (slots.bases.includes("mentions") && (isAboutFeatures(slots) || slots.names.length === 0)) ||
  (slots.outcomes.length === 0 && groups.some((each) => /^(?:feature|product_area|association_tag)$/.test(each)))

/** Whether a question without a measure says anything of deals, so that it may ask for their number. */
const mentionsDeals = (
  { counts, head, outcomes, conditions, date, periods }: Slots,
  groups: ReadonlyArray<string>,
): boolean =>
  counts ||
  head !== undefined ||
  groups.length > 0 ||
  outcomes.length > 0 ||
  Object.keys(conditions).length > 0 ||
  (date !== undefined && periods.length > 0)

/** The measure of a ranking that names none: "best rep", "top competitors". */
const rankedMeasure = (slots: Slots, groups: ReadonlyArray<string>) => {
  const { rank, outcomes } = slots
  const isQuality = rank?.order === "good" || rank?.order === "bad"
  if (rank?.order === "long" || rank?.order === "short") return "cycle_days_median"
  if (outcomes.length > 0) return "deals"
  if (isQuality) return groups.some((each) => each.includes(".")) ? "amount" : "win_rate"
  return ranksBySales(slots) ? "amount" : "deals"
}

/** `outcomes`: those of the deals. The worst month for losses has the most. */
export const isAscending = (order: Order, measure: string, outcomes: Slots["outcomes"] = []): boolean => {
  const isOfLosses = outcomes.length === 1 && outcomes[0] === "lost" && /^(?:deals|amount)/.test(measure)
  const isLessBetter = measureOf(measure)?.isLessBetter === true || isOfLosses
  if (order === "good") return isLessBetter
  if (order === "bad") return !isLessBetter
  return order === "low" || order === "short" || order === "old"
}
