import { asksShare } from "./asShare.ts"
import { coming } from "../words/calendar.ts"
import { asksForDealOf, chooseRow, compareAgain } from "./chooseRow.ts"
import { phrase } from "../words/lexicon.ts"
import type { Kind, WorkspaceNames } from "../words/names.ts"
import { asksFacts, asksNoun, WORTH } from "./ofList.ts"
import { changeNames } from "./otherNames.ts"
import { leaveOutRows } from "../parse/leaveOut.ts"
import { parse } from "../parse/parse.ts"
import { looksAhead, type Today } from "../words/periods.ts"
import { makePlans } from "../plan/plan.ts"
import { AS_RATE, ASKS_REASONS, asksExtreme, REFERS, replaceSlots, THEM } from "./replaceSlots.ts"
import type { Slots } from "../parse/slots.ts"

/** Openings that continue a conversation; they say nothing else. */
const OPENING =
  /^\W*(?:(?:not?(?= *[,;:.!–—-]| (?:i|sorry|wait|actually|rather) )|nope|sorry|wait|oops|actually|rather|make that|i mean(?:t)?(?: to (?:say|ask))?|and|but|or|so|ok(?:ay)?|then|now|also|what about|how about|what if|the other way (?:a?round)|the opposite|conversely|vice versa|same (?:for|with|in)|the same (?:for|with|in)|only|just|instead|show (?:me )?(?:that|it|this)|(?:can you |could you |please )*(?:break|split) (?:it|that|this|them)(?: down)?|make (?:it|that)|and now)(?:\s+|\W+|$))+/i

const REFERS_BY_PREPOSITION = phrase(
  "(?:to|against|versus|vs|beat|beats|beating|with|for|from|in|by) (?:them|it|those|these|him|her|that one)|there",
)

const THEIRS = phrase(
  "(?:their|his|her) (?:open |lost |won |biggest |largest |overdue )*(?:deals?|opportunities|pipeline|wins|losses|win rate)",
)

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
  // "Won?", "in euros", "amount": a word or two that name no deals of their own.
  (question, slots) => isShort(question) && !ASKS.test(question) && slots.head === undefined && saysOneThing(slots),
  // "Over 300k?"
  (question, slots) => isShort(question) && !saysNumber(slots) && Object.keys(slots.conditions).length > 0,
  // "Which of those are overdue?"
  (question, slots) =>
    REFERS.test(question.toLowerCase()) &&
    (saysNumber(slots) || slots.outcomes.length > 0 || Object.keys(slots.conditions).length > 0),
]

const isShort = (question: string) => question.trim().split(/\s+/).length <= MAX_CHANGE

/** "How much?": of what, the question before says, also if it was refused. */
const BARE_NUMBER = /^\W*how (?:much|many)(?: (?:is|are|was|were) (?:that|it|this|they|those|these))?\W*$/iu

/** A question of its own asks for something, or says whose it is. */
const ASKS = /(?<!\p{L})(?:what|which|who|how|show|list|give|our|we|my)(?!\p{L})/iu

