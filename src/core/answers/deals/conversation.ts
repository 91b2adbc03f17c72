import type { Unknown } from "./foundNames.ts"
import { type Base, findNoun, phrase } from "./lexicon.ts"
import { type Kind, KINDS, type WorkspaceNames } from "./names.ts"
import { parse } from "./parse.ts"
import type { Today } from "./periods.ts"
import type { Slots } from "./slots.ts"

/** Openings that continue a conversation; they say nothing else. */
const OPENING =
  /^\W*(?:(?:and|but|or|so|ok(?:ay)?|then|now|also|what about|how about|what if|same (?:for|with|in)|the same (?:for|with|in)|only|just|instead|show (?:me )?(?:that|it|this)|(?:can you |could you |please )*(?:break|split) (?:it|that|this|them)(?: down)?|make (?:it|that)|and now)(?:\s+|\W+|$))+/i
/** Asks for the deals behind a number. */
const THEM = phrase(
  String.raw`which (?:ones|are (?:they|those|these))|(?:list|show|name)(?: me)? (?:them|those|these)(?: deals)?|what are they|which deals(?: are (?:they|those|these))?`,
)
/** Refers to what the conversation is about. */
const REFERS = phrase("them|those|these|it|that|this|there|they|ones?|same|instead")

const REFERS_BY_PREPOSITION = phrase(
  "(?:to|against|versus|vs|beat|beats|beating|with|for|from|in|by) (?:them|it|those|these|him|her|that one)|there",
)

/** Asks for the amount of what was asked before. */
const WORTH =
  /^\W*(?:(?:and )?(?:worth )?how much(?: (?:is|was|are|were) (?:that|it|this|they|those))?(?: (?:worth|in total|together))?|(?:and )?in (?:euros?|dollars?|money|total|revenue))\W*$/i

/** Whether the question has a condition, a group or a rank. */
const narrows = ({ names, periods, groups, grain, rank }: Slots): boolean =>
  names.length + periods.length + groups.length > 0 || grain !== undefined || rank !== undefined

/** "Averages instead of medians, please". */
const asksAggregate = ({ aggregate, unknown }: Slots): boolean => aggregate !== undefined && unknown.length === 0

const saysNumber = ({ bases, head, counts, isShare }: Slots): boolean =>
  bases.length > 0 || head !== undefined || counts || isShare

/** Whether the question depends on the one before it. */
const continues = (question: string, slots: Slots): boolean => {
  if (AS_RATE.test(question.toLowerCase()) && slots.bases.length === 0) return true
  if (WORTH.test(question) || OPENING.test(question) || THEM.test(question.toLowerCase())) return true
  if (slots.names.length === 0 && REFERS_BY_PREPOSITION.test(question.toLowerCase())) return true
  const says = saysNumber(slots)
  if (!says && asksAggregate(slots)) return true
  if (!says && (narrows(slots) || slots.asksWhy) && !(slots.asksWhy && slots.outcomes.length > 0)) return true
  if (
    question.trim().split(/\s+/).length <= 4 &&
    /^\W*(?:by|per|in|for|against|with|without|since|from|during|vs\.?|versus)\b/i.test(question)
  )
    return true
  // "Which of those are overdue?"
  const hasCondition = slots.outcomes.length > 0 || Object.keys(slots.conditions).length > 0
  return REFERS.test(question.toLowerCase()) && (says || hasCondition)
}

/** A question of a conversation, with what it inherits from the questions before it. */
export interface Reading {
  readonly slots: Slots
  readonly isFollowUp: boolean
  /** The network read what it changes. */
  readonly isLearned: boolean
}

export interface Turn {
  readonly question: string
  /** The question names rows of the answer before it, in the place of words that refer to them. */
  readonly namesRows: boolean
  /** The slots of the answer, for the questions that continue this one. */
  readonly answer?: Slots | undefined
  /** The change that the question makes to the one before, if only the network reads it. */
  readonly change?: Slots | undefined
}

/** Reads the questions of a conversation, oldest first. A follow-up replaces slots of the question before it. */
export const readConversation = (
  turns: ReadonlyArray<Turn>,
  names: WorkspaceNames,
  today: Today,
): Reading | undefined => {
  let reading: Reading | undefined
  for (const { question, namesRows, answer, change } of turns) {
    const asked = question.replace(OPENING, " ")
    const first = change ?? parse(asked, names, today)
    if (reading === undefined || !(change !== undefined || namesRows || continues(question, first))) {
      reading = { slots: answer ?? parse(question, names, today), isFollowUp: false, isLearned: false }
      continue
    }
    const near = change === undefined ? earlierYear(reading.slots, today) : undefined
    const slots = near === undefined ? first : { ...parse(asked, names, { ...today, near }), today }
    const before = namesRows ? withoutRanking(reading.slots) : reading.slots
    reading = {
      slots: replaceSlots(before, slots, question),
      isFollowUp: true,
      isLearned: change !== undefined,
    }
  }
  return reading
}

