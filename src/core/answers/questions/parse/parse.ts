import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import { QuestionReader } from "../../QuestionReader.ts"
import { takeAmount, takeScores } from "../words/amounts.ts"
import { takeCategories } from "./categories.ts"
import { findStep, takeComparison } from "./comparisons.ts"
import { takeConditions, takeOutcomes } from "./conditions.ts"
import { DEAL, phrase } from "../words/lexicon.ts"
import { findDoubtful, type FoundName, takeNames, type Unknown } from "../names/foundNames.ts"
import type { Outcome, WorkspaceNames } from "../words/names.ts"
import { takeJoined } from "./joined.ts"
import { findConflicts, parseHead, takeForm, takeMeasured, withPerformance } from "./parseForm.ts"
import { closesAhead, looksAhead, takePeriods, type Today } from "../words/periods.ts"
import { takeProperties } from "../words/properties.ts"
import { findOpposed, takeAllSides, WITH_AND_WITHOUT } from "./sides.ts"
import { leaveOutRows } from "./leaveOut.ts"
import type { Slots } from "./slots.ts"
import { findUnfit } from "./unfit.ts"
import { describeUnread, takeJoins } from "./unread.ts"

/** "What share of X is Y": X is between the first pattern and the second. */
const LIKES =
  /(?<!\p{L})(?:what|which) (?:features? )?(?:do|did) (?:our |the )?(?:customers|clients|buyers|prospects|people|they) (?:really |mostly |usually |often )?(?=like|love|dislike|hate|complain|praise)/u

const SHARE = phrase(
  String.raw`(?:(?:what(?:'s| is| are)?|which|the|how (?:much|big|large|high|many)) )*(?:an? |the )?(?:share|percentage|percent|proportion|part|fraction|portion|%|pct)s? of|how (?:much|many) of`,
)
const AND_WORTH = phrase(
  "and (?:what|how much)(?: (?:are|is|were|was|do|does))* (?:they|it|those|these)?(?: (?:are|is|add up to))* ?(?:worth|total)|and (?:their|its) (?:value|worth|amount)",
)
/** "Revenue mix by product": the share of each group. */
const MIX = phrase(String.raw`(?:mix|distribution|in percent)(?= (?:by|per|across|of) )`)
const ACCOUNTS_FOR = phrase("accounts? for|makes? up|contributes?(?: to)?|represents?")
const RATE_BEHIND = /^ (?:win )?(?:rates?|ratios?|percentages?)(?![\p{L}\p{N}])/u
const IN_PERCENT = phrase("in percent|percent(?:age)?|pct")
/** "What do customers ask for most?" */
const WISHES = phrase(
  String.raw`(?:what|which) (?:features? )?(?:do|did|are|have) (?:our |the )?(?:customers|clients|buyers|prospects|accounts|people|they) (?:mostly |usually |often )?(?:ask(?:ed|ing)?(?: us)? for|want|request(?:ed|ing)?|wish for|demand)`,
)
/** "An overview of the pipeline", "summarize last quarter": what the numbers are about follows. */
const SUMMARY = phrase(
  String.raw`(?:(?:(?:give|show|get|send) (?:me|us) )?(?:an? |the )?(?:(?:quick|short|brief|high[- ]level|executive) )*(?:overview|summary|run-?down|recap|snapshot)|summari[sz]e|(?:brief|update) (?:me|us))(?: (?:of|on|about|for)(?!\p{L}))?`,
)
const PERIOD = phrase(
  "(?:last|this|previous|past) (?:fiscal )?(?:week|month|quarter|year)|q[1-4]|h[12]|fy ?\\d\\d|20\\d\\d|ytd|since",
)
const OF_WHICH = phrase(
  String.raw`is|are|was|were|involves?|involved|includes?|included|(?:comes?|came) (?:from|out of)|go(?:es)? to|went to|have|has|had|names?|mentions?|do|did|belongs? to|sits? in|lies in|ends? up`,
)
/** Behind the place or time of the whole: "of lost deals in DACH where Nimbrel was the incumbent". */
const WHERE = /(?<=\|[\s|]*)(?:where|in which)(?!\p{L})/u
/** Words that can also belong to the whole: "what share of deals with Nimbrel were lost". */
const OF_WHICH_ALONE = phrase("against|with|(?:got )?lost|won")

const MAX_PARSED = 64
const parsed = new WeakMap<WorkspaceNames, Map<string, Slots>>()

/**
 * Reads a question slot by slot. Each step takes the words that it understands; `unknown` has the words that no step took. Remembers the last
 * questions with these names, because a turn of a conversation is read several times.
 */
export const parse = (question: string, names: WorkspaceNames, today: Today): Slots => {
  const known = parsed.get(names) ?? new Map<string, Slots>()
  parsed.set(names, known)
  const key = [today.now.getTime(), today.fiscalStart, today.near, today.isComing, question].join(" ")
  const found = known.get(key) ?? parseAnew(question, names, today)
  if (known.size >= MAX_PARSED) known.clear()
  known.set(key, found)
  return found
}

