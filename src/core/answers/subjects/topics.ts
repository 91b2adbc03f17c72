import { findPriceOrder } from "../across/question.ts"
import { findParts, type Part } from "../quotes/parts.ts"
import type { QuestionReader } from "../QuestionReader.ts"
import { hasWord, nameTokens, NUMBER_WORDS, findStem } from "../words.ts"
import type { SubjectDeal, SubjectQuestion } from "./subject.ts"
import {
  BRIEF,
  BRIEF_TOPICS,
  FACTS,
  FILLER_WORDS,
  type Topic,
  type TopicPattern,
  TOPIC_PATTERNS,
  WHOLE,
} from "./vocabulary.ts"

/** "Raise its prices": the words of a question for a fact, and those of its statements. */
export interface AskedFact {
  readonly asked: string
  readonly statement: RegExp
  /** Any text about the competitor can state it. */
  readonly topics: ReadonlyArray<TopicPattern>
}

/** The topic of a question about its subject. */
export interface TopicRequest {
  readonly topics: ReadonlyArray<Topic>
  /** The deals of the subject that the question means, by outcome and by words of their names. */
  readonly deals: ReadonlyArray<SubjectDeal>
  /** The question asks for a brief. */
  readonly isBrief: boolean
  /** The question means one deal, of its client or by its name. */
  readonly isOfDeal: boolean
  /** The part of a competitor's topics that the question asks for: the statements that say it answer. */
  readonly detail?: Detail | undefined
}

/** "What does Orvanta charge for Business?" */
export interface Detail {
  /** The stems of all words of the question. */
  readonly said: ReadonlySet<string>
  /** The stems of the words outside of the topics: a statement has all of them, or a label that the question says. */
  readonly sought: ReadonlyArray<string>
  /** A statement, or a heading above it, names all of them. */
  readonly parts: ReadonlyArray<Part>
  /** The question asks for the lowest or highest price. */
  readonly order?: "lowest" | "highest" | undefined
  /** A statement has words of this fact, under whatever heading. */
  readonly fact?: AskedFact | undefined
}

/** Whether the question asks for less than its topics: they answer only where they say it. */
export const isNarrow = ({ sought, parts, order, fact }: Detail): boolean =>
  sought.length > 0 || parts.length > 0 || order !== undefined || fact !== undefined

/** Undefined if the question has words outside of topics: then a search by all its words answers it. */
export const readTopics = ({ subject, reader }: SubjectQuestion): TopicRequest | undefined => {
  const kind = subject.kind === "competitor" ? "competitor" : "deal"
  const outcome = findOutcome(reader.text)
  const isStrong = BRIEF.test(reader.text)
  const isOfDeal = asksForDeal(subject.kind, reader.text)
  const order = findOrder(kind, reader.text)
  const facts = takeFacts(kind, reader)
  const taken = TOPIC_PATTERNS[kind].filter((pattern) => takes(reader, pattern))
  const narrow = [...taken, ...facts.flatMap(({ topics }) => topics)]
  const whole = takes(reader, WHOLE[kind]) || !hasWord(reader.text)
  const topics = topicsOf(narrow.length > 0 ? narrow : [WHOLE[kind]])
  if (narrow.length === 0 && !whole) return undefined
  const rest = findRest(reader, kind, order !== undefined)
  // A brief on the subject is right whatever the occasion: "prepare me for the kick-off with Abelund Credit".
  const isBriefed = isStrong && whole && isOccasion(rest)
  const deals = findDeals(subject, outcome, rest, isBriefed)
  if (kind === "competitor" && narrow.length > 0 && !isStrong)
    return {
      topics,
      deals: [],
      isBrief: false,
      isOfDeal,
      detail: makeDetail(reader, subject.name, rest, order, facts[0]),
    }
  const plain = { topics, deals, isBrief: false, isOfDeal }
  if (whole && !isStrong && OF_TEXTS.test(reader.original)) return plain
  if (isBeyond(kind, rest, isBriefed, deals)) return undefined
  if (whole && (isStrong || narrow.length === 0) && outcome === undefined) {
    const isOfSome = isOfDeal || deals.length < subject.deals.length
    return { topics: BRIEF_TOPICS[kind], deals, isBrief: true, isOfDeal: isOfSome }
  }
  return plain
}

const makeDetail = (
  reader: QuestionReader,
  competitor: string,
  rest: ReadonlyArray<string>,
  order: Detail["order"],
  fact: AskedFact | undefined,
): Detail => {
  const { original } = reader
  const words = fact === undefined ? rest : rest.filter((word) => !SOON.test(word))
  const parts = findParts(original, competitor)
  return { said: stemsIn(original), sought: seekWords(reader, words), parts, order, fact }
}

