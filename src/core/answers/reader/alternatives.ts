import { findUnused } from "../questions/plan/account.ts"
import { readConversation, type Turn } from "../questions/turns/conversation.ts"
import { isEnglish, putInEnglish, translate } from "../questions/languages/translate.ts"
import type { WorkspaceNames } from "../questions/words/names.ts"
import { parse } from "../questions/parse/parse.ts"
import type { Today } from "../questions/words/periods.ts"
import { makePlans, type Plan } from "../questions/plan/plan.ts"
import { replaceName } from "../questions/reply/refusal.ts"
import type { Slots } from "../questions/parse/slots.ts"
import type { Unknown } from "../questions/names/foundNames.ts"
import { planKey } from "./planKey.ts"
import type { Prediction } from "./predict.ts"
import { phrasePlan } from "./phrasePlan.ts"
import { readAgain, type Second } from "./readAgain.ts"
import { readFollowUp } from "./readFollowUp.ts"
import { describePlan } from "./wording.ts"

/** One of several readings of a question. */
export interface Alternative {
  /** Sets it apart from the others: "by fiscal quarter", "for Bastian Ilves". */
  readonly label: string
  /** A question that has this reading alone. */
  readonly question: string
  readonly plans: ReadonlyArray<Plan>
  readonly slots: Slots
}

/** A conversation as `readQuestions` reads it. */
export interface Conversation {
  readonly turns: ReadonlyArray<Turn>
  /** The last question as it was asked. */
  readonly asked: string
  readonly names: WorkspaceNames
  readonly today: Today
  readonly predict: (words: ReadonlyArray<string>) => Prediction
}

type Read = Pick<Alternative, "plans" | "slots">

/** The plans of both readers for the last question, put as `question`; undefined if they refuse it or differ. */
const readAs = ({ turns, names, today, predict }: Conversation, question: string): Read | undefined => {
  const { change, ...turn } = turns.at(-1)!
  const last = {
    ...turn,
    question: translate(question, names.names),
    change: change && readFollowUp([putInEnglish(question, names.names)], names, today, predict),
  }
  const reading = readConversation([...turns.slice(0, -1), last], names, today)
  if (reading === undefined) return undefined
  const { slots } = reading
  const plans = makePlans(slots)
  const isRead = slots.unknown.length === 0 && plans.length > 0 && findUnused(slots, plans).length === 0
  const english = reading.isFollowUp ? [] : [putInEnglish(question, names.names)]
  const grammar = { slots, plans, isRead, isTranslated: !isEnglish(question) }
  const second = readAgain(english, grammar, names, today, predict)
  if (second.kind === "read") return second
  return isRead && second.kind === "stands" ? { slots, plans } : undefined
}

/** More names than an answer compares. */
const MAX_NAMES = 4

/** A question for each of the names that a part can mean; none if another part is not understood, or there are too many. */
const namedAlternatives = (conversation: Conversation, unknown: ReadonlyArray<Unknown>): ReadonlyArray<Alternative> => {
  const [{ said, several = [] } = { said: "" }, ...others] = unknown
  if (others.length > 0 || several.length > MAX_NAMES) return []
  return allOrNone(
    several.map((name) => {
      const question = replaceName(conversation.asked, said, name)
      const read = question === conversation.asked ? undefined : readAs(conversation, question)
      return read && { label: `for ${name}`, question, ...read }
    }),
  )
}

const ORDINAL = "first|second|third|fourth|1st|2nd|3rd|4th"
const YEAR = String.raw`(?:(?:,? (?:of )?|[/-])20\d\d(?!\d)| ?'\d\d(?!\d)|,? (?:of )?(?:this|last) year)`
const BARE = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?<lead>in|im|en|au|for|during|of|over|within|since|after|before|until|through) )?(?:the )?(?:q[1-4]|h[12]|(?:${ORDINAL}) (?:quarter|half))${YEAR}?(?![\p{L}\p{N}])`,
  "giu",
)
const HALF = /h[12]|half/i
/** The word that says which year a quarter belongs to. */
export const YEAR_KIND = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?<kind>fiscal|calendar)(?: year)?[ ,]+(?=q[1-4]|h[12]|(?:${ORDINAL}) (?:quarter|half))`,
  "iu",
)
const SAYS_YEAR = /(?<!\p{L})(?:fiscal|financial|calendar|fy)(?!\p{L})/iu

