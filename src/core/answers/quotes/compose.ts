import { type Statement, divideStatements } from "../../search/rows.ts"
import type { Passage, SearchResult } from "../../search/SearchIndex.ts"
import type { Quote } from "../citations/References.ts"
import { type Evidence, isAnswer } from "./evidence.ts"
import { isInstruction, isQuestion, isSmallTalk } from "./instructions.ts"
import { containsExpected, type Expected, findExpected } from "./expected.ts"
import { splitSentences } from "../../common/sentences.ts"
import { findParts, type Part } from "./parts.ts"
import { TermMatcher, type TermSet } from "./TermMatcher.ts"
import type { Subject } from "../subjects/subject.ts"

/** Passages whose sentences are considered, the best first. */
const MAX_PASSAGES = 8

const MAX_QUOTES = 3

/** The share of the question's weight that a quoted sentence must contain itself, without its surroundings. */
const MIN_OWN = 0.05

/** The share that the best sentence and its passage must cover together. Below it there is no answer. */
const MIN_SUPPORT = 0.44

/** A sentence below this share of the best score is not quoted. */
const MIN_RELATIVE_SCORE = 0.35

/** The share of what the best sentence says of the question beside its subject that each other sentence about the subject must say. */
const MIN_SHARED = 0.5

/** The weight of a missing word: passages may use a synonym. Names and numbers have no synonyms and keep their weight. */
const MISSING_WORD_WEIGHT = 0.5

/** The part of the question that a quote must answer. */
export interface Focus {
  /** The passage of a quote has a word of this text: what the question asks about its subject. */
  readonly asked?: string
  readonly states?: ((statement: string) => boolean) | undefined
  /** The one competitor that the question is about: each text that was uploaded for it speaks about it. */
  readonly subject?: Pick<Subject, "id" | "name"> | undefined
}

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
  /** The sentence below the titles of its passage and table. */
  readonly titled: string
  /** The sentence before it; empty for a row. */
  readonly before: string
}

/**
 * Selects the sentences that answer a question best, or none. A sentence scores by the share of the question that it
 * contains, by what its neighbours and headings add, by the rank of its passage, and by whether it contains the expected
 * kind of thing. If the best sentence is about a name of the question, the others must be about it too.
 */
export const compose = (
  question: string,
  { passages, terms }: SearchResult,
  { asked = "", states = () => true, subject }: Focus = {},
): ReadonlyArray<Quote> => {
  const names = namesIn(question)
  const weighted = weighTerms(names, terms)
  const matcher = new TermMatcher(weighted)
  const expected = findExpected(question)
  const askedTerms = matcher.find(asked)
  const placeTerms = matcher.find(PLACE.exec(question)?.[1] ?? "")
  const subjectTerms = matcher.find(subject?.name ?? "")
  const bestScore = passages[0]?.score ?? 1
  const found = passages
    .slice(0, MAX_PASSAGES)
    .flatMap((passage) => {
      const given = subject !== undefined && passage.competitorId === subject.id ? subjectTerms : 0n
      return findCandidates(passage, { matcher, expected, rank: passage.score / bestScore, given, subjectTerms })
    })
    .filter(({ around }) => [askedTerms, placeTerms].every((sought) => sought === 0n || (sought & around) !== 0n))
    .filter(({ sentence, titled }) => states(sentence.isRow === true ? titled : sentence.text))
    .sort((a, b) => b.score - a.score)
  const candidates = selectNaming(findParts(question, subject?.name), found)
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
  // Most texts of a subject name it, and share a word or two.
  const matter = best.contained & ~subjectTerms
  const isOtherMatter = ({ contained }: Candidate) =>
    subject !== undefined && matcher.coverage(contained & matter) < MIN_SHARED * matcher.coverage(matter)
  return distinct(
    candidates.filter(
      (each) =>
        each.score >= MIN_RELATIVE_SCORE * best.score &&
        (namesInBest & ~each.around) === 0n &&
        !isOtherRow(each) &&
        !isOtherMatter(each),
    ),
  )
    .slice(0, MAX_QUOTES)
    .map(({ passage, sentence: { start, end } }) => ({ passage, start, end }))
}

