import type { Effect } from "../finding.ts"
import { type Word, splitWords } from "../find/words.ts"
import { NEGATIONS, NEGATIVE, PHRASES, POSITIVE, QUESTION, SARCASM } from "./lexicon.ts"

/** A negation reaches this many words. */
const REACH = 4

/** The words and signs between two thoughts. */
const CLAUSE = /[;:—–]|,?\s+\b(?:but|however|although|though|whereas|while|yet|except|despite)\b/gi

/** Verbs after which a thing is wanted or planned, not judged. */
const WANTED =
  /\b(?:need|needs|want|wants|wanted|looking for|look at|looked at|ask|asked|asks|interested|plan|phase|list|mentioned|show|see)\b/i

interface Clause {
  readonly start: number
  readonly end: number
}

const splitClauses = (sentence: string): ReadonlyArray<Clause> => {
  const clauses: Array<Clause> = []
  let start = 0
  for (const { 0: mark, index } of sentence.matchAll(CLAUSE)) {
    clauses.push({ start, end: index })
    start = index + mark.length
  }
  return [...clauses, { start, end: sentence.length }]
}

/** The sum of what a text says: above 0 good, below 0 bad; undefined if it says nothing of either. */
const judge = (text: string, skipped: ReadonlyArray<Clause>): number | undefined => {
  let rest = text.toLowerCase().replaceAll("’", "'")
  for (const { start, end } of skipped)
    rest = rest.slice(0, start) + "x".repeat(Math.max(end - start, 0)) + rest.slice(end)
  let sum = 0
  let isSaid = false
  for (const [phrase, effect] of PHRASES) {
    rest = rest.replaceAll(phrase, (found) => {
      sum += 2 * effect
      isSaid ||= effect !== 0
      return "x".repeat(found.length)
    })
  }
  const words = splitWords(rest)
  for (const [at, word] of words.entries()) {
    const effect = valueOf(word)
    if (effect === 0) continue
    isSaid = true
    sum += isNegated(words, at) ? -effect : effect
  }
  return isSaid ? sum : undefined
}

const valueOf = ({ key }: Word) => (POSITIVE.has(key) ? 1 : NEGATIVE.has(key) ? -1 : 0)

const isNegated = (words: ReadonlyArray<Word>, at: number) =>
  words.slice(Math.max(at - REACH, 0), at).filter(({ key }) => NEGATIONS.has(key)).length % 2 === 1

const judgeEffect = (sum: number | undefined): Effect | null =>
  sum === undefined || sum === 0 ? null : sum > 0 ? "positive" : "negative"

const turn = (effect: Effect | null): Effect | null =>
  effect === "positive" ? "negative" : effect === "negative" ? "positive" : effect

/**
 * The judgement of a sentence on the thing at `target`, by its words: positive, negative, neutral for a question or a wish, null if it
 * says nothing or both. The thing's own name does not count.
 */
export const effectOn = (sentence: string, target: Clause): Effect | null => {
  const clause =
    splitClauses(sentence).find(({ start, end }) => target.start >= start && target.start < end) ??
    ({ start: 0, end: sentence.length } satisfies Clause)
  const within = { start: target.start - clause.start, end: target.end - clause.start }
  const own = judge(sentence.slice(clause.start, clause.end), [within])
  // "{thing} is fast, but …": what another clause says is of something else, unless this one says nothing.
  const sum = own ?? judge(sentence, [target])
  const effect = judgeEffect(sum)
  if (SARCASM.test(sentence)) return effect === "positive" ? "negative" : effect === "negative" ? "negative" : null
  if (QUESTION.test(sentence) || (own === undefined && WANTED.test(sentence))) return "neutral"
  return effect
}

/** The judgement of a whole sentence, by its words. */
export const effectOf = (sentence: string): Effect | null =>
  QUESTION.test(sentence) ? "neutral" : judgeEffect(judge(sentence, []))

const BEFORE_THAN = /\b(?:than|compared (?:to|with)|unlike|over|instead of|ahead of|behind)\s+(?:the\s+)?$/i
const THAN_US = /\b(?:than (?:you|yours|your|us|ours|what you)|ahead of you|over you)\b/i

/** The judgement of a sentence on us: what is better than us speaks against us. */
export const effectOnUs = (sentence: string): Effect | null =>
  THAN_US.test(sentence) ? turn(effectOf(sentence)) : effectOf(sentence)

/** The buyer left or ruled out the competitor: "we tried them and gave up". */
const LEFT =
  /\b(?:left|leave|leaving|dropped|out|gave up|moved away|replace|replacing|tired of|ruled out|eliminated)\b/i
const LEANS = /\b(?:leaning|lean|prefers?|preferred|favou?rs?|ahead|cheaper|discount|incumbent)\b/i

/** The effect on us of what a sentence says of a competitor: what speaks for them speaks against us. */
export const effectOfCompetitor = (sentence: string, target: Clause): Effect | null => {
  if (QUESTION.test(sentence)) return "neutral"
  const before = sentence.slice(0, target.start)
  const after = sentence.slice(target.end)
  const judged = judgeEffect(judge(sentence, [target]))
  // "You are better than them": the praise is ours.
  if (BEFORE_THAN.test(before)) return judged
  if (LEFT.test(sentence)) return "positive"
  if (LEANS.test(sentence) || (THAN_US.test(after) && judged !== "negative")) return "negative"
  return turn(judged)
}