const parseAnew = (question: string, names: WorkspaceNames, today: Today): Slots => {
  const reader = new QuestionReader(question)
  const facts = takeFacts(reader, names, today)
  const { found, periods, comparison, share, conditions, having } = facts
  const measured = takeMeasured(reader, names, facts)
  const { aggregate, grain, rank } = measured
  const form = takeForm(reader, facts, measured)
  const { outcomes, side, counts, isSingular, lists, date, groups, isNamed } = form
  takeJoins(reader)
  const unread = describeUnread(reader)
  const bases = withPerformance(measured.bases, facts, form, unread.length === 0)
  const unfit = findUnfit({
    bases,
    found,
    aggregate,
    groups,
    head: form.head,
    rank,
    outcomes,
    names,
    periods,
    date: date?.field,
    conditions,
    isShare: share !== undefined,
    side: side.side,
    question: reader.original.toLowerCase(),
    today,
  })
  const slots: Slots = {
    bases,
    aggregate,
    counts,
    head: parseHead(facts, measured, form),
    isSingular,
    lists,
    groups,
    grain,
    rank,
    outcomes: share?.outcomes ?? outcomes,
    names: found,
    conditions: facts.filters,
    having,
    sides: facts.sides,
    date: date?.field,
    periods: periods.length > 0 ? periods : (comparison?.periods ?? []),
    compare: isNamed ? "named" : (comparison?.compare ?? measured.compare),
    asksWhy: side.asksWhy,
    side: side.side,
    whole: share?.whole,
    isShare: share !== undefined,
    unknown: [],
    today,
  }
  const unknown = [
    ...findDoubtful(found, conditions, outcomes, names),
    ...findConflicts({ periods, grain }, date?.said, facts.amount),
    ...unfit,
    ...findFormless(question, slots, form.isNegated, share?.isOfOne === true),
    ...(side.isBoth ? findOpposed(slots) : []),
    // A word of a part that is explained as a whole is not explained again.
    ...unread.filter(({ said }) => !unfit.some((part) => part.said.includes(said.toLowerCase()))),
  ]
  return { ...leaveOutRows(slots, names.names), unknown }
}

/** "The share of won revenue that comes from DACH", "what share of open deals is overdue": the whole lacks a condition. */
const isOfPart = ({ names, conditions, outcomes, whole }: Slots): boolean =>
  whole !== undefined &&
  (names.some(({ kind }) => !whole.names.some((each) => each.kind === kind)) ||
    Object.keys(conditions).some((key) => !(key in whole.conditions)) ||
    outcomes.length !== whole.outcomes.length)

/** "With and without", where no filter has one of the two: the deals in which a feature did not come up. */
const findHalves = (question: string, { sides }: Slots): ReadonlyArray<Unknown> =>
  sides?.length === 0
    ? [{ said: "with and without", as: "unfit" }]
    : sides === undefined && WITH_AND_WITHOUT.test(question)
      ? [{ said: "with and without", as: "other" }]
      : []

/** Parts that no report has together. `isOfOne`: the question asks for the share of one name. */
const findFormless = (question: string, slots: Slots, isNegated: boolean, isOfOne: boolean): ReadonlyArray<Unknown> => {
  const { head, groups, grain, bases, outcomes, having } = slots
  return [
    ...findHalves(question, slots),
    // "The share of Renewals in won deals per region" has a whole for each.
    ...((isOfOne || isOfPart(slots)) && (groups.length > 0 || grain !== undefined)
      ? [{ said: "share", as: "other" } as const]
      : []),
    // A rate is of decided deals, and so is the bound of their number.
    ...(having?.of === "deals" && outcomes.length === 1 && bases.some((base) => base.endsWith("rate"))
      ? [{ said: `${outcomes[0]} deals`, as: "conflict" } as const]
      : []),
    // "Which competitors did we not lose to" asks for those without a lost deal.
    ...(isNegated && head !== undefined && head !== "deal" ? [{ said: "not", as: "other" } as const] : []),
    // "Who won most, and why do we lose": each part has an outcome of its own.
    ...(slots.asksWhy && slots.rank !== undefined && outcomes.length > 1
      ? [{ said: "why", as: "other" } as const]
      : []),
    ...(outcomes.includes("open") && bases.some((base) => base.endsWith("rate"))
      ? [{ said: "open", as: "conflict" } as const]
      : []),
  ]
}

