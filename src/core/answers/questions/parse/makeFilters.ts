import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import { measureOf } from "../../../reports/measures.ts"
import type { FoundName, Role } from "../names/foundNames.ts"
import type { Outcome, Kind } from "../words/names.ts"
import type { Base } from "../words/lexicon.ts"
import type { DateField, Slots } from "./slots.ts"

const FILTER_OF: Readonly<Record<Kind | Role, readonly [values: string, modifier?: string]>> = {
  primary: ["primary_competitors"],
  incumbent: ["incumbents"],
  competitor: ["competitors", "competitors_filter_type"],
  owner: ["owner_ids", "owner_filter_type"],
  client: ["client_ids", "client_ids_filter_type"],
  product: ["product_labels", "product_filter_type"],
  product_area: ["product_areas", "product_areas_filter_type"],
  feature: ["feature_ids", "feature_ids_filter_type"],
  reason: ["driver_ids", "driver_ids_filter_type"],
  segment: ["segment_ids"],
  region: ["region", "region_filter_type"],
  industry: ["industry", "industry_filter_type"],
  deal_type: ["deal_type", "deal_type_filter_type"],
  tag: ["association_tags"],
  stage: ["status", "status_filter_type"],
  judged: ["products"],
}

/** A deal has several of these, so "and" means both. */
export const MULTIPLE: ReadonlySet<Kind> = new Set(["competitor", "product"])

/** Kinds that one deal has several of where the question says "both"; "and" alone names deals with any of them. */
export const JOINED: ReadonlySet<Kind> = new Set([...MULTIPLE, "feature", "reason"])

/** The measure of stage changes that a question asks for. */
export const findMovement = (bases: ReadonlyArray<Base>): Movement | undefined =>
  bases.find((base): base is Movement => base === "stage_entered" || base === "stage_left")

type Movement = "stage_entered" | "stage_left"
const MOVED: Readonly<Record<Movement, (typeof FILTER_OF)[Kind]>> = {
  stage_entered: ["entered_stages"],
  stage_left: ["left_stages"],
}

/** The filters of names that a question has. */
export const nameFilters = (
  found: ReadonlyArray<FoundName>,
  compares: boolean,
  bases: ReadonlyArray<Base>,
): Record<string, unknown> => {
  const filters: Record<string, unknown> = {}
  const more: Array<Record<string, unknown>> = []
  for (const [kind, all] of Map.groupBy(found, ({ kind, role }) => role ?? kind)) {
    const movement = kind === "stage" ? findMovement(bases) : undefined
    const [values, modifier] = (movement && MOVED[movement]) ?? FILTER_OF[kind]
    // "With Orvanta but without Nimbrel" is two conditions on one filter.
    const excluded = all.filter(({ negated }) => negated)
    const isMixed = modifier !== undefined && excluded.length > 0 && excluded.length < all.length
    if (isMixed) more.push({ [values]: excluded.map(({ name }) => name), [modifier]: "is not" })
    const names = isMixed ? all.filter(({ negated }) => !negated) : all
    filters[values] = [
      ...new Set(names.map(({ value, name }) => (names[0]?.kind === "competitor" || kind === "stage" ? name : value))),
    ]
    if (modifier === undefined) continue
    if (names[0]?.negated === true) filters[modifier] = "is not"
    else if (
      names.length > 1 &&
      names.some(({ joined }) => joined === "both" || (joined === "and" && MULTIPLE.has(all[0]!.kind) && !compares))
    )
      filters[modifier] = "is all of"
  }
  return more.length === 0 ? filters : { ...filters, and: more }
}

/** The outcomes that the deals must have: those that the question names, or those that its measure implies. */
const chooseOutcomes = (slots: Slots, measure: string): ReadonlyArray<Outcome> => {
  const { outcomes, bases, head, rank, compare } = slots
  if (/^(?:win_rate|loss_rate|amount_weighted|renewal_rate|lost_no_decision)/.test(measure)) return []
  const isDecided = outcomes.length === 2 && !outcomes.includes("open")
  if (measure.startsWith("cycle") && (isDecided || outcomes.includes("open"))) return []
  // "Who closed the most" asks for wins.
  if (
    isDecided &&
    compare !== "named" &&
    ((bases.includes("revenue") && !besideRate(bases)) || (head === "owner" && rank !== undefined))
  )
    return ["won"]
  return outcomes.length > 0 ? outcomes : implyOutcomes(slots, measure)
}

const SELLING = /^(?:owner|client|region|product_label|industry|segment)$/
const LEADING = /top|#1|no\. ?1|number one|leading|biggest|largest|key|main|important|valuable/

/** "Our top reps", "key customers": a ranking by sales that says no measure. */
export const ranksBySales = ({ rank, head, groups, bases, outcomes }: Slots): boolean =>
  rank !== undefined &&
  bases.length === 0 &&
  outcomes.length === 0 &&
  head !== "deal" &&
  [head, ...groups].some((each) => each !== undefined && SELLING.test(each)) &&
  LEADING.test(rank.word)

/** Conditions of deals that are open, or may be. */
const OPEN_ENDED = ["overdue", "open_days", "slipped_from_filter_type", "crm_filters"] as const

/** "Win rate and revenue": the rate is of all decided deals, so revenue is a measure of its own. */
export const besideRate = (bases: ReadonlyArray<Base>): boolean =>
  bases.includes("revenue") && bases.some((base) => /^(?:win|loss)_rate/.test(base))

