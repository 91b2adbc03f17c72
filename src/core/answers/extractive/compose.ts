import { type Statement, divideStatements } from "../../search/rows.ts"
import type { Passage, SearchResult } from "../../search/SearchIndex.ts"
import type { Quote } from "../citations/References.ts"
import { type Evidence, isAnswer } from "./evidence.ts"
import { isInstruction, isQuestion, isSmallTalk } from "./instructions.ts"
import { containsExpected, type Expected, findExpected } from "./expected.ts"
import { splitSentences } from "../../common/sentences.ts"
import { TermMatcher, type TermSet } from "./TermMatcher.ts"

/** Passages whose sentences are considered, the best first. */
const MAX_PASSAGES = 8

const MAX_QUOTES = 3

/** The share of the question's weight that a quoted sentence must contain itself, without its surroundings. */
const MIN_OWN = 0.05

/** The share that the best sentence and its passage must cover together. Below it there is no answer. */
const MIN_SUPPORT = 0.44

/** A sentence below this share of the best score is not quoted. */
const MIN_RELATIVE_SCORE = 0.35

/** The weight of a missing word: passages may use a synonym. Names and numbers have no synonyms and keep their weight. */
const MISSING_WORD_WEIGHT = 0.5

interface Candidate {
  readonly passage: Passage
  readonly sentence: Statement
  readonly score: number
  readonly support: number
  /** Terms of the question in its passage, or in a row itself, with the headings and the name of the document. */
  readonly around: TermSet
  /** Terms of the question in the sentence itself. */
  readonly contained: TermSet
  /** Terms of the question in the sentence and its neighbours. */
  readonly near: TermSet
}

/**
 * Selects the sentences that answer a question best, or none. A sentence scores by the share of the question that it
 * contains, by what its neighbours and headings add, by the rank of its passage, and by whether it contains the expected
 * kind of thing. If the best sentence is about a name of the question, the others must be about it too.
 */
export const compose = (
  question: string,
  { passages, terms }: SearchResult,
  /** The passage of a quote has a word of this text: what the question asks about its subject. */
  asked = "",
  isCandidate: (sentence: string) => boolean = () => true,
): ReadonlyArray<Quote> => {
  const names = namesIn(question)
  const weighted = weighTerms(names, terms)
  const matcher = new TermMatcher(weighted)
  const expected = findExpected(question)
  const askedTerms = matcher.find(asked)
  const bestScore = passages[0]?.score ?? 1
  const candidates = passages
    .slice(0, MAX_PASSAGES)
    .flatMap((passage) => findCandidates(passage, matcher, expected, passage.score / bestScore))
    .filter(({ around }) => askedTerms === 0n || (askedTerms & around) !== 0n)
    .filter(({ sentence }) => isCandidate(sentence.text))
    .sort((a, b) => b.score - a.score)
  const best = candidates[0]
  if (best === undefined || Math.max(...candidates.map(({ support }) => support)) < MIN_SUPPORT) return []
  const named = matcher.find([...names].join(" "))
  if (!isAnswer(rate(best, weighted, matcher, named, expected))) return []
  if (!isAboutSubject(question, candidates)) return []
  const namesInBest = best.around & named
  // The rows of a table share its words, and those of a call its people and topics: another row or sentence answers only if it has all
  // that the best one has.
  const isAlike = ({ passage, sentence }: Candidate) =>
    best.sentence.isRow === true ? sentence.isRow === true : isSpoken(best.passage) && isSpoken(passage)
  const isOtherRow = (each: Candidate) => isAlike(each) && (best.contained & ~each.contained) !== 0n
  return distinct(
    candidates.filter(
      (each) =>
        each.score >= MIN_RELATIVE_SCORE * best.score && (namesInBest & ~each.around) === 0n && !isOtherRow(each),
    ),
  )
    .slice(0, MAX_QUOTES)
    .map(({ passage, sentence: { start, end } }) => ({ passage, start, end }))
}

/** "What does Salesforce charge?", "does Nimbrel …": a name that is the subject of the question. */
const SUBJECT = /(?<=^|\s)(?:does|do|did|is|has) ((?:\p{Lu}[\p{L}\p{N}]*(?:\s+|(?=\W|$)))+)/u

