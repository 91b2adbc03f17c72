import { findUncounted, findUnused } from "../deals/account.ts"
import { KINDS, type Kind, type WorkspaceNames } from "../deals/names.ts"
import { parse } from "../deals/parse.ts"
import type { Today } from "../deals/periods.ts"
import { makePlans, type Plan } from "../deals/plan.ts"
import type { Slots } from "../deals/slots.ts"
import { learnedSlots } from "./learnedSlots.ts"
import { planKey } from "./planKey.ts"
import type { Prediction } from "./predict.ts"
import { tokenize } from "./tokens.ts"

/** From this confidence on, an answer says what was read, and gives it. Measured on voices held out: `training/README.md`. */
const SURE = 0.3
/** A reading is not trusted if the question may ask for something that nothing records. */
const MAX_OUTSIDE = 0.05

/** From this confidence on, the network is right more often than a grammar that reads the question otherwise. */
const SURER = 0.5
/**
 * From this confidence on, a network that reads the question otherwise refutes the grammar, which is then wrong nearly always with
 * strangers' words and seldom with its authors'. More is needed if its own reading has a part that no plan reads, or is no reading.
 */
const REFUTES = { whole: 0.2, bent: 0.4, none: SURER } as const

interface Read {
  readonly slots: Slots
  readonly plans: ReadonlyArray<Plan>
}

/** The verdict of the second reading on a question. */
export type Second =
  /** The grammar's reading stands, or its refusal. */
  | { readonly kind: "stands" }
  /** The question is read by the network alone. */
  | ({ readonly kind: "read" } & Read)
  /** The grammar's reading is not trusted, and no other is sure. */
  | {
      readonly kind: "differs"
      readonly readings: ReadonlyArray<ReadonlyArray<Plan>>
      /** The network takes it for a question that texts answer. */
      readonly isForTexts: boolean
    }

type Grammar = Read & { readonly isRead: boolean }
type Predict = (words: ReadonlyArray<string>) => Prediction

/**
 * Reads a question with the network beside the grammar. On sentences of strangers the grammar is right nearly always where both
 * agree, and nearly never where they differ. Of several spellings of the question, the first that the network reads counts.
 */
export const readAgain = (
  [question, ...others]: ReadonlyArray<string>,
  grammar: Grammar,
  names: WorkspaceNames,
  today: Today,
  predict: Predict,
): Second => {
  if (question === undefined) return { kind: "stands" }
  const second = readSpelling(question, grammar, names, today, predict)
  return second.kind === "read" || others.length === 0 ? second : readAgain(others, grammar, names, today, predict)
}

const readSpelling = (
  question: string,
  grammar: Grammar,
  names: WorkspaceNames,
  today: Today,
  predict: Predict,
): Second => {
  const tokens = tokenize(question, names, today)
  const said = tokens.words.join(" ")
  const prediction = predict(tokens.words)
  const rules = parse(question, names, today)
  // The network knows no quota, and would read the rest of the question.
  if (rules.unknown.some(({ as }) => as === "quota")) return { kind: "stands" }
  const learned = learnedSlots(prediction, tokens, rules)
  const plans = learned === undefined ? [] : makePlans(learned.slots)
  if (grammar.isRead) {
    // "How many deals did Dana win?": the rules know an outcome by its words, and the network may miss it.
    const filled =
      learned !== undefined && prediction.outcome === "-"
        ? makePlans({ ...learned.slots, outcomes: rules.outcomes })
        : plans
    const isSame =
      [plans, filled].some((each) => planKey(each) === planKey(grammar.plans)) || isCountOfList(plans, grammar.plans)
    // The network takes "against Orvanta or Nimbrel" for a comparison.
    const isUnion =
      learned?.slots.compare === "named" && rules.names.some(({ joined }) => /^(?:and|or)$/.test(joined ?? ""))
    if (isSame || isUnion || !isKnown(grammar.slots) || prediction.kind.startsWith("f-")) return { kind: "stands" }
  }
  const isWhole = learned !== undefined && plans.length > 0 && findUnused(learned.slots, plans).length === 0
  const isSure =
    isWhole &&
    learned.doubts.length === 0 &&
    prediction.confidence >= SURE &&
    prediction.outside <= MAX_OUTSIDE &&
    prediction.strange.length === 0 &&
    rules.names.every(({ kind }) => !UNKNOWN_KINDS.has(kind)) &&
    !hasUnknownName(question, rules) &&
    findUncounted(question, plans).length === 0 &&
    !(lacksGroups(plans) && GROUPED.test(said)) &&
    !PLACE.test(said)
  if (isSure && (!grammar.isRead || prediction.confidence >= SURER))
    return { kind: "read", slots: learned.slots, plans }
  const reading = isWhole ? "whole" : learned === undefined ? "none" : "bent"
  if (!grammar.isRead || prediction.confidence < REFUTES[reading]) return { kind: "stands" }
  return {
    kind: "differs",
    readings: [grammar.plans, plans].filter(({ length }) => length > 0),
    isForTexts: learned === undefined,
  }
}