/** Whether only an outcome or a measure is said. */
const saysOneThing = ({ outcomes, bases, asksWhy, isShare, counts, unknown }: Slots): boolean =>
  outcomes.length + bases.length === 1 && !asksWhy && !isShare && !counts && unknown.length === 0

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
  /** The ids of the deals that the answer before lists, if the question is about them and no filter selects them. */
  readonly deals?: ReadonlyArray<string> | undefined
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
  /** The slots before those of the last follow-up. */
  let earlier: Slots | undefined
  for (const { question, namesRows, deals, answer, change, isRefused = false } of turns) {
    const other =
      reading &&
      (asListed(reading.slots, question) ??
        sortedByAmount(reading.slots, question) ??
        changeNames(earlier, reading.slots, question) ??
        chooseRow(reading.slots, question) ??
        compareAgain(earlier, reading.slots, question))
    earlier = reading?.slots
    if (other !== undefined) {
      reading = { slots: { ...other, today }, isFollowUp: true, isRefused, isLearned: false }
      continue
    }
    const asked = question.replace(OPENING, " ")
    const first = change ?? parse(asked, names, today)
    if (reading === undefined || !continuesReading({ question, namesRows, deals, change }, first, reading)) {
      reading = { slots: answer ?? parse(question, names, today), isFollowUp: false, isRefused, isLearned: false }
      isComing = looksAhead(question)
      continue
    }
    isComing = looksAhead(question, isComing)
    const near = otherYear(reading.slots, today)
    const continues = change === undefined && (near !== undefined || isComing)
    const slots = continues ? { ...parse(asked, names, { ...today, near, isComing }), today } : first
    const named = reading.isRefused && saysNumber(first) ? onlyNamed(reading.slots, names, today) : undefined
    const before = named ?? rowsOf(reading.slots, namesRows, deals)
    reading = {
      slots: leaveOutRows(replaceSlots(before, slots, question), names.names),
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

/** Whether a question depends on what was read before it. */
const continuesReading = (turn: Turn, said: Slots, { slots, isRefused }: Reading): boolean => {
  const { question, namesRows, deals, change } = turn
  if (BARE_NUMBER.test(question)) return true
  const isPart = REFERS.test(question.toLowerCase()) || (isShort(question) && BEGINS_INSIDE.test(question))
  if (isRefused && saysNumber(said) && !isPart) return false
  const isReference = change !== undefined || namesRows || deals !== undefined
  return (
    isReference ||
    SIGNS.some((depends) => depends(question, said)) ||
    (asksNoun(question) && isList(slots)) ||
    asksForDealOf(slots, question)
  )
}

const isList = (slots: Slots): boolean => makePlans(slots)[0]?.kind === "list"

/** Measures that count deals or add up their amounts. */
const OF_DEALS = /^(?:deals|amount(?:_won|_lost|_open)?)$/

/** A list of the deals of the question before, if the next one asks for facts that the list shows: "who owns them?" */
const asListed = (before: Slots, question: string): Slots | undefined => {
  if (before.unknown.length > 0 || !asksFacts(question)) return undefined
  const [plan] = makePlans(before)
  if (plan?.kind === "list") return before
  const isSum = plan?.kind === "report" && OF_DEALS.test(plan.measure) && plan.query.groupBy.length < 2
  const bases = before.bases.filter((base) => base === "pipeline" || base === "revenue")
  return isSum
    ? { ...before, bases, counts: false, head: "deal", lists: true, groups: [], grain: undefined, rank: undefined }
    : undefined
}

const BY_AMOUNT =
  /^\W*(?:(?:and|now|instead|please|can you|could you)\W+)*(?:(?:re)?(?:sort|order|rank)(?:ed)?(?: (?:it|that|this|them|those|these|the (?:list|deals)))? )?by (?:the |their |deal )?(?:amount|value|size|worth)(?:,? (?<low>asc(?:ending)?|smallest first|low(?:est)? (?:first|to high(?:est)?))|,? (?:desc(?:ending)?|(?:largest|biggest|highest) first|high(?:est)? (?:first|to low(?:est)?)))?\W*$/iu

/** "Sort by amount" after a list of deals: the same deals in that order. */
const sortedByAmount = (before: Slots, question: string): Slots | undefined => {
  const found = before.unknown.length > 0 ? null : BY_AMOUNT.exec(question)
  if (found === null || !isList(before)) return undefined
  const order = found.groups?.["low"] === undefined ? ("high" as const) : ("low" as const)
  return { ...before, rank: { order, word: order === "high" ? "largest" : "smallest", limit: before.rank?.limit } }
}

/** The slots of the question before that a question about rows of its answer keeps. */
const rowsOf = (before: Slots, namesRows: boolean, deals: Turn["deals"]): Slots => {
  if (deals === undefined) return namesRows ? withoutRanking(before) : before
  const ofDeals = { names: [], periods: [], conditions: { deal_ids: deals }, date: undefined, compare: undefined }
  return { ...withoutRanking(before), ...ofDeals, lists: true }
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