/** The readings of a quarter or half by its number, where the workspace's fiscal year is not the calendar's: with the days of each. */
const quarterAlternatives = (conversation: Conversation): ReadonlyArray<Alternative> => {
  const { asked, names, today } = conversation
  const unit = asked.match(BARE)
  if (today.fiscalStart === 1 || unit === null || SAYS_YEAR.test(asked)) return []
  const word = unit.every((each) => HALF.test(each)) ? "half" : "quarter"
  return allOrNone(
    (["fiscal", "calendar"] as const).map((kind) => {
      const calendar = kind === "fiscal" ? today : { ...today, fiscalStart: 1 }
      const question = asked.replaceAll(BARE, (found, lead: string | undefined) => {
        const [{ from, to } = {}] = parse(found.slice(lead?.length ?? 0), names, calendar).periods
        return from === undefined || to === undefined ? found : inDays(lead?.toLowerCase(), from, to)
      })
      const meant = readAs({ ...conversation, today: calendar }, asked)
      if (meant === undefined) return undefined
      const read = readAs(conversation, question)
      const own = read !== undefined && planKey(read.plans) === planKey(meant.plans) ? { question, ...read } : undefined
      const isWhole = own !== undefined && conversation.turns.length === 1 && isEnglish(question)
      const chosen = isWhole ? own : (plainQuestion(conversation, meant.plans) ?? own)
      return chosen && { label: `by ${kind} ${word}`, ...chosen }
    }),
  )
}

const inDays = (lead: string | undefined, from: string, to: string): string =>
  lead === "since" || lead === "before"
    ? `${lead} ${from}`
    : lead === "after" || lead === "until" || lead === "through"
      ? `${lead} ${to}`
      : `from ${from} to ${to}`

/** Finds a plain question that both readers read as these plans outside the conversation. */
const plainQuestion = (conversation: Conversation, [plan, ...more]: ReadonlyArray<Plan>) => {
  if (plan === undefined || more.length > 0) return undefined
  const alone = { ...conversation, turns: [{ question: "", namesRows: false }] }
  for (const question of phrasePlan(plan, conversation.names)) {
    const read = readAs(alone, question)
    if (read !== undefined && planKey(read.plans) === planKey([plan])) return { question, ...read }
  }
  return undefined
}

/** The readings that the two readers differ in; fewer if no plain question has one of them. */
const plainAlternatives = (
  conversation: Conversation,
  readings: ReadonlyArray<ReadonlyArray<Plan>>,
): ReadonlyArray<Alternative> =>
  readings.flatMap((plans) => {
    const plain = plainQuestion(conversation, plans)
    return plain === undefined ? [] : [{ label: `as ${describePlan(plans[0]!)}`, ...plain }]
  })

const allOrNone = (all: ReadonlyArray<Alternative | undefined>): ReadonlyArray<Alternative> =>
  all.includes(undefined) ? [] : all.flatMap((each) => each ?? [])

const FILLER =
  /(?<![\p{L}\p{N}])(?:i mean|i meant|please|pls|the|one|ones|option|number|no|by|for|as|in|of|with|use|take|it|is|that|reading|and|what about|how about)(?![\p{L}\p{N}])/giu
const ORDINALS: ReadonlyArray<ReadonlySet<string>> = [
  new Set(["first", "1", "1st", "former"]),
  new Set(["second", "2", "2nd"]),
  new Set(["third", "3", "3rd"]),
  new Set(["fourth", "4", "4th"]),
]
/** Words of a choice, without those that say nothing. */
const MAX_WORDS = 6
const splitWords = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []

/** The words by which a message may choose one of the readings that the answer before offered; none if it is no choice. */
export const readChoice = (message: string): ReadonlyArray<string> => {
  const words = splitWords(message.replaceAll(FILLER, " "))
  return words.length > MAX_WORDS ? [] : words
}

/** The reading that a choice means: its place, or words that it alone has. */
export const choose = (
  words: ReadonlyArray<string>,
  alternatives: ReadonlyArray<Alternative>,
): Alternative | undefined => {
  const [word = "", ...more] = words
  if (more.length === 0) {
    const place = ORDINALS.findIndex((each) => each.has(word))
    if (place >= 0) return alternatives[place]
    if (word === "last" || word === "latter") return alternatives.at(-1)
  }
  const fitting = alternatives.filter(({ label }) => {
    const known = new Set([
      ...splitWords(label),
      ...(label.endsWith("quarter") || label.endsWith("half") ? ["year"] : []),
    ])
    return words.length > 0 && words.every((each) => known.has(each))
  })
  return fitting.length === 1 ? fitting[0] : undefined
}

/** The readings of a question that is understood but for its choice; fewer than two if there is nothing to choose. */
export const findAlternatives = (
  conversation: Conversation,
  unknown: ReadonlyArray<Unknown>,
  second: Second,
): ReadonlyArray<Alternative> => {
  if (second.kind === "differs") return plainAlternatives(conversation, second.readings)
  if (second.kind === "read" || unknown.length === 0) return quarterAlternatives(conversation)
  return namedAlternatives(conversation, unknown)
}