/** Takes the words of all facts from a question, the most specific first. A brief has them anyway. */
const takeFacts = (kind: "competitor" | "deal", reader: QuestionReader): ReadonlyArray<AskedFact> => {
  if (kind === "deal" || BRIEF.test(reader.text)) return []
  return FACTS.flatMap(({ question, statement }) => {
    const match = reader.take(question)
    return match === undefined ? [] : [{ asked: match[0], statement, topics: [WHOLE[kind]] }]
  })
}

/** A fact of the next year says its date. */
const SOON = /^(?:year|month|quarter|soon|again|ever|already|lately|recently)$/

const findOrder = (kind: "competitor" | "deal", text: string) =>
  kind === "competitor" ? findPriceOrder(text) : undefined

/** Whether the question asks for more than the texts about its subject say. */
const isBeyond = (
  kind: "competitor" | "deal",
  rest: ReadonlyArray<string>,
  isBriefed: boolean,
  deals: ReadonlyArray<SubjectDeal>,
): boolean => (kind === "competitor" ? rest.length > 0 && !isBriefed : deals.length === 0)

/** The words outside of topics. */
const findRest = ({ text }: QuestionReader, kind: "competitor" | "deal", isOrdered: boolean): ReadonlyArray<string> =>
  splitWords(text).filter((word) => !FILLER_WORDS[kind].has(word) && !(isOrdered && SUPERLATIVE.test(word)))

/** The stems of the words outside of topics, and those that a topic has but that a statement must have too. */
const seekWords = ({ original }: QuestionReader, rest: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...rest, ...(/(?<!\p{L})discount/iu.test(original) ? ["discount"] : [])].map((word) => findStem(word.toLowerCase()))

/** "What does the battlecard say?" asks for its text, without the numbers of a brief. */
const OF_TEXTS =
  /(?<!\p{L})(?:battle ?cards?|documents?|docs|cards?|materials?) (?:say|says|said|mentions?|claims?)(?!\p{L})/iu

const asksForDeal = (kind: SubjectQuestion["subject"]["kind"], text: string) =>
  kind === "deal" || (kind === "client" && ONE_DEAL.test(text))

/** The deals of an outcome whose name has the words; with `orAll`, all of them if none has. */
const findDeals = (
  { deals }: SubjectQuestion["subject"],
  outcome: ReturnType<typeof findOutcome>,
  words: ReadonlyArray<string>,
  orAll: boolean,
) => {
  const ended = deals.filter((deal) => outcome === undefined || deal.outcome === outcome)
  const named = ended.filter(({ name }) => words.every((word) => splitWords(name.toLowerCase()).includes(word)))
  return named.length === 0 && orAll ? ended : named
}

const stemsIn = (text: string) => new Set(nameTokens(text.toLowerCase()).map(({ text }) => findStem(text)))

const topicsOf = (patterns: ReadonlyArray<TopicPattern>) => [...new Set(patterns.flatMap(({ topics }) => topics))]

/** The rest of a superlative when the topic has taken "price". */
const SUPERLATIVE = /^(?:lowest|highest|least|most|dearest|priciest|priced|cheapest)$/

const isOccasion = (words: ReadonlyArray<string>) =>
  words.length <= MAX_OCCASION_WORDS && !words.some((word) => PERIOD.test(word))

/** A brief has no period: "brief me on Orvanta last quarter" asks for something else. */
const PERIOD = /^(?:quarter|month|year|ytd|since|until|q[1-4]|h[12]|fy\d*|20\d\d)$/

/** Words of the occasion for a brief. */
const MAX_OCCASION_WORDS = 2

const ONE_DEAL = /(?<!\p{L})(?:deal|opportunity|opp|renewal|expansion|new business)(?!\p{L})/u

const takes = (reader: QuestionReader, { question }: TopicPattern) => {
  let taken = false
  while (reader.take(question) !== undefined) taken = true
  return taken
}

const splitWords = (text: string): ReadonlyArray<string> =>
  nameTokens(text).flatMap((token) =>
    /^\d{1,2}$/.test(token.text) || NUMBER_WORDS.includes(token.text) ? [] : [token.text.replace(/(?:\.|'s)+$/, "")],
  )

const findOutcome = (text: string): SubjectDeal["outcome"] | undefined =>
  /(?<!\p{L})(?:lose|lost|losing|loss|(?:over|instead of|ahead of|rather than) us)(?!\p{L})/u.test(text)
    ? "lost"
    : /(?<!\p{L})(?:win|won|winning|(?:pick(?:ed)?|choose|chose|prefer(?:red)?|go with|went with|sign(?:ed)? with) us)(?!\p{L})/u.test(
          text,
        )
      ? "won"
      : undefined