/** Words that ask for groups: "by decision reason", "per helper", "each". "Over 20k each" is of one deal. */
const GROUPED =
  /(?<!\p{L})(?:(?:by|per) (?!(?:now|then|far|value|amount|count|number|volume|size|worth|the end)(?!\p{L}))\p{L}|(?<!> )each|over the (?:weeks|months|quarters|years))/u

/** "The second most common reason": no plan begins at a place. */
const PLACE = /(?<!\p{L})(?:second|third|fourth|fifth|<number> (?:st|nd|rd|th))(?!\p{L})/u

const lacksGroups = (plans: ReadonlyArray<Plan>) =>
  plans.every((plan) => plan.kind === "report" && plan.query.groupBy.length === 0)

/** The head of a list says how many deals match, so "won deals in DACH" is answered by either. */
const isCountOfList = ([one, ...more]: ReadonlyArray<Plan>, [other, ...others]: ReadonlyArray<Plan>): boolean => {
  if (one === undefined || other === undefined || more.length + others.length > 0) return false
  const [list, count] = one.kind === "list" ? [one, other] : [other, one]
  if (list.kind !== "list" || count.kind !== "report" || count.query.groupBy.length > 0) return false
  const counted: Plan = { ...list, filters: count.query.filters }
  return count.measure === "deals" && planKey([counted]) === planKey([list])
}

/** Parts that are no names that the workspace lacks. */
const UNSETTLED: ReadonlySet<string> = new Set(["conflict", "future", "foreign", "unfit"])

/** Whether a part that nothing explains is ambiguous, asks for what is not recorded, or is written as a name. */
const hasUnknownName = (question: string, { unknown }: Slots): boolean =>
  unknown.some(
    ({ said, as, several }) =>
      several !== undefined || UNSETTLED.has(as) || (/(?:^|\s)\p{Lu}/u.test(said) && !question.startsWith(said)),
  )

const KNOWN_BASE = /^(?:win_rate|win_rate_by_amount|loss_rate|amount|revenue|pipeline|size|cycle|age|mentions|wl_.*)$/
const KNOWN_CONDITIONS: ReadonlySet<string> = new Set([
  "amount",
  "open_days",
  "overdue",
  "competitors_filter_type",
  "owner_filter_type",
  "crm_filters",
])
const UNKNOWN_KINDS: ReadonlySet<Kind> = new Set(["client", "product_area", "segment", "tag"])

/** Whether the training has questions of this form, so that the network's disagreement means something. */
const isKnown = (slots: Slots): boolean => {
  const { bases, aggregate, having, conditions, names, whole, groups, head, date } = slots
  return (
    // "How many deals did we lose, and why?"
    !(slots.counts && slots.asksWhy) &&
    bases.length < 2 &&
    bases.every((base) => KNOWN_BASE.test(base)) &&
    aggregate !== "min" &&
    having === undefined &&
    date === undefined &&
    (conditions.amount?.min === undefined || conditions.amount.max === undefined) &&
    Object.keys(conditions).every((key) => KNOWN_CONDITIONS.has(key)) &&
    names.every(({ kind }) => kind in KINDS && !UNKNOWN_KINDS.has(kind)) &&
    (whole === undefined || whole.names.length === 0) &&
    ![head, ...groups].some(
      (each) => each === "driver_effect" || each === "association_tag" || each === "primary_competitor",
    )
  )
}
