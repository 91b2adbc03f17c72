import type { QuestionReader } from "../QuestionReader.ts"
import { hasWord, nameTokens } from "../words.ts"
import type { SubjectDeal, SubjectQuestion } from "./subject.ts"
import {
  BRIEF,
  BRIEF_TOPICS,
  FILLER_WORDS,
  type Topic,
  type TopicPattern,
  TOPIC_PATTERNS,
  WHOLE,
} from "./vocabulary.ts"

/** What a question asks about its subject. */
export interface TopicRequest {
  readonly topics: ReadonlyArray<Topic>
  /** The deals of the subject that the question means, by outcome and by words of their names. */
  readonly deals: ReadonlyArray<SubjectDeal>
  /** The question asks for a brief. */
  readonly isBrief: boolean
}

/** Undefined if the question has words outside of topics: then a search by all its words answers it. */
export const readTopics = ({ subject, reader }: SubjectQuestion): TopicRequest | undefined => {
  const kind = subject.kind === "competitor" ? "competitor" : "deal"
  const outcome = outcomeOf(reader.text)
  const isBrief = BRIEF.test(reader.text)
  const narrow = TOPIC_PATTERNS[kind].filter((pattern) => takes(reader, pattern))
  const whole = takes(reader, WHOLE[kind]) || !hasWord(reader.text)
  if (narrow.length === 0 && !whole) return undefined
  const rest = wordsOf(reader.text).filter((word) => !FILLER_WORDS[kind].has(word))
  const deals = subject.deals.filter(
    ({ name, outcome: ended }) =>
      (outcome === undefined || ended === outcome) && rest.every((word) => wordsOf(name.toLowerCase()).includes(word)),
  )
  if (kind === "competitor" ? rest.length > 0 : deals.length === 0) return undefined
  if (isBrief && whole) return { topics: BRIEF_TOPICS[kind], deals, isBrief }
  const patterns = narrow.length > 0 ? narrow : [WHOLE[kind]]
  return { topics: [...new Set(patterns.flatMap(({ topics }) => topics))], deals, isBrief: false }
}

const takes = (reader: QuestionReader, { question }: TopicPattern) => {
  let taken = false
  while (reader.take(question) !== undefined) taken = true
  return taken
}

const wordsOf = (text: string): ReadonlyArray<string> => nameTokens(text).map((token) => token.text.replace(/\.+$/, ""))

const outcomeOf = (text: string): SubjectDeal["outcome"] | undefined =>
  /(?<!\p{L})(?:lose|lost|losing|loss)(?!\p{L})/u.test(text)
    ? "lost"
    : /(?<!\p{L})(?:win|won|winning)(?!\p{L})/u.test(text)
      ? "won"
      : undefined
