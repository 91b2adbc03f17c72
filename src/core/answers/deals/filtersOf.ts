import type { CanonicalFilters } from "../../deals/filters.ts"
import type { FoundName, Kind } from "./names.ts"
import type { Base } from "./lexicon.ts"
import type { DateField, Outcome, Slots } from "./slots.ts"

const FILTER_OF: Readonly<Record<Kind, readonly [values: string, modifier?: string]>> = {
  competitor: ["competitors", "competitors_filter_type"],
  owner: ["owner_ids", "owner_filter_type"],
  client: ["client_ids", "client_ids_filter_type"],
  product: ["product_labels", "product_filter_type"],
  product_area: ["product_areas", "product_areas_filter_type"],
  feature: ["feature_ids"],
  reason: ["driver_ids"],
  segment: ["segment_ids"],
  region: ["region", "region_filter_type"],
  industry: ["industry", "industry_filter_type"],
  deal_type: ["deal_type", "deal_type_filter_type"],
  tag: ["association_tags"],
  stage: ["status", "status_filter_type"],
}

/** A deal has several of these, so "and" means both. */
const MULTIPLE: ReadonlySet<Kind> = new Set(["competitor", "product"])

const nameFilters = (found: ReadonlyArray<FoundName>, compares: boolean): Record<string, unknown> => {
  const filters: Record<string, unknown> = {}
  for (const [kind, names] of Map.groupBy(found, (each) => each.kind)) {
    const [values, modifier] = FILTER_OF[kind]
    filters[values] = [
      ...new Set(names.map(({ value, name }) => (kind === "competitor" || kind === "stage" ? name : value))),
    ]
    if (modifier === undefined) continue
    if (names[0]?.negated === true) filters[modifier] = "is not"
    else if (MULTIPLE.has(kind) && !compares && names.length > 1 && names.some(({ joined }) => joined === "and"))
      filters[modifier] = "is all of"
  }
  return filters
}

/** The outcomes that the deals must have: those that the question names, or those that its measure implies. */
export const outcomesOf = (
  { outcomes, bases, names, head, rank, grain, compare }: Slots,
  measure: string,
): ReadonlyArray<Outcome> => {
  const hasStage = names.some(({ kind }) => kind === "stage")
  if (/^(?:win_rate|loss_rate)/.test(measure)) return []
  const isDecided = outcomes.length === 2 && !outcomes.includes("open")
  if (measure.startsWith("cycle") && (isDecided || outcomes.includes("open"))) return []
  // "Who closed the most" asks for wins.
  if (isDecided && compare !== "named" && (bases.includes("revenue") || (head === "owner" && rank !== undefined)))
    return ["won"]
  if (outcomes.length > 0) return outcomes
  if (hasStage) return []
  if (grain !== undefined && bases.length === 0 && (rank?.order === "good" || rank?.order === "bad")) return ["won"]
  if (bases.includes("pipeline") || measure === "age_days_avg") return ["open"]
  return bases.includes("revenue") ? ["won"] : []
}

/** Bases of deals that were decided, and of the pipeline, which counts when it closes. */
const CLOSING: ReadonlySet<Base> = new Set(["win_rate", "loss_rate", "cycle", "pipeline", "performance"])

/** The date that the question's periods bound. */
export const dateFieldOf = (slots: Slots, measure: string): DateField => {
  const { date, bases, names, periods } = slots
  if (date !== undefined) return date
  if (/^(?:mentions|positive|negative|neutral)$/.test(measure)) return "asked_at"
  const outcomes = outcomesOf(slots, measure)
  const isDecided =
    outcomes.some((outcome) => outcome !== "open") ||
    bases.some((base) => CLOSING.has(base)) ||
    names.some(({ kind, name }) => kind === "stage" && /won|lost/i.test(name))
  if (isDecided || slots.asksWhy || slots.head === "driver") return "close_date"
  // An open deal that a future period bounds closes in it: deals are created in the past.
  return periods.some(({ from }) => from !== undefined && from > slots.today.now.toISOString().slice(0, 10))
    ? "close_date"
    : "created_at"
}

/** The side of the reasons that a question names: that of the outcome ("lost because of price"), or the one that it states. */
const effectOf = ({ names, outcomes, side }: Slots) => {
  if (!names.some(({ kind }) => kind === "reason")) return {}
  const [outcome] = outcomes.length === 1 ? outcomes : []
  const effect = side ?? (outcome === "lost" ? "negative" : outcome === "won" ? "positive" : undefined)
  return effect === undefined ? {} : { driver_effect: [effect] }
}

/** The filters that a question states, in the words of `GET /deals`. */
export const filtersOf = (slots: Slots, measure: string): CanonicalFilters => {
  const { names, conditions, periods, compare, bases } = slots
  const outcomes = outcomesOf(slots, measure)
  const [period] = periods
  const isRate = bases.includes("win_rate") || bases.includes("loss_rate")
  return {
    ...nameFilters(names, compare === "named" || isRate),
    ...(outcomes.length > 0 && { outcome: outcomes }),
    ...effectOf(slots),
    ...(period !== undefined && compare !== "named" && { [dateFieldOf(slots, measure)]: period }),
    ...(period !== undefined &&
      compare === "named" &&
      periods.length === 1 && { [dateFieldOf(slots, measure)]: period }),
    ...conditions,
  } as CanonicalFilters
}
