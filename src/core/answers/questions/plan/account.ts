import { isAboutFeatures } from "./chooseMeasures.ts"
import { findNoun } from "../words/lexicon.ts"
import { makePlans, type Plan } from "./plan.ts"
import type { Slots } from "../parse/slots.ts"
import type { Unknown } from "../names/foundNames.ts"

/** A part of a reading, and the reading without it. */
interface ReadingPart {
  readonly said: string
  readonly without: Slots
  /** The plans say it although they do not change without it, because another part implies it: "open" in "open pipeline". */
  readonly isImplied?: boolean
}

const RATE = /^(?:win|loss|renewal)_rate/

const measuresIn = (plan: Plan): ReadonlyArray<string> =>
  plan.kind === "sides" ? plan.sides.flatMap(({ query }) => query.measures) : "query" in plan ? plan.query.measures : []
const filtersIn = (plan: Plan): string =>
  JSON.stringify(
    plan.kind === "share"
      ? [plan.part, plan.whole]
      : plan.kind === "list"
        ? plan.filters
        : plan.kind === "sides"
          ? plan.sides
          : plan.kind === "periods"
            ? [plan.query, plan.field]
            : plan.query,
  )

/** The content of plans, for the parts of a reading that may be implied. */
class Said {
  readonly measures: ReadonlyArray<string>
  /** The measures that their sentences say. */
  readonly main: ReadonlyArray<string>
  readonly isRanked: boolean
  /** They list deals by amount. */
  readonly isByAmount: boolean
  /** Their groups are reasons. */
  readonly isOfReasons: boolean
  readonly #texts: ReadonlyArray<string>

  constructor(plans: ReadonlyArray<Plan>) {
    this.measures = plans.flatMap(measuresIn)
    this.main = plans.flatMap((plan) => ("measure" in plan ? [plan.measure] : []))
    this.isRanked = plans.some((plan) => plan.kind === "report" && plan.isRanked)
    this.isByAmount = plans.some((plan) => plan.kind === "list" && plan.sort === "amount")
    this.isOfReasons = plans.some((plan) => plan.kind === "report" && plan.query.groupBy.at(-1) === "driver")
    this.#texts = plans.map(filtersIn)
  }

  /** Whether their filters or groups have the text. */
  has(text: string): boolean {
    return this.#texts.some((each) => each.includes(text))
  }

  /** Whether a value or a name in them is this. */
  says(value: unknown): boolean {
    return this.has(JSON.stringify(value))
  }

  hasRate(): boolean {
    return this.measures.some((each) => RATE.test(each))
  }
}

const part = (slots: Slots, said: string, change: Partial<Slots>, isImplied = false): ReadingPart => ({
  said,
  without: { ...slots, ...change },
  isImplied,
})

const without = <A>(all: ReadonlyArray<A>, at: number) => all.filter((_, n) => n !== at)

const listMeasureParts = (slots: Slots, plans: Said): ReadonlyArray<ReadingPart> => {
  const { bases, aggregate } = slots
  const isOfFeatures = isAboutFeatures(slots)
  const isImplied = (base: string) =>
    plans.main.some((each) => each.startsWith(base)) ||
    // A count says what its deals are worth, and a size is a mean amount.
    (/^(?:amount|size)$/.test(base) && plans.isByAmount) ||
    (/^(?:amount|size)$/.test(base) && plans.measures.some((each) => each.startsWith("amount"))) ||
    // "Top reps by revenue": what top reps are ranked by without a measure.
    (base === "revenue" && plans.main.includes("amount") && plans.says("won")) ||
    // Reasons that "come up" are counted in deals.
    (base === "mentions" && (isOfFeatures || plans.isOfReasons))
  const parts = bases.map((base, n) =>
    part(slots, base.replaceAll("_", " "), { bases: without(bases, n) }, isImplied(base)),
  )
  if (aggregate === undefined || aggregate === "total") return parts
  const isAggregated =
    plans.measures.some((each) => each.includes(aggregate === "average" ? "avg" : aggregate)) ||
    (aggregate === "average" && plans.hasRate())
  return [...parts, part(slots, aggregate, { aggregate: undefined }, isAggregated)]
}