/** The first day of the period asked about, if it is of an earlier year. */
const earlierYear = ({ periods }: Slots, { now }: Today): string | undefined => {
  const from = periods[0]?.from
  return from !== undefined && from.slice(0, 4) < now.toISOString().slice(0, 4) ? from : undefined
}

/** A question about one row of a ranking keeps its filters and its measure. */
const withoutRanking = (before: Slots): Slots => ({
  ...before,
  head: before.head === "deal" ? "deal" : undefined,
  rank: undefined,
  groups: [],
  lists: false,
  having: undefined,
})

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

/** "As a rate, please": the rate of the outcome that was counted. */
const AS_RATE = phrase("(?:as|in|into) (?:an? )?(?:rates?|percent(?:ages?)?|%)")
const chooseRate = ({ outcomes }: Slots): ReadonlyArray<Base> => [outcomes[0] === "lost" ? "loss_rate" : "win_rate"]

const isNumber = ({ bases, counts }: Slots): boolean => bases.length > 0 || counts

/** The slots of the number. */
const replaceNumber = (before: Slots, next: Slots, question: string) => ({
  bases:
    next.bases.length > 0
      ? next.bases
      : AS_RATE.test(question.toLowerCase())
        ? chooseRate(before)
        : next.counts
          ? []
          : before.bases,
  aggregate: next.aggregate ?? (isNumber(next) ? undefined : before.aggregate),
  counts: next.counts || (before.counts && next.bases.length === 0 && !next.lists),
  whole: next.isShare ? next.whole : before.whole,
  isShare: next.isShare || (before.isShare && !isNumber(next)),
})

/** The deals that only a condition names: "in lost deals only". */
const isOfCondition = ({ head, lists, counts, rank, bases, outcomes }: Slots): boolean =>
  head === "deal" && !lists && !counts && rank === undefined && bases.length === 0 && outcomes.length > 0

/** The slots of the rows. */
const replaceRows = (before: Slots, next: Slots) => {
  const regroups = next.groups.length > 0 || next.grain !== undefined
  const head = isOfCondition(next) && before.head !== undefined ? before.head : next.head
  return {
    head: head ?? (regroups && before.head !== "deal" ? undefined : before.head),
    isSingular: next.head === undefined ? before.isSingular : next.isSingular,
    lists: next.lists || (before.lists && !isNumber(next) && !regroups),
    groups: regroups ? next.groups : before.groups,
    grain: regroups ? next.grain : before.grain,
    rank: next.rank ?? (regroups ? undefined : before.rank),
  }
}

/** Whether a follow-up with a name corrects a part that was not understood, or asks for a number of its own. */
const isSettled = ({ said, as, several }: Unknown, next: Slots): boolean => {
  if (as === "unanswered" || next.names.length === 0) return false
  const isName = several !== undefined || as === "competitor" || as === "owner" || as === "place"
  return isName || /\p{Lu}/u.test(said) || isNumber(next)
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

/** Whether a follow-up to "why" only narrows it: "only in Healthcare". */
const keepsWhy = (next: Slots): boolean =>
  next.names.length + next.periods.length > 0 && !isNumber(next) && !next.lists && next.groups.length === 0

const replaceSlots = (before: Slots, given: Slots, question: string): Slots => {
  const next = ofThose(before, given, question)
  const asksWhy = next.asksWhy || (before.asksWhy && next.head === undefined && keepsWhy(next))
  const asksThem = THEM.test(question.toLowerCase()) || (next.lists && next.head === "deal")
  const kinds = new Set([...next.names.map(({ kind }) => kind), ...kindsWithAll(question)])
  const merged: Slots = {
    ...before,
    ...replaceNumber(before, next, question),
    ...replaceRows(before, next),
    outcomes:
      next.outcomes.length > 0 || next.bases.some((base) => IMPLIES_OUTCOME.has(base))
        ? next.outcomes
        : before.outcomes,
    names: [...before.names.filter(({ kind }) => !kinds.has(kind)), ...next.names],
    conditions: { ...before.conditions, ...next.conditions },
    having: next.having ?? before.having,
    date: next.date ?? before.date,
    periods: next.periods.length > 0 ? next.periods : before.periods,
    compare: next.compare ?? (next.periods.length > 0 ? undefined : before.compare),
    asksWhy,
    side: next.side ?? before.side,
    unknown: [...before.unknown.filter((part) => !isSettled(part, next)), ...next.unknown].filter(
      ({ said }) =>
        !(AS_RATE.test(question.toLowerCase()) && /^(?:rates?|percent(?:ages?)?)$/i.test(said)) &&
        !said
          .toLowerCase()
          .split(/\s+/)
          .every((word) => REFERS.test(word)),
    ),
    today: next.today,
  }
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
