import { asksShare } from "./asShare.ts"
import { coming } from "./calendar.ts"
import { phrase } from "./lexicon.ts"
import type { Kind, WorkspaceNames } from "./names.ts"
import { parse } from "./parse.ts"
import { looksAhead, type Today } from "./periods.ts"
import { AS_RATE, ASKS_REASONS, asksExtreme, REFERS, replaceSlots, THEM } from "./replaceSlots.ts"
import type { Slots } from "./slots.ts"

/** Openings that continue a conversation; they say nothing else. */
const OPENING =
  /^\W*(?:(?:not?(?= *[,;:.!–—-]| (?:i|sorry|wait|actually|rather) )|nope|sorry|wait|oops|actually|rather|make that|i mean(?:t)?(?: to (?:say|ask))?|and|but|or|so|ok(?:ay)?|then|now|also|what about|how about|what if|the other way (?:a?round)|the opposite|conversely|vice versa|same (?:for|with|in)|the same (?:for|with|in)|only|just|instead|show (?:me )?(?:that|it|this)|(?:can you |could you |please )*(?:break|split) (?:it|that|this|them)(?: down)?|make (?:it|that)|and now)(?:\s+|\W+|$))+/i

const REFERS_BY_PREPOSITION = phrase(
  "(?:to|against|versus|vs|beat|beats|beating|with|for|from|in|by) (?:them|it|those|these|him|her|that one)|there",
)

const THEIRS = phrase(
  "(?:their|his|her) (?:open |lost |won |biggest |largest |overdue )*(?:deals?|opportunities|pipeline|wins|losses|win rate)",
)

/** Asks for the amount of what was asked before. */
const WORTH =
  /^\W*(?:(?:and )?(?:worth )?how much(?: (?:is|was|are|were) (?:that|it|this|they|those))?(?: (?:worth|in total|together))?|(?:and )?in (?:euros?|dollars?|money|total|revenue))\W*$/i

/** Whether the question has a condition, a group or a rank. */
const narrows = ({ names, periods, groups, grain, rank }: Slots): boolean =>
  names.length + periods.length + groups.length > 0 || grain !== undefined || rank !== undefined

/** "Why do we lose?" */
const isBareWhy = (slots: Slots): boolean =>
  slots.asksWhy &&
  !saysNumber(slots) &&
  (slots.outcomes.length === 0 || (!narrows(slots) && Object.keys(slots.conditions).length === 0))

/** "Averages instead of medians, please". */
const asksAggregate = ({ aggregate, unknown }: Slots): boolean => aggregate !== undefined && unknown.length === 0

/** Whether a question says a number, or what is counted. */
export const saysNumber = ({ bases, head, counts, isShare }: Slots): boolean =>
  bases.length > 0 || head !== undefined || counts || isShare

/** Words of a question that says only what it changes. */
const MAX_CHANGE = 4

/** Each finds one sign that a question depends on the one before it. */
const SIGNS: ReadonlyArray<(question: string, slots: Slots) => boolean> = [
  (question, { bases }) => AS_RATE.test(question.toLowerCase()) && bases.length === 0,
  (question) => asksShare(question),
  (question) => WORTH.test(question) || OPENING.test(question) || THEM.test(question.toLowerCase()),
  (question, { names }) => names.length === 0 && REFERS_BY_PREPOSITION.test(question.toLowerCase()),
  (question, { names }) => names.length === 0 && THEIRS.test(question.toLowerCase()),
  (_, slots) => asksExtreme(slots),
  (_, slots) => !saysNumber(slots) && asksAggregate(slots),
  (_, slots) => !saysNumber(slots) && narrows(slots) && !(slots.asksWhy && slots.outcomes.length > 0),
  (question) => ASKS_REASONS.test(question),
  (_, slots) => isBareWhy(slots),
  (question) => isShort(question) && BEGINS_INSIDE.test(question),
  // "Over 300k?"
  (question, slots) => isShort(question) && !saysNumber(slots) && Object.keys(slots.conditions).length > 0,
  // "Which of those are overdue?"
  (question, slots) =>
    REFERS.test(question.toLowerCase()) &&
    (saysNumber(slots) || slots.outcomes.length > 0 || Object.keys(slots.conditions).length > 0),
]

const isShort = (question: string) => question.trim().split(/\s+/).length <= MAX_CHANGE

const BEGINS_INSIDE = /^\W*(?:by|per|in|for|against|with|without|since|from|during|vs\.?|versus)\b/i

/** A question of a conversation, with what it inherits from the questions before it. */
export interface Reading {
  readonly slots: Slots
  readonly isFollowUp: boolean
  /** The last question that was read was refused. */
  readonly isRefused: boolean
  /** The network read what it changes. */
  readonly isLearned: boolean
}

export interface Turn {
  readonly question: string
  /** The question names rows of the answer before it, in the place of words that refer to them. */
  readonly namesRows: boolean
  /** The slots of the answer, for the questions that continue this one. */
  readonly answer?: Slots | undefined
  /** The question was refused. A number asked after it does not inherit from it. */
  readonly isRefused?: true | undefined
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
  let isComing = false
  for (const { question, namesRows, answer, change, isRefused = false } of turns) {
    const asked = question.replace(OPENING, " ")
    const first = change ?? parse(asked, names, today)
    const depends = change !== undefined || namesRows || SIGNS.some((continues) => continues(question, first))
    if (
      reading === undefined ||
      !depends ||
      (reading.isRefused && saysNumber(first) && !REFERS.test(question.toLowerCase()))
    ) {
      reading = { slots: answer ?? parse(question, names, today), isFollowUp: false, isRefused, isLearned: false }
      isComing = looksAhead(question)
      continue
    }
    isComing = looksAhead(question, isComing)
    const near = otherYear(reading.slots, today)
    const continues = change === undefined && (near !== undefined || isComing)
    const slots = continues ? { ...parse(asked, names, { ...today, near, isComing }), today } : first
    const named = reading.isRefused && saysNumber(first) ? onlyNamed(reading.slots, names, today) : undefined
    const before = named ?? (namesRows ? withoutRanking(reading.slots) : reading.slots)
    reading = {
      slots: replaceSlots(before, slots, question),
      isFollowUp: true,
      isRefused,
      isLearned: change !== undefined,
    }
  }
  return reading
}

/** A question that no report answers, as the one that it names: "What does Orvanta charge?" and then "what is our win rate against them?" */
const onlyNamed = (before: Slots, names: WorkspaceNames, today: Today): Slots | undefined => {
  const [one, ...others] = before.names.filter(({ kind }) => COMPANIES.has(kind))
  return one === undefined || others.length > 0 ? undefined : parse(one.said, names, today)
}

const COMPANIES: ReadonlySet<Kind> = new Set(["competitor", "client", "owner"])

/** The first day of the period asked about, if it is of an earlier year or more than a year ahead. */
const otherYear = ({ periods }: Slots, { now }: Today): string | undefined => {
  const from = periods[0]?.from
  if (from === undefined) return undefined
  return from.slice(0, 4) < now.toISOString().slice(0, 4) || from > coming(1, "year", now).to ? from : undefined
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
