import { asShare } from "./asShare.ts"
import { asksForDealOf } from "./chooseRow.ts"
import { beside, comparesNames, isOfComparison, withoutNamed } from "./compareNames.ts"
import type { Unknown } from "../names/foundNames.ts"
import { type Base, findNoun, phrase, SUPERLATIVES } from "../words/lexicon.ts"
import { chooseDateField } from "../parse/makeFilters.ts"
import { type Kind, KINDS } from "../words/names.ts"
import { WORTH } from "./ofList.ts"
import type { Slots } from "../parse/slots.ts"
import { PIPELINE_HINT } from "../parse/unfit.ts"

/** Asks for the deals behind a number. */
export const THEM = phrase(
  String.raw`which (?:ones|are (?:they|those|these))|(?:list|show|name)(?: me)? (?:them|those|these)(?: deals)?|what are they|which deals(?: are (?:they|those|these))?`,
)
const WHICH_OF = phrase("which of (?:those|these|them)")
/** Refers to what the conversation is about. */
export const REFERS = phrase("them|those|these|it|that|this|there|they|ones?|same|instead")

/** "As a rate, please": the rate of the outcome that was counted. */
export const AS_RATE = phrase("(?:as|in|into) (?:an? )?(?:rates?|percent(?:ages?)?|%)")

/** "Which region is lowest?": of what, the question before says. */
export const asksExtreme = ({ bases, counts, outcomes, rank, head }: Slots): boolean =>
  bases.length + outcomes.length === 0 && !counts && head !== "deal" && /^(?:lowest|highest)$/.test(rank?.word ?? "")

/** Bases of deals with an outcome of their own: the lost deals of a question before have no pipeline. */
const IMPLIES_OUTCOME: ReadonlySet<Base> = new Set(["pipeline", "age", "revenue"])

/** "Across all industries" takes the condition on the industry away. */
const kindsWithAll = (question: string): ReadonlyArray<Kind> =>
  Object.entries(KINDS).flatMap(([kind, dimension]) => {
    const words = findNoun(dimension)?.words
    return words !== undefined && phrase(`(?:all|every|any)(?: the| our)? (?:${words})`).test(question.toLowerCase())
      ? [kind as Kind]
      : []
  })

const chooseRate = ({ outcomes }: Slots): ReadonlyArray<Base> => [outcomes[0] === "lost" ? "loss_rate" : "win_rate"]

const OF_MONEY: ReadonlySet<Base> = new Set(["amount", "revenue", "pipeline", "size"])

const isNumber = ({ bases, counts }: Slots): boolean => bases.length > 0 || counts

/** "And in the Nordics?" changes the part, and the whole if it has a region, too. */
const replaceInWhole = (whole: Slots, { names, periods }: Slots): Slots => {
  const kinds = new Set(whole.names.map(({ kind }) => kind))
  const others = names.filter(({ kind }) => kinds.has(kind))
  const replaced = new Set(others.map(({ kind }) => kind))
  return {
    ...whole,
    names: [...whole.names.filter(({ kind }) => !replaced.has(kind)), ...others],
    periods: whole.periods.length > 0 && periods.length > 0 ? periods : whole.periods,
  }
}

/** "How much is that?" after revenue asks for that revenue, and not for the amounts of all deals. */
const saysWorthAgain = ({ bases }: Slots, question: string): boolean =>
  bases.some((base) => base === "revenue" || base === "pipeline") && WORTH.test(question)

/** The slots of the number. */
const replaceNumber = (before: Slots, next: Slots, question: string) => {
  // Lost deals have no win rate: the question asks how many there are.
  const isCounted =
    next.outcomes.length > 0 && !isNumber(next) && !next.isShare && before.bases.some((base) => base.endsWith("_rate"))
  return isCounted
    ? { ...replaceSaid(before, next, question), bases: [], counts: true }
    : replaceSaid(before, next, question)
}

const replaceSaid = (before: Slots, next: Slots, question: string) => ({
  bases:
    next.bases.length > 0
      ? saysWorthAgain(before, question)
        ? before.bases
        : next.bases
      : AS_RATE.test(question.toLowerCase())
        ? chooseRate(before)
        : next.counts
          ? []
          : before.bases,
  aggregate: next.aggregate ?? (isNumber(next) ? undefined : before.aggregate),
  counts: next.counts || (before.counts && next.bases.length === 0 && !next.lists),
  whole: next.isShare ? next.whole : before.whole && replaceInWhole(before.whole, next),
  isShare: next.isShare || (before.isShare && !isNumber(next)),
})

/** The deals that only a condition names: "in lost deals only". */
const isOfCondition = ({ head, lists, counts, rank, bases, outcomes }: Slots): boolean =>
  head === "deal" && !lists && !counts && rank === undefined && bases.length === 0 && outcomes.length > 0

/** "No, I meant the number of deals" */
const CORRECTS =
  /^\W*(?:(?:no|nope|sorry|wait|oops|actually)(?!\p{L})\W*)*(?:not?(?= *[,;:.!–—-])|i mean|instead(?!\p{L}))/iu