/** Takes names, conditions, periods and amounts: their words mean the same in any question. */
const takeFacts = (reader: QuestionReader, names: WorkspaceNames, today: Today) => {
  const properties = takeProperties(reader, names.properties)
  const categories = takeCategories(reader, names)
  // A name can contain any word, so names are taken before words.
  const { taken, isOfRenewals } = takeRenewalRate(reader, takeNames(reader, names))
  reader.keepCountry()
  const joined = takeJoined(reader, taken)
  const { found, sides } = takeAllSides(reader, joined)
  const asksForFeatures = reader.take(WISHES) !== undefined || reader.take(LIKES) !== undefined
  // A brief on a competitor or client has texts, and no period.
  const hasBrief = found.some(({ kind }) => kind === "competitor" || kind === "client") && !PERIOD.test(reader.text)
  const summarizes = !hasBrief && reader.take(SUMMARY) !== undefined
  const share = takeShare(reader, names, today)
  const { having, filters: conditions } = takeConditions(reader, today)
  const scores = takeScores(reader)
  const compared = takeComparison(reader, today)
  const periods = takePeriods(reader, today)
  // A deal that is to close by a coming day is open, as is one that closes in a period that is not over.
  const isOpen =
    (looksAhead(reader.original, today.isComing) && periods.some(({ from }) => from === undefined)) ||
    closesAhead(reader.text, periods, today)
  const step = findStep(compared, periods)
  const comparison = step === undefined ? compared : undefined
  const amount = takeAmount(reader)
  const filters: CanonicalFilters = {
    ...conditions,
    ...scores,
    ...(amount !== undefined && { amount }),
    ...properties.filters,
    ...categories,
  }
  return {
    found,
    isOfRenewals,
    asksForFeatures,
    summarizes,
    share,
    sides,
    having,
    conditions,
    filters,
    periods,
    isOpen,
    step,
    comparison,
    amount,
    propertyGroups: properties.groups,
  }
}

/** "Our renewal rate" is a measure, although "renewal" alone is a type of deals. */
const takeRenewalRate = (reader: QuestionReader, taken: ReadonlyArray<FoundName>) => {
  // "New business vs renewal win rate" is the win rate of both types.
  const types = new Set(taken.flatMap(({ kind, value }) => (kind === "deal_type" ? [value] : [])))
  if (types.size > 1) return { taken, isOfRenewals: false }
  for (const name of taken) {
    if (name.kind !== "deal_type" || !/^renewals?$/iu.test(name.said)) continue
    const rate = RATE_BEHIND.exec(reader.text.slice(name.end))
    if (rate === null) continue
    reader.takeRange(name.end, name.end + rate[0].length)
    return { taken: taken.filter((each) => each !== name), isOfRenewals: true }
  }
  return { taken, isOfRenewals: false }
}

const takeShare = (reader: QuestionReader, names: WorkspaceNames, today: Today): Share | undefined => {
  const asked = SHARE.exec(reader.text)
  // "How many of them are overdue, and what are they worth?" asks for a number and an amount.
  if (asked !== null && /^how many of$/.test(asked[0]) && AND_WORTH.test(reader.text)) {
    reader.takeRange(asked.index + asked[0].length - 2, asked.index + asked[0].length)
    return undefined
  }
  const share = reader.take(SHARE)
  if (share === undefined) return reader.take(MIX) === undefined ? undefined : { whole: undefined, outcomes: undefined }
  reader.take(ACCOUNTS_FOR)
  reader.take(IN_PERCENT)
  const from = share.index + share[0].length
  const among = /(?<!\p{L})(?:among|amongst|within|out of)(?: (?:the|our|all))*(?!\p{L})/u.exec(reader.text.slice(from))
  if (among !== null) {
    reader.takeRange(from + among.index, from + among.index + among[0].length)
    return {
      whole: parse(reader.original.slice(from + among.index + among[0].length), names, today),
      outcomes: undefined,
    }
  }
  // "The share of Logistics in the money we won".
  const within = OF_ONE_IN.exec(reader.text.slice(from))
  if (within !== null) {
    const start = from + within[0].length
    return { whole: parse(reader.original.slice(start), names, today), outcomes: undefined, isOfOne: true }
  }
  const verb = findVerb(reader.text.slice(from))
  if (verb === undefined) return { whole: undefined, outcomes: undefined }
  // In "what percentage of decided deals do we win" the part is "win": "decided" names the whole.
  const { outcomes } = takeOutcomes(new QuestionReader(reader.original.slice(from + verb)))
  return {
    whole: parse(reader.original.slice(from, from + verb), names, today),
    outcomes: outcomes.length > 0 ? outcomes : undefined,
  }
}

interface Share {
  readonly whole: Slots | undefined
  readonly outcomes: ReadonlyArray<Outcome> | undefined
  /** The question asks for the share of one name. */
  readonly isOfOne?: boolean
}

/** Words for the whole that a share can be of. */
const WHOLES = phrase(
  `${DEAL}|pipe(?:line)?|revenues?|arr|bookings?|loss(?:es)?|wins?|business|amounts?|values?|money|customers?|clients?|accounts?|mentions|requests`,
)

/** A name, and the whole that its share is in. */
const OF_ONE_IN = /^[\s|]*\|[\s|]*(?:in|of|within) (?=(?:the|our|all|total|won|lost|open)(?!\p{L}))/u

/** The offset of the verb after the whole: of "had" in "won deals had Orvanta". */
const findVerb = (text: string): number | undefined => {
  const whole = WHOLES.exec(text)
  const from = whole === null ? 0 : whole.index + whole[0].length
  const rest = text.slice(from)
  const verb = OF_WHICH.exec(rest) ?? WHERE.exec(rest) ?? OF_WHICH_ALONE.exec(rest)
  return verb === null ? undefined : from + verb.index
}
