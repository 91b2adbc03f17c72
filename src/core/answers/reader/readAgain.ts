import { findUncounted, findUnused } from "../questions/plan/account.ts"
import { KINDS, type Kind, type WorkspaceNames } from "../questions/words/names.ts"
import { parse } from "../questions/parse/parse.ts"
import type { Today } from "../questions/words/periods.ts"
import { makePlans, type Plan } from "../questions/plan/plan.ts"
import type { Slots } from "../questions/parse/slots.ts"
import { COMPARED, missesCue } from "./cues.ts"
import { type Learned, learnedSlots } from "./learnedSlots.ts"
import { planKey } from "./planKey.ts"
import type { Prediction } from "./predict.ts"
import { tokenize } from "./tokens.ts"

/** From this confidence on, an answer says what was read, and gives it. Measured on voices held out: `training/README.md`. */
const SURE = 0.3
/** For other languages than English, which fewer voices train. */
const SURE_TRANSLATED = 0.4
/** A reading is not trusted if the question may ask for something that nothing records. */
const MAX_OUTSIDE = 0.05

/** From this probability on, a question that the grammar reads asks for something else. */
const MIN_OUTSIDE = 0.75

/** From this confidence on, the network is right more often than a grammar that reads the question otherwise. */
const SURER = 0.5
/**
 * From this confidence on, a network that reads the question otherwise refutes the grammar, which is then wrong nearly always with
 * strangers' words and seldom with its authors'. More is needed if its own reading leaves out a part of the question or has one that no plan reads, or is no reading.
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

interface Grammar extends Read {
  readonly isRead: boolean
  /** The question was put into English. */
  readonly isTranslated?: boolean
}
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

/** The reading of a question by the network, with that of the fixed rules. */
interface LearnedReading {
  readonly question: string
  /** Its tokens. */
  readonly said: string
  readonly rules: Slots
  readonly prediction: Prediction
  /** Undefined if it asks for nothing that a report has. */
  readonly learned: Learned | undefined
  readonly plans: ReadonlyArray<Plan>
}

const readLearned = (question: string, names: WorkspaceNames, today: Today, predict: Predict): LearnedReading => {
  const tokens = tokenize(question, names, today)
  const prediction = predict(tokens.words)
  const rules = parse(question, names, today)
  const learned = learnedSlots(prediction, tokens, rules)
  const plans = learned === undefined ? [] : makePlans(learned.slots)
  return { question, said: tokens.words.join(" "), rules, prediction, learned, plans }
}

const readSpelling = (
  question: string,
  grammar: Grammar,
  names: WorkspaceNames,
  today: Today,
  predict: Predict,
): Second => {
  const reading = readLearned(question, names, today, predict)
  const { rules, learned, plans, prediction } = reading
  // The network knows no quota, and would read the rest of the question.
  if (rules.unknown.some(({ as }) => as === "quota")) return { kind: "stands" }
  if (grammar.isRead) {
    // "All open since January" asks to see them: the head of the list says how many there are.
    if (learned?.doubts.length === 0 && !grammar.slots.counts && isListOfCount(plans, grammar.plans))
      return { kind: "read", slots: learned.slots, plans }
    if (agrees(reading, grammar) || !isKnown(grammar.slots) || prediction.kind.startsWith("f-"))
      return { kind: "stands" }
  }
  const isWhole = readsWhole(reading)
  const least = grammar.isRead ? SURER : grammar.isTranslated === true ? SURE_TRANSLATED : SURE
  if (learned !== undefined && isWhole && isSure(reading, least)) return { kind: "read", slots: learned.slots, plans }
  if (!grammar.isRead || !refutes(reading, isWhole)) return { kind: "stands" }
  return {
    kind: "differs",
    readings: [grammar.plans, plans].filter(({ length }) => length > 0),
    isForTexts: learned === undefined,
  }
}

/** Whether the network's reading refutes another. `isWhole`: it leaves out no part of the question. */
const refutes = ({ learned, prediction: { confidence, outside } }: LearnedReading, isWhole: boolean): boolean => {
  if (learned === undefined) return confidence >= REFUTES.none || outside >= MIN_OUTSIDE
  return confidence >= (isWhole ? REFUTES.whole : REFUTES.bent)
}

/** "How many deals did Dana not win?": the network misses the denial, which leaves two outcomes. */
const missesDenial = (learned: Learned | undefined, { outcomes }: Slots): boolean =>
  outcomes.length === 2 && learned?.slots.outcomes.some((each) => !outcomes.includes(each)) === true

/** Whether the network reads what the grammar reads, or a part of it that it knows no more of. */
const agrees = ({ said: words, rules, prediction, learned, plans }: LearnedReading, grammar: Grammar): boolean => {
  const keyOf = (slots: Slots) => planKey(makePlans(slots))
  const said = rules.outcomes.length > 0 ? rules.outcomes : grammar.slots.outcomes
  const filled =
    learned === undefined ? plans : makePlans(fillFrom({ ...rules, outcomes: said }, learned.slots, prediction))
  if ([plans, filled].some((each) => planKey(each) === planKey(grammar.plans))) return true
  if (isListOfCount(plans, grammar.plans) || isListOfCount(grammar.plans, plans)) return true
  if (plans.length > 0 && listSingle(grammar.slots).some((each) => keyOf(each) === planKey(plans))) return true
  if (
    missesDenial(learned, grammar.slots) &&
    keyOf({ ...learned!.slots, outcomes: grammar.slots.outcomes }) === planKey(grammar.plans)
  )
    return true
  // "How many in DACH and how many in Nordics": a form that no training sentence has, which the network adds up.
  if (grammar.slots.compare === "named" && keyOf({ ...grammar.slots, compare: undefined }) === planKey(plans))
    return true
  // "Are sales cycles getting longer?" asks for the course that the network leaves out.
  if (grammar.slots.grain !== undefined && keyOf({ ...grammar.slots, grain: undefined }) === planKey(plans)) return true
  if (showsUnderEach(grammar.slots) && keyOf({ ...grammar.slots, groups: [] }) === planKey(plans)) return true
  // The network takes "against Orvanta or Nimbrel" for a comparison.
  const isUnion =
    learned?.slots.compare === "named" && rules.names.some(({ joined }) => /^(?:and|or)$/.test(joined ?? ""))
  return isUnion && !COMPARED.test(words)
}