const listGroupParts = (slots: Slots, plans: Said): ReadonlyArray<ReadingPart> => {
  const { head, groups, grain, rank, aggregate } = slots
  const nounOf = (dimension: string) => findNoun(dimension)?.one ?? dimension
  return [
    ...(head === undefined || head === "deal"
      ? []
      : [
          // "Why do customers buy" asks about nobody else.
          part(slots, nounOf(head), { head: undefined }, plans.says(head) || (slots.asksWhy && head === "client")),
        ]),
    ...groups.map((each, n) => part(slots, nounOf(each), { groups: without(groups, n) }, plans.says(each))),
    ...(grain === undefined ? [] : [part(slots, grain, { grain: undefined })]),
    ...(rank === undefined
      ? []
      : [part(slots, rank.word, { rank: undefined }, /^(?:max|min)$/.test(aggregate ?? "") || plans.isRanked)]),
  ]
}

const listConditionParts = (slots: Slots, plans: Said): ReadonlyArray<ReadingPart> => {
  const { outcomes, names, conditions, having } = slots
  return [
    ...outcomes.map((outcome, n) =>
      part(
        slots,
        outcome,
        { outcomes: without(outcomes, n) },
        plans.says(outcome) ||
          // "Revenue of decided deals" is the amount of won deals: lost ones have no revenue.
          (outcomes.length === 2 && plans.says("won")) ||
          (outcome !== "open" && plans.hasRate()),
      ),
    ),
    ...names.map(({ said, name, value }, n) =>
      part(slots, said, { names: without(names, n) }, plans.says(value) || plans.says(name)),
    ),
    ...Object.entries(conditions).map(([key]) =>
      part(
        slots,
        key.replaceAll("_", " "),
        { conditions: Object.fromEntries(Object.entries(conditions).filter(([each]) => each !== key)) },
        plans.says(key),
      ),
    ),
    ...(having === undefined
      ? []
      : [
          part(
            slots,
            "a bound on each group",
            { having: undefined },
            // A ranking by a rate has a bound of its own.
            having.of === "deals" && plans.has(`"having":{"decided":{"min":${having.min}}`),
          ),
        ]),
  ]
}

const listPeriodParts = (slots: Slots, plans: Said): ReadonlyArray<ReadingPart> => {
  const { date, grain, periods } = slots
  const days = periods.map(({ from, to }) => [from, to].filter((day) => day !== undefined).join(" to "))
  return [
    ...(date === undefined || (periods.length === 0 && grain === undefined)
      ? []
      : [part(slots, date.replaceAll("_", " "), { date: undefined }, plans.has(date))]),
    ...(periods.length === 0 ? [] : [part(slots, days.join(" and "), { periods: [] })]),
    ...(periods.length < 2 ? [] : days.map((said, n) => part(slots, said, { periods: without(periods, n) }))),
  ]
}

const listParts = (slots: Slots, plans: Said): ReadonlyArray<ReadingPart> => [
  ...listMeasureParts(slots, plans),
  ...listGroupParts(slots, plans),
  ...listConditionParts(slots, plans),
  ...listPeriodParts(slots, plans),
  ...(slots.compare === undefined ? [] : [part(slots, "a comparison", { compare: undefined })]),
  ...(slots.asksWhy ? [part(slots, "why", { asksWhy: false }, plans.says("driver"))] : []),
  ...(slots.side === undefined ? [] : [part(slots, slots.side, { side: undefined }, plans.says(slots.side))]),
  ...(slots.isShare ? [part(slots, "share", { isShare: false })] : []),
]

/** The parts of a reading that its plans do not read. An answer without one of them would be to another question. */
export const findUnused = (slots: Slots, plans: ReadonlyArray<Plan>): ReadonlyArray<Unknown> => {
  if (plans.length === 0) return []
  const planned = JSON.stringify(plans)
  const unread = listParts(slots, new Said(plans)).filter(
    ({ without, isImplied }) => isImplied !== true && JSON.stringify(makePlans(without)) === planned,
  )
  return [...unread.map(({ said }) => said), ...findBent(slots, plans)].map((said) => ({ said, as: "unused" }))
}

/** Measures that an age can order. */
const OF_TIME = /^(?:age|cycle)/