/** The outcomes that the words of a question imply which names none. */
const implyOutcomes = (slots: Slots, measure: string): ReadonlyArray<Outcome> => {
  const { bases, names, rank, grain, date, conditions } = slots
  if (names.some(({ kind, negated }) => kind === "stage" && !negated)) return []
  const isOpenEnded = date === "created_at" || OPEN_ENDED.some((each) => conditions[each] !== undefined)
  if (measure === "amount" && !isOpenEnded && ranksBySales(slots)) return ["won"]
  // All deals that a period created were pipeline, also those that have ended since.
  if (bases.includes("pipeline") && date === "created_at") return []
  if (grain !== undefined && bases.length === 0 && (rank?.order === "good" || rank?.order === "bad")) return ["won"]
  if (bases.includes("pipeline") || measure === "age_days_avg") return ["open"]
  // Open deals would add the quarters in which they are to close.
  if (measure === "new_clients" && grain !== undefined) return ["won"]
  return bases.includes("revenue") && !besideRate(bases) ? ["won"] : []
}

/** Bases of deals that were decided, and of the pipeline, which counts when it closes. */
const CLOSING: ReadonlySet<Base> = new Set([
  "win_rate",
  "win_rate_by_amount",
  "loss_rate",
  "amount_weighted",
  "renewal_rate",
  "lost_no_decision",
  "new_clients",
  "cycle",
  "pipeline",
  "performance",
])

/** Whether a question is about deals that slipped. */
export const isAboutSlips = ({ conditions }: Pick<Slots, "conditions">): boolean =>
  conditions.slipped_from_filter_type !== undefined

/** Whether a question is about deals that were decided, or by its measure counts them when they close. */
const isOfDecided = (slots: Slots, measure: string): boolean =>
  chooseOutcomes(slots, measure).some((outcome) => outcome !== "open") ||
  slots.bases.some((base) => CLOSING.has(base)) ||
  // "The worst industry this year" is ranked by its win rate.
  measureOf(measure)?.scope?.name === "decided" ||
  slots.conditions.first_won === true ||
  slots.names.some(({ kind, name }) => kind === "stage" && /won|lost/i.test(name))

/** The date that the question's periods bound. */
export const chooseDateField = (slots: Slots, measure: string): DateField => {
  const { date, bases, periods } = slots
  if (date !== undefined) return date
  if (findMovement(bases) !== undefined) return "stage_changed_at"
  if (isAboutSlips(slots)) return "slipped_from"
  const isOfMentions = bases.length > 0 && bases.every((base) => base === "mentions" || base === "sentiment")
  const isOfReasons = slots.head === "driver" || slots.groups.includes("driver")
  if ((isOfMentions && !isOfReasons) || measureOf(measure)?.unit === "mentions") return "asked_at"
  // "Commit for this quarter" closes in it.
  const isForecast = slots.conditions.crm_filters?.some(({ property }) => /forecast/.test(String(property))) === true
  if (isOfDecided(slots, measure) || isForecast || slots.asksWhy || slots.head === "driver") return "close_date"
  // An open deal that a future period bounds closes in it: deals are created in the past.
  return periods.some(({ from }) => from !== undefined && from > slots.today.now.toISOString().slice(0, 10))
    ? "close_date"
    : "created_at"
}

/** The side of the reasons that a question names: that of the outcome ("lost because of price"), or the one that it states. */
const chooseEffect = ({ names, outcomes, side, head, groups, conditions }: Slots) => {
  const isOfCategory = conditions.driver_categories !== undefined || [head, ...groups].includes("driver_category")
  if (!isOfCategory && !names.some(({ kind }) => kind === "reason")) return {}
  const [outcome] = outcomes.length === 1 ? outcomes : []
  const effect = side ?? (outcome === "lost" ? "negative" : outcome === "won" ? "positive" : undefined)
  return effect === undefined ? {} : { driver_effect: [effect] }
}

/** "Deals in which single sign-on came up negatively". A count of mentions has the side in its measure. */
const chooseSentiment = ({ names, side, head, groups, outcomes }: Slots, measure: string) =>
  side !== undefined &&
  (names.some(({ kind }) => kind === "feature") || (outcomes.length > 0 && [head, ...groups].includes("feature"))) &&
  !names.some(({ kind }) => kind === "reason") &&
  measureOf(measure)?.unit !== "mentions"
    ? { feature_sentiment: [side] }
    : {}

/** "What do buyers love about Flow?" is about the features of Flow, in whatever deal they came up. */
const nameJudged = ({ names, side, bases, head }: Slots, measure: string): ReadonlyArray<FoundName> =>
  measureOf(measure)?.unit === "mentions" &&
  (side !== undefined || bases.includes("sentiment")) &&
  head !== "deal" &&
  !names.some(({ kind, negated }) => kind === "feature" || (kind === "product" && negated))
    ? names.map((name) => (name.kind === "product" ? { ...name, role: "judged" } : name))
    : names

/** The filters that a question states, in the words of `GET /deals`. */
export const makeFilters = (slots: Slots, measure: string): CanonicalFilters => {
  const { conditions, periods, compare, bases } = slots
  const outcomes = chooseOutcomes(slots, measure)
  const [period] = periods
  const isRate = bases.includes("win_rate") || bases.includes("loss_rate")
  const field = period === undefined ? undefined : chooseDateField(slots, measure)
  return {
    ...nameFilters(nameJudged(slots, measure), compare === "named" || isRate, bases),
    ...(outcomes.length > 0 && { outcome: outcomes }),
    ...chooseEffect(slots),
    ...chooseSentiment(slots, measure),
    ...(field !== undefined && (compare !== "named" || periods.length === 1) && { [field]: period }),
    ...conditions,
  } as CanonicalFilters
}
