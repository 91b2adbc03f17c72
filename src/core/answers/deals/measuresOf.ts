import type { Aggregate, Base, Order } from "./lexicon.ts"
import type { Slots } from "./slots.ts"

export const isAboutFeatures = ({ head, groups, names }: Slots): boolean =>
  [head, ...groups].some((each) => each === "feature" || each === "product_area" || each === "association_tag") ||
  names.some(({ kind }) => kind === "feature" || kind === "product_area" || kind === "tag")

/** The measure of a base with the question's aggregate. */
const measureOfBase = (base: Base, { aggregate, head, rank, counts }: Slots): string | undefined => {
  switch (base) {
    case "win_rate":
    case "win_rate_by_amount":
    case "loss_rate":
      return base
    case "sentiment":
      return "positive"
    case "performance":
      return "win_rate"
    case "cycle":
      return aggregate === "average" ? "cycle_days_avg" : "cycle_days_median"
    case "age":
      return "age_days_avg"
    case "mentions":
      return undefined
    case "amount":
    case "revenue":
    case "pipeline":
    case "size": {
      const measure = aggregate === undefined || aggregate === "total" ? undefined : AGGREGATED[aggregate]
      if (measure !== undefined) return measure
      if (base === "size" && (rank === undefined || head !== "deal")) return "amount_avg"
      return counts && head !== undefined ? undefined : "amount"
    }
    default:
      return `${base}_avg`
  }
}

const AGGREGATED: Readonly<Record<Exclude<Aggregate, "total">, string>> = {
  average: "amount_avg",
  median: "amount_median",
  max: "amount_max",
  min: "amount_min",
}

/** The measures that the question asks for, the most important first. */
export const measuresOf = (slots: Slots, groups: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { bases, aggregate, counts, head, rank, outcomes, side, conditions, periods, date } = slots
  // "The biggest deal in each region" asks for its amount.
  if (rank !== undefined && head === "deal" && slots.isSingular && groups.length > 0 && bases.length === 0 && !counts) {
    if (/^(?:biggest|largest|highest|greatest|most valuable)$/.test(rank.word)) return ["amount_max"]
    if (/^(?:smallest|lowest|tiniest|least valuable)$/.test(rank.word)) return ["amount_min"]
  }
  const said = bases.flatMap((base) => measureOfBase(base, slots) ?? [])
  if (counts && head === "client") return ["clients", ...said]
  if (counts && head === "deal") return ["deals", ...said]
  if (said.length > 0) return [...new Set(said)]
  if ((aggregate === "average" || aggregate === "median") && head === "deal") return [AGGREGATED[aggregate]]
  const isOfFeatures = groups.some((each) => /^(?:feature|product_area|association_tag)$/.test(each))
  if (side !== undefined && isAboutFeatures(slots)) return [side]
  if (bases.includes("mentions") && head !== "deal" && (isAboutFeatures(slots) || slots.names.length === 0))
    return ["mentions"]
  if (isOfFeatures && outcomes.length === 0 && head !== "deal") return ["mentions"]
  if (rank !== undefined && groups.length > 0) return [rankedMeasure(slots, groups)]
  const isSaid =
    counts ||
    head !== undefined ||
    groups.length > 0 ||
    outcomes.length > 0 ||
    Object.keys(conditions).length > 0 ||
    (date !== undefined && periods.length > 0)
  return isSaid ? ["deals"] : []
}

/** The measure of a ranking that names none: "best rep", "top competitors". */
const rankedMeasure = ({ rank, outcomes, head }: Slots, groups: ReadonlyArray<string>) => {
  const isQuality = rank?.order === "good" || rank?.order === "bad"
  if (rank?.order === "long" || rank?.order === "short") return "cycle_days_median"
  if (outcomes.length > 0) return "deals"
  if (isQuality) return groups.some((each) => each.includes(".")) ? "amount" : "win_rate"
  const isSales = groups.some((each) => /^(?:owner|client|region|product_label|industry|segment)$/.test(each))
  return isSales && head !== "deal" && /top|leading|biggest|largest|key|main|important|valuable/.test(rank?.word ?? "")
    ? "amount"
    : "deals"
}

/** Measures where less is better. */
const LESS_IS_BETTER = /^(?:loss_rate|cycle|age|lost|negative)/

export const isAscending = (order: Order, measure: string): boolean => {
  if (order === "good") return LESS_IS_BETTER.test(measure)
  if (order === "bad") return !LESS_IS_BETTER.test(measure)
  return order === "low" || order === "short" || order === "old"
}