/**
 * Whether the network may leave out the groups: "list overdue deals by owner" lists them under each, and "by region this quarter vs last" has
 * two numbers in each row. It misses most groups of properties ("Partner vs Outbound, average size").
 */
const showsUnderEach = ({ lists, head, groups, compare }: Slots): boolean =>
  groups.length > 0 &&
  ((lists && head === "deal") ||
    compare === "previous_period" ||
    compare === "previous_year" ||
    groups.every((each) => each.startsWith("crm_")))

/** Whether plans read every part of the reading, and the reading every cue of the question. */
const readsWhole = ({ said, rules, prediction, learned, plans }: LearnedReading): boolean =>
  learned !== undefined &&
  plans.length > 0 &&
  findUnused(learned.slots, plans).length === 0 &&
  !missesCue(said, { prediction, plans, rules })

const isSure = ({ question, rules, prediction, learned, plans }: LearnedReading, least: number): boolean =>
  learned?.doubts.length === 0 &&
  prediction.confidence >= least &&
  prediction.outside <= MAX_OUTSIDE &&
  prediction.strange.length === 0 &&
  rules.names.every(({ kind }) => !UNKNOWN_KINDS.has(kind)) &&
  !hasUnknownName(question, rules) &&
  findUncounted(question, plans).length === 0

/**
 * "How many deals did Dana win?": the rules know an outcome by its words, and the network may miss it. It misses the order of "which are in
 * most deals, compared with last year", a form that no training sentence has.
 */
const fillFrom = (rules: Slots, learned: Slots, { outcome, order, kind, side }: Prediction): Slots => ({
  ...learned,
  outcomes: outcome === "-" ? rules.outcomes : learned.outcomes,
  // The features that people judge are in the same order with and without "most".
  rank: order === "-" && (learned.compare !== undefined || kind === "side") ? rules.rank : learned.rank,
  side: kind === "-" && side === "-" ? (learned.side ?? rules.side) : learned.side,
})

/** The questions in one: "deals and revenue by region", "their number and value", "how many did we lose, and why?". The network reads one of them. */
const listSingle = (slots: Slots): ReadonlyArray<Slots> => {
  if (slots.bases.length > 1) return slots.bases.map((base) => ({ ...slots, bases: [base] }))
  // "Deals with Audit trail requested, how many": a date of requests is not that of the deals.
  if (slots.bases.includes("mentions")) return []
  if (slots.counts && slots.bases.length > 0)
    return [
      { ...slots, counts: false },
      { ...slots, bases: [], aggregate: undefined },
    ]
  if (!slots.counts || !slots.asksWhy) return []
  return [
    { ...slots, asksWhy: false },
    { ...slots, counts: false, head: undefined },
  ]
}

/** Whether the first is a list of the deals that the other counts. Its head says how many there are. */
const isListOfCount = ([list, ...more]: ReadonlyArray<Plan>, [count, ...others]: ReadonlyArray<Plan>): boolean => {
  if (list?.kind !== "list" || count?.kind !== "report" || more.length + others.length > 0) return false
  if (count.query.groupBy.length > 0 || count.measure !== "deals") return false
  return planKey([{ ...list, filters: count.query.filters }]) === planKey([list])
}

/** Parts that are no names that the workspace lacks. */
const UNSETTLED: ReadonlySet<string> = new Set(["conflict", "future", "foreign", "unfit"])

/** Whether a part that nothing explains is ambiguous, asks for what is not recorded, or is written as a name. */
export const hasUnknownName = (question: string, { unknown }: Slots): boolean =>
  unknown.some(
    ({ said, as, several }) => several !== undefined || UNSETTLED.has(as) || isName(said, question.startsWith(said)),
  )

/** A sentence begins with a capital, but with two only in an abbreviation: "UK/IE won count". */
const isName = (said: string, isFirst: boolean) =>
  isFirst ? /^(?!OK|FYI|BTW|PS)\p{Lu}{2}/u.test(said) : /(?:^|\s)\p{Lu}/u.test(said)

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
  const { bases, aggregate, having, conditions, names, whole, groups, head } = slots
  return (
    bases.every((base) => KNOWN_BASE.test(base)) &&
    aggregate !== "min" &&
    having === undefined &&
    slots.sides === undefined &&
    (conditions.amount?.min === undefined || conditions.amount.max === undefined) &&
    Object.keys(conditions).every((key) => KNOWN_CONDITIONS.has(key)) &&
    conditions.competitors_filter_type !== "is not empty" &&
    names.every(({ kind }) => kind in KINDS && !UNKNOWN_KINDS.has(kind)) &&
    (whole === undefined || whole.names.length === 0) &&
    ![head, ...groups].some(
      (each) => each === "driver_effect" || each === "association_tag" || each === "primary_competitor",
    )
  )
}