/** Whether a text has the name that is the subject: sentences about others answer nothing about it. */
const isAboutSubject = (question: string, candidates: ReadonlyArray<Candidate>): boolean => {
  const subject = SUBJECT.exec(question)?.[1]?.trim().toLowerCase()
  if (subject === undefined) return true
  const [word = ""] = subject.split(/\s+/)
  return candidates.some(({ passage }) => `${writeTitle(passage)} ${passage.text}`.toLowerCase().includes(word))
}

const rate = (
  { sentence, contained, near, around }: Candidate,
  terms: SearchResult["terms"],
  matcher: TermMatcher,
  named: TermSet,
  expected: Expected,
): Evidence => {
  const has = (set: TermSet, index: number) => ((set >> BigInt(index)) & 1n) === 1n
  const missing = terms.flatMap((_, index) => (has(around, index) ? [] : [index]))
  const rarest = terms.reduce((best, { idf }, index) => (idf > terms[best]!.idf ? index : best), 0)
  return {
    found: terms.length - missing.length,
    missing: missing.length,
    missingNames: missing.filter((index) => has(named, index)).length,
    own: matcher.coverage(contained),
    near: matcher.coverage(near),
    whole: matcher.coverage(around),
    hasRarest: has(contained, rarest),
    lacks: containsExpected(sentence.text, expected) ? undefined : expected,
  }
}

/** The capitalised words and the numbers of a question, in lower case. */
const namesIn = (question: string): ReadonlySet<string> =>
  new Set(question.match(/[\p{Lu}\p{N}][\p{L}\p{N}]*/gu)?.map((name) => name.toLowerCase()))

const weighTerms = (names: ReadonlySet<string>, terms: SearchResult["terms"]) =>
  terms.map((term) =>
    term.forms.length > 0 || names.has(term.word) ? term : { ...term, idf: term.idf * MISSING_WORD_WEIGHT },
  )

const findCandidates = (
  passage: Passage,
  matcher: TermMatcher,
  expected: Expected,
  rank: number,
): ReadonlyArray<Candidate> => {
  const sentences = divideStatements(passage, splitSentences)
  const found = sentences.map(({ text }) => (isInstruction(text) ? 0n : matcher.find(text)))
  const title = matcher.find(writeTitle(passage))
  const around = found.reduce((all: TermSet, each) => all | each, title)
  const whole = matcher.coverage(around)
  return sentences.flatMap((sentence, n) => {
    const contained = found[n] ?? 0n
    const own = matcher.coverage(contained)
    if (own < MIN_OWN || !isStatement(sentence.text) || isTitle(sentence, passage)) return []
    const near = matcher.coverage(((found[n - 1] ?? 0n) | (found[n + 1] ?? 0n) | title) & ~contained)
    const words = sentence.text.split(/\s+/).length
    const score =
      own +
      0.35 * near +
      0.5 * rank * whole +
      (containsExpected(sentence.text, expected) ? 0.15 : 0) -
      0.05 * Math.min(words / 50, 2) -
      (words < 4 ? 0.3 : 0)
    return [
      {
        passage,
        sentence,
        score,
        support: (own + whole) / 2,
        around: sentence.isRow === true || isSpoken(passage) ? contained | title : around,
        contained,
        near: contained | (found[n - 1] ?? 0n) | (found[n + 1] ?? 0n),
      },
    ]
  })
}

const isStatement = (text: string) => !isQuestion(text) && !isInstruction(text) && !isSmallTalk(text)

const isSpoken = ({ place }: Passage) => "speaker" in place && place.speaker !== undefined

const writeTitle = ({ name, dealName, headings }: Passage) =>
  [name, dealName ?? "", ...headings].join(" ").replaceAll(/[^\p{L}\p{N}]+/gu, " ")

/** A heading, or a short separate line without final punctuation, names a topic and states nothing. */
const isTitle = ({ text, end }: Statement, passage: Passage) =>
  passage.headings.includes(text) ||
  (text.split(/\s+/).length <= 8 && /^\n\s*\n/.test(passage.text.slice(end)) && !/[.!…:;"”)\d]$/.test(text))

/** Keeps the best candidate of each sentence. */
const distinct = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const seen = new Set<string>()
  return candidates.filter(({ sentence }) => {
    const key = sentence.text.toLowerCase().replaceAll(/\s+/g, " ")
    return !seen.has(key) && seen.add(key)
  })
}