/** A correction that counts deals keeps the rows: "top reps by win rate" and then "no, I meant the number of deals". */
const isRecount = (before: Slots, { counts, head, groups, grain }: Slots, question: string): boolean =>
  CORRECTS.test(question) &&
  counts &&
  head === "deal" &&
  before.head !== undefined &&
  before.head !== "deal" &&
  groups.length === 0 &&
  grain === undefined

/** "Which of them is the biggest?" asks for one. */
const asksForOne = ({ rank }: Slots, question: string): boolean =>
  rank !== undefined && rank.limit === undefined && IS_THE_MOST.test(question.toLowerCase())
const IS_THE_MOST = phrase(
  `(?:(?:which|what|who)(?: (?:one|of (?:them|those|these|all)))?(?: (?:is|was)|'s) (?:(?:the|our|your) )*|(?<=^\\W*(?:and )?)the )(?:${SUPERLATIVES.map(([, words]) => words).join("|")})(?: one)?(?= *[?.!]*$)`,
)

/** The slots of the rows. */
const replaceRows = (before: Slots, next: Slots, question: string) => {
  if (isRecount(before, next, question))
    return { counts: false, rank: before.rank && ({ ...before.rank, order: "high", word: "most" } as const) }
  // "Which is lowest?" and "sort ascending" order the rows that there are.
  const regroups = next.groups.length > 0 || next.grain !== undefined || (asksExtreme(next) && next.head !== undefined)
  const head = isOfCondition(next) && before.head !== undefined ? before.head : next.head
  return {
    head: head ?? (regroups && before.head !== "deal" ? undefined : before.head),
    isSingular: next.head === undefined ? before.isSingular || asksForOne(next, question) : next.isSingular,
    lists: next.lists || (before.lists && !isNumber(next) && !regroups),
    groups: regroups ? next.groups : before.groups,
    grain: regroups ? next.grain : before.grain,
    rank: next.rank ?? (regroups ? undefined : before.rank),
  }
}

/** The kinds of names that a part can mean by its words. */
const KINDS_OF_PART: Partial<Readonly<Record<Unknown["as"], ReadonlyArray<Kind>>>> = {
  competitor: ["competitor"],
  owner: ["owner"],
  place: ["region", "industry", "segment"],
}

/** Whether a follow-up with a name corrects a part that was not understood, or asks for a number of its own. */
const isSettled = ({ said, as, several }: Unknown, next: Slots): boolean => {
  if (as === "unanswered" || next.names.length === 0) return false
  if (several !== undefined) return next.names.some(({ name }) => several.includes(name))
  const kinds = KINDS_OF_PART[as]
  if (kinds !== undefined) return next.names.some(({ kind }) => kinds.includes(kind))
  // "CAC" is a measure, and no misspelt name.
  return /\p{Lu}\p{Ll}/u.test(said) || isNumber(next)
}

/** "How many of those are overdue?" counts; "what share of those" is one of what was asked before. */
const ofThose = (before: Slots, next: Slots, question: string): Slots => {
  if (!next.isShare || !OF_THOSE.test(question.toLowerCase())) return next
  return HOW_MANY_OF.test(question.toLowerCase())
    ? { ...next, isShare: false, whole: undefined, counts: true, head: before.head ?? "deal" }
    : { ...next, whole: before }
}
const OF_THOSE = phrase("of (?:those|these|them|that|it)")
const HOW_MANY_OF = phrase("how many of")

/** Whether a follow-up to "why" only narrows it: "only in Healthcare", "only for deals over 80k". */
const keepsWhy = (next: Slots): boolean =>
  (next.head === undefined || (next.head === "deal" && next.rank === undefined)) &&
  next.names.length + next.periods.length + Object.keys(next.conditions).length > 0 &&
  !isNumber(next) &&
  !next.lists &&
  next.groups.length === 0

/** "How long have they been there?" asks for the time in a stage, which no report has: the age of deals is another one. */
const timeInStage = (before: Slots, next: Slots): ReadonlyArray<Unknown> => {
  const stage = before.names.find(({ kind }) => kind === "stage")
  return stage !== undefined && next.bases.includes("age") ? [{ said: `the time in ${stage.name}`, as: "other" }] : []
}

const OF_MENTIONS: ReadonlySet<string> = new Set(["feature", "product_area", "association_tag"])

/** Parts that no report continues: why features hurt us, and the pipeline of a time that is over. */
const findLost = (before: Slots, next: Slots, merged: Slots, question: string): ReadonlyArray<Unknown> => {
  const isOfMentions = [before.head, ...before.groups].some((each) => each !== undefined && OF_MENTIONS.has(each))
  const now = merged.today.now.toISOString().slice(0, 10)
  const isOver = next.periods.some(({ to }) => to !== undefined && to < now)
  const isPast = isOver && merged.bases.includes("pipeline") && merged.date === undefined
  return [
    ...(isOfMentions && merged.asksWhy && next.names.length === 0
      ? [{ said: question.replaceAll(/^\W+|(?<!\W)\W+$/gu, ""), as: "unused" } as const]
      : []),
    ...(isPast ? [{ said: "the pipeline of a time that is over", as: "unfit", hint: PIPELINE_HINT } as const] : []),
  ]
}

