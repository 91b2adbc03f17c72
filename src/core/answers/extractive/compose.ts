import type { Passage, SearchResult } from "../../search/SearchIndex.ts"
import type { Quote } from "../citations/References.ts"
import { isDirected, isQuestion } from "./directed.ts"
import { type Expected, expectedOf, holds } from "./expected.ts"
import { type Found, Matcher } from "./matching.ts"
import { type Sentence, sentencesOf } from "./sentences.ts"

/** Passages whose sentences are considered, the best first. */
const PASSAGES = 8

/** Sentences that are quoted. */
const MOST_QUOTES = 3

/** How much of the question, by weight, a sentence must say itself: what stands around it is no reason to quote it. */
const OWN = 0.05

/** How much of the question the best sentence and its passage must cover, or there is no answer here. */
const SUPPORT = 0.44

/** A sentence this much worse than the best is left out. */
const CLOSE = 0.35

/** What an ordinary word weighs that was not found: the passages may say it in another. Of names and numbers there is no other. */
const ORDINARY = 0.5

interface Candidate {
  readonly passage: Passage
  readonly sentence: Sentence
  readonly score: number
  readonly support: number
  /** Words of the question that stand in its passage, headings and name of the document included. */
  readonly around: Found
}

/**
 * The sentences that answer a question best, each with its offsets in its passage's text; none where the passages hold no
 * answer. What decides: how much of the question a sentence says, what the sentences beside it and the headings add, how
 * well its passage was found, and whether it holds the kind of thing that was asked for. Where the best speaks of a name of
 * the question, the others must: what is said of another's is no answer.
 */
export const compose = (question: string, { passages, terms }: SearchResult): ReadonlyArray<Quote> => {
  const names = namesIn(question)
  const matcher = new Matcher(weighed(names, terms))
  const expected = expectedOf(question)
  const most = passages[0]?.score ?? 1
  const candidates = passages
    .slice(0, PASSAGES)
    .flatMap((passage) => candidatesOf(passage, matcher, expected, passage.score / most))
    .sort((a, b) => b.score - a.score)
  const best = candidates[0]
  if (best === undefined || Math.max(...candidates.map(({ support }) => support)) < SUPPORT) return []
  const named = best.around & matcher.find([...names].join(" "))
  return distinct(candidates.filter(({ score, around }) => score >= CLOSE * best.score && (named & ~around) === 0n))
    .slice(0, MOST_QUOTES)
    .map(({ passage, sentence: { start, end } }) => ({ passage, start, end }))
}

/** Words of a question that are written large, and its numbers, in lower case. */
const namesIn = (question: string): ReadonlySet<string> =>
  new Set(question.match(/[\p{Lu}\p{N}][\p{L}\p{N}]*/gu)?.map((name) => name.toLowerCase()))

const weighed = (names: ReadonlySet<string>, terms: SearchResult["terms"]) =>
  terms.map((term) => (term.forms.length > 0 || names.has(term.word) ? term : { ...term, idf: term.idf * ORDINARY }))

const candidatesOf = (
  passage: Passage,
  matcher: Matcher,
  expected: Expected,
  rank: number,
): ReadonlyArray<Candidate> => {
  const sentences = sentencesOf(passage.text)
  const found = sentences.map(({ text }) => (isDirected(text) ? 0n : matcher.find(text)))
  const title = matcher.find(titleOf(passage))
  const around = found.reduce((all: Found, each) => all | each, title)
  const whole = matcher.coverage(around)
  return sentences.flatMap((sentence, n) => {
    const said = found[n] ?? 0n
    const own = matcher.coverage(said)
    if (own < OWN || isQuestion(sentence.text) || isDirected(sentence.text) || isTitle(sentence, passage)) return []
    const near = matcher.coverage(((found[n - 1] ?? 0n) | (found[n + 1] ?? 0n) | title) & ~said)
    const words = sentence.text.split(/\s+/).length
    const score =
      own +
      0.35 * near +
      0.5 * rank * whole +
      (holds(sentence.text, expected) ? 0.15 : 0) -
      0.05 * Math.min(words / 50, 2) -
      (words < 4 ? 0.3 : 0)
    return [{ passage, sentence, score, support: (own + whole) / 2, around }]
  })
}

const titleOf = ({ name, dealName, headings }: Passage) =>
  [name, dealName ?? "", ...headings].join(" ").replaceAll(/[^\p{L}\p{N}]+/gu, " ")

/** A heading, or a short line on its own that ends like one, says what follows is about, and nothing of it. */
const isTitle = ({ text, end }: Sentence, passage: Passage) =>
  passage.headings.includes(text) ||
  (text.split(/\s+/).length <= 8 && /^\n\s*\n/.test(passage.text.slice(end)) && !/[.!…:;"”)\d]$/.test(text))

/** The same sentence is quoted once, from where it stands best. */
const distinct = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const seen = new Set<string>()
  return candidates.filter(({ sentence }) => {
    const key = sentence.text.toLowerCase().replaceAll(/\s+/g, " ")
    return !seen.has(key) && seen.add(key)
  })
}