/** Parts that change the plans, but to plans of another question. */
const findBent = (
  { rank, aggregate, bases, groups, isSingular }: Slots,
  plans: ReadonlyArray<Plan>,
): ReadonlyArray<string> => {
  const isShareOfItself = (plan: Plan) =>
    plan.kind === "share" && JSON.stringify(plan.part) === JSON.stringify(plan.whole)
  // "The share of losses due to commercial reasons" is of losses, not of all deals.
  const isOfAll = (plan: Plan) =>
    plan.kind === "share" &&
    plan.part.outcome !== undefined &&
    (plan.part.driver_categories ?? plan.part.driver_ids) !== undefined &&
    plan.whole.outcome === undefined
  const isByOther = (plan: Plan) => plan.kind === "report" && plan.isRanked && !OF_TIME.test(plan.measure)
  const isUngrouped = (plan: Plan) => plan.kind === "report" && plan.query.groupBy.length === 0
  const isOfNewClients = (plan: Plan) => "measure" in plan && plan.measure === "new_clients"
  const isSize = (plan: Plan) => plan.kind === "report" && plan.measure === "amount_avg"
  return [
    ...(plans.some((plan) => isShareOfItself(plan) || isOfAll(plan)) ? ["share"] : []),
    ...(rank?.limit === 0 ? [`${rank.word} 0`] : []),
    // "The oldest pipeline on average" ranks by age, not by size.
    ...(rank !== undefined && /^(?:old|new|long|short)$/.test(rank.order) && plans.every(isByOther) ? [rank.word] : []),
    // "The total of the 3 largest deals" is not the total of all.
    ...(rank?.limit !== undefined && plans.every(isUngrouped) ? [`${rank.word} ${rank.limit}`] : []),
    ...(rank?.other === undefined ? [] : [rank.other]),
    // "New clients in retail deals" is no number of deals.
    ...(bases.includes("new_clients") && bases.length === 1 && !plans.some(isOfNewClients) ? ["new clients"] : []),
    // "Deals per owner on average" are a count, not a size.
    ...(aggregate === "average" && bases.length === 0 && groups.length > 0 && !isSingular && plans.every(isSize)
      ? [aggregate]
      : []),
  ]
}

/** "How many deals by ARR" asks for groups or an order that no count of deals has. */
const BY_MONEY =
  /(?<!\p{L})by (?:total )?(?:arr|acv|tcv|mrr|revenue|turnover|bookings|amount|value|worth)(?!\p{L}| (?:band|bucket|range|class))/iu

/** Words that deny or leave out what follows them. "No more than", "not only" and "no idea" do neither. */
const DENIED =
  /(?<!\p{L})(?:not(?! (?:only|just|sure|to mention|yet|too|counting on)(?!\p{L}))|non(?=[ -])|neither|nor|without|w\/o|except(?:ing)?|excluding|excl\.?|exclude|omit|ignoring|ignore|leav(?:e|ing) out|other than|outside|besides|apart from|aside from|(?<!(?<!\p{L})an? )minus|(?:everything|everyone|everybody|everywhere|anything|anyone|anybody|all(?: \p{L}+)?) but)(?!\p{L})/iu
/** An exclusion, or a state that lacks something: open deals are not decided, lost ones are not won. */
const EXCLUSION = /"is (?:not|empty)|:false|"m(?:ax|in)"|"to"|open_days|overdue|negative|"lost|"outcome":\["open/u
/** Rows are left out by naming those that stay: `leaveOutRows`. */
const ROWS_KEPT =
  /"groupBy":\[[^\]]*"(?:competitor".*"competitors":|feature".*"feature_ids":|driver".*"driver_ids":|product_label".*"product_labels":)/u
const excludes = (plan: Plan): boolean => {
  const filters =
    plan.kind === "report" || plan.kind === "periods"
      ? JSON.stringify([plan.query.filters, plan.query.having])
      : filtersIn(plan)
  return (
    EXCLUSION.test(filters) ||
    ROWS_KEPT.test(JSON.stringify(plan)) ||
    /lost|loss|negative/.test("measure" in plan ? plan.measure : "")
  )
}

/** The words of a question that its plans do not account for: a denial, or the measure by which it wants deals that they only count. */
export const findUncounted = (question: string, plans: ReadonlyArray<Plan>): ReadonlyArray<Unknown> => {
  const said = BY_MONEY.exec(question)?.[0]
  const isCount = (plan: Plan) => plan.kind === "report" && plan.measure === "deals" && !plan.isRanked
  const denied = plans.some(excludes) ? undefined : DENIED.exec(question)?.[0]
  return [
    ...(said !== undefined && plans.length > 0 && plans.every(isCount) ? [{ said, as: "unused" } as const] : []),
    ...(denied !== undefined && plans.length > 0 ? [{ said: denied, as: "other" } as const] : []),
  ]
}