/** Whether a follow-up asks for the deals behind a number, or for some of those that were listed. */
const asksForRows = (before: Slots, next: Slots, question: string): boolean => {
  const isOfDeal = (next.lists && next.head === "deal") || asksForDealOf(before, question)
  if (THEM.test(question.toLowerCase()) || isOfDeal) return true
  if (before.groups.length > 0 || isNumber(next)) return false
  if (next.rank === undefined) return WHICH_OF.test(question.toLowerCase())
  // "Which of them is the biggest?" after the average of deals.
  const isOfDeals = before.grain === undefined && (before.head ?? "deal") === "deal" && !before.asksWhy
  return isOfDeals && before.bases.every((base) => OF_MONEY.has(base)) && asksForOne(next, question)
}

/** "What are the reasons?" */
export const ASKS_REASONS =
  /^\W*(?:(?:and|but|so|ok)\W+)*(?:(?:what|which|show me|list)(?:'s| is| are| was| were)? )?(?:the )?(?:(?:main|top|biggest|key|most common) )?(?:reasons?|causes?)(?: (?:for|behind) (?:that|this|it))?\W*$/iu

/** The number of the deals that a rate or an amount is of: they close in its period, as it does. */
const dateOf = (before: Slots, next: Slots): Slots["date"] => {
  const isOfSame = next.counts && next.periods.length + next.outcomes.length === 0 && before.periods.length > 0
  return isOfSame && chooseDateField(before, "") === "close_date" ? "close_date" : undefined
}

/** The outcome that a question asked about: a rate of losses is about lost deals. */
const outcomesOf = ({ outcomes, bases }: Slots): Slots["outcomes"] =>
  outcomes.length === 0 && bases.some((base) => base === "loss_rate" || base === "lost_no_decision")
    ? ["lost"]
    : outcomes

/** "Without Orvanta" after deals with Nimbrel leaves out some of these. */
const narrows = ({ names }: Slots, { kind, value, negated }: Slots["names"][number]): boolean =>
  negated === true &&
  names.some((each) => each.kind === kind && each.negated !== true) &&
  names.every((each) => each.kind !== kind || each.value !== value)

/** The slots of the question before with what a follow-up says in the place of its own. */
export const replaceSlots = (before: Slots, given: Slots, question: string): Slots =>
  asShare(before, given, question) ?? replaceEach(before, given, question)

const replaceEach = (before: Slots, given: Slots, question: string): Slots => {
  const next = ofThose(before, beside(before, given, question), question)
  const asksWhy =
    next.asksWhy ||
    ASKS_REASONS.test(question) ||
    (before.asksWhy && keepsWhy(next) && !WHICH_OF.test(question.toLowerCase()))
  const asksThem = asksForRows(before, next, question)
  const kinds = new Set([
    ...next.names.flatMap((name) => (narrows(before, name) ? [] : [name.kind])),
    ...kindsWithAll(question),
  ])
  const merged: Slots = {
    ...before,
    ...replaceNumber(before, next, question),
    ...replaceRows(before, next, question),
    outcomes:
      next.outcomes.length > 0 || next.bases.some((base) => IMPLIES_OUTCOME.has(base))
        ? next.outcomes
        : asksWhy
          ? outcomesOf(before)
          : before.outcomes,
    names: [...before.names.filter(({ kind }) => !kinds.has(kind)), ...next.names],
    conditions: { ...before.conditions, ...next.conditions },
    having: next.having ?? before.having,
    date: next.date ?? before.date ?? dateOf(before, next),
    periods: next.periods.length > 0 ? next.periods : before.periods,
    compare: next.compare ?? (next.periods.length > 0 && !comparesNames(before) ? undefined : before.compare),
    asksWhy,
    side: next.side ?? before.side,
    unknown: [
      ...before.unknown.filter((part) => !isSettled(part, next)),
      ...next.unknown,
      ...timeInStage(before, next),
    ].filter(
      ({ said }) =>
        !(AS_RATE.test(question.toLowerCase()) && /^(?:rates?|percent(?:ages?)?)$/i.test(said)) &&
        !(next.compare === "named" && isOfComparison(said)) &&
        !said
          .toLowerCase()
          .split(/\s+/)
          .every((word) => REFERS.test(word)),
    ),
    today: next.today,
    ...withoutNamed(before, next),
  }
  const lost = findLost(before, next, { ...merged, asksWhy }, question)
  if (lost.length > 0) return { ...merged, unknown: [...merged.unknown, ...lost] }
  if (asksWhy)
    return {
      ...merged,
      bases: [],
      counts: false,
      lists: false,
      head: undefined,
      groups: [],
      grain: undefined,
      rank: undefined,
      compare: undefined,
      isShare: false,
    }
  if (!asksThem) return merged
  return {
    ...merged,
    bases: before.bases.filter((base) => base === "pipeline" || base === "revenue"),
    aggregate: undefined,
    counts: false,
    head: "deal",
    lists: true,
    groups: [],
    grain: undefined,
    rank: next.rank,
    compare: undefined,
    isShare: false,
  }
}