/** The candidates that name every part of the question themselves; without one, those that follow such a sentence. */
const selectNaming = (parts: ReadonlyArray<Part>, candidates: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  if (parts.length === 0) return candidates
  const naming = candidates.filter(({ titled }) => parts.every(({ isIn }) => isIn(titled)))
  if (naming.length > 0) return naming
  return candidates.filter(({ titled, before }) => parts.every(({ isIn }) => isIn(`${before} ${titled}`)))
}

/** "What is on the roadmap for the mobile app?": a text about the app alone says nothing of the roadmap. */
const PLACE = /^\W*what(?:['’]s| is| are| was| were) (?:on|in) (?:the|our|your|their|its) (\p{L}+)/iu

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

const NO_STATEMENT = { text: "", found: 0n }

interface Search {
  readonly matcher: TermMatcher
  readonly expected: Expected
  readonly rank: number
  /** Terms that each sentence of the passage has without saying them. */
  readonly given: TermSet
  readonly subjectTerms: TermSet
}

const findCandidates = (
  passage: Passage,
  { matcher, expected, rank, given, subjectTerms }: Search,
): ReadonlyArray<Candidate> => {
  const sentences = divideStatements(passage, splitSentences)
  const captions = findCaptions(sentences, passage)
  const found = sentences.map(({ text }, n) =>
    isInstruction(text) ? 0n : matcher.find(`${captions[n] ?? ""} ${text}`) | given,
  )
  const written = writeTitle(passage)
  const title = matcher.find(written) | given
  const around = found.reduce((all: TermSet, each) => all | each, title)
  const whole = matcher.coverage(around)
  return sentences.flatMap((sentence, n) => {
    const before = n === 0 ? NO_STATEMENT : { text: sentences[n - 1]!.text, found: found[n - 1]! }
    const after = found[n + 1] ?? 0n
    const contained = found[n] ?? 0n
    const own = matcher.coverage(contained)
    const isBare = given !== 0n && (contained & ~subjectTerms) === 0n
    if (own < MIN_OWN || isBare || !isStatement(sentence.text) || isTitle(sentence, passage)) return []
    const near = matcher.coverage((before.found | after | title) & ~contained)
    const words = sentence.text.split(/\s+/).length
    const score =
      own +
      0.35 * near +
      0.5 * rank * whole +
      (containsExpected(sentence.text, expected) ? 0.15 : 0) -
      0.05 * Math.min(words / 50, 2) -
      (words < 4 ? 0.3 : 0)
    const isAlone = sentence.isRow === true || isSpoken(passage)
    return [
      {
        passage,
        sentence,
        score,
        support: (own + whole) / 2,
        around: isAlone ? contained | title : around,
        contained,
        near: contained | before.found | after,
        titled: `${written} ${captions[n] ?? ""} ${sentence.text}`,
        before: sentence.isRow === true ? "" : before.text,
      },
    ]
  })
}

/** For each row the line that stands as a title above its table: "On premises". */
const findCaptions = (statements: ReadonlyArray<Statement>, passage: Passage): ReadonlyArray<string> => {
  let caption = ""
  return statements.map((statement) => {
    if (statement.isRow === true) return caption
    caption = isTitle(statement, passage) ? statement.text : ""
    return ""
  })
}

const isStatement = (text: string) => !isQuestion(text) && !isInstruction(text) && !isSmallTalk(text)

const isSpoken = ({ place }: Passage) => "speaker" in place && place.speaker !== undefined

const writeTitle = ({ name, dealName, headings }: Passage) =>
  [name, dealName ?? "", ...headings].join(" ").replaceAll(/[^\p{L}\p{N}]+/gu, " ")

/** A heading, or a short separate line of prose without final punctuation, names a topic and states nothing. */
const isTitle = ({ text, end, isRow }: Statement, passage: Passage) =>
  passage.headings.includes(text) ||
  (isRow !== true &&
    text.split(/\s+/).length <= 8 &&
    /^\n\s*\n/.test(passage.text.slice(end)) &&
    !/[.!…:;"”)\d]$/.test(text))

/** Keeps the best candidate of each sentence. */
const distinct = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const seen = new Set<string>()
  return candidates.filter(({ sentence }) => {
    const key = sentence.text.toLowerCase().replaceAll(/\s+/g, " ")
    return !seen.has(key) && seen.add(key)
  })
}
