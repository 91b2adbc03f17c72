import { splitSentences } from "../../common/sentences.ts"
import type { Side } from "../finding.ts"
import type { Turn } from "../inputs/turns.ts"
import { splitWords } from "../find/words.ts"

/** A sentence of a turn, by offsets in the document's text. */
export interface Sentence {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly side: Side
  readonly speaker: string | undefined
  readonly second: number | undefined
}

/** The sentences of a turn; a heading has none. The second of a sentence is that of its turn. */
export const sentencesOfTurn = (
  { text, start, speaker, from, isHeading }: Turn,
  sideOf: (speaker: string | undefined) => Side,
): ReadonlyArray<Sentence> =>
  isHeading
    ? []
    : splitSentences(text).map((each) => ({
        text: each.text,
        start: start + each.start,
        end: start + each.end,
        side: sideOf(speaker),
        speaker,
        second: from,
      }))

/** Words of a side in spoken turns, its questions, and the longest time that one speaker spoke. */
export interface Talk {
  readonly words: Readonly<Record<Side, number>>
  readonly questions: Readonly<Record<Side, number>>
  readonly longest: Monologue | null
}

interface Monologue {
  readonly speaker: string | null
  readonly side: Side
  readonly words: number
  /** Null without times. */
  readonly seconds: number | null
  readonly start: number
  readonly end: number
}

const none = (): Record<Side, number> => ({ buyer: 0, seller: 0, unknown: 0 })

/** Who talked how much. Undefined for a document without speakers. */
export const measureTalk = (
  turns: ReadonlyArray<Turn>,
  sentences: ReadonlyArray<Sentence>,
  sideOf: (speaker: string | undefined) => Side,
): Talk | undefined => {
  const spoken = turns.filter(({ speaker, isHeading }) => speaker !== undefined && !isHeading)
  if (new Set(spoken.map(({ speaker }) => speaker)).size < 2) return undefined
  const words = none()
  const questions = none()
  let longest: Monologue | null = null
  let current: Monologue | null = null
  let firstSecond: number | undefined
  for (const turn of spoken) {
    const side = sideOf(turn.speaker)
    const count = splitWords(turn.text).length
    words[side] += count
    const goesOn: boolean = current !== null && current.speaker === turn.speaker
    if (!goesOn) firstSecond = turn.from
    current = {
      speaker: turn.speaker ?? null,
      side,
      words: (goesOn ? current!.words : 0) + count,
      seconds: turn.to === undefined || firstSecond === undefined ? null : Math.max(turn.to - firstSecond, 0),
      start: goesOn ? current!.start : turn.start,
      end: turn.start + turn.text.length,
    }
    if (longest === null || current.words > longest.words) longest = current
  }
  for (const { side, text, speaker } of sentences) if (speaker !== undefined && /\?\W*$/.test(text)) questions[side]++
  return { words, questions, longest }
}

/** A promise of one side. */
export interface NextStep {
  readonly side: Side
  readonly speaker: string | null
  readonly quote: string
  readonly start: number
  readonly end: number
  /** The same side took it back later in the document. */
  readonly isWithdrawn: boolean
}

const PROMISE =
  /\b(?:i|we)(?:'ll| will| shall|'re going to| are going to|'m going to| am going to) (?!see\b|be\b|have\b|need\b|not\b|never\b|look\b|say\b|think\b)[a-z]+|\blet me (?:send|get back|check|schedule|book|set up|prepare|arrange)\b|^next steps?\b/i
const ACTION =
  /\b(?:send|share|sign|schedule|book|set up|prepare|arrange|bring|introduce|review|confirm|call|email|mail|forward|draft|order|pay|return|deliver|provide|get back|come back|meet|visit|test|pilot|decide|invite|ask|talk)\b/i
const TAKEN_BACK =
  /\b(?:can't|cannot|can not|won't|will not|not going to|take (?:that|it|this) back|off the table|no longer|after all|cancel(?:led|ed)?|called off|not happen(?:ing)?|withdraw|changed our mind|postponed?)\b/i

/** Whether a sentence promises an action. */
export const isPromise = (sentence: string): boolean =>
  PROMISE.test(sentence) && ACTION.test(sentence) && !/\?\W*$/.test(sentence)

/** Whether a sentence says that something does not happen after all. */
export const isTakenBack = (sentence: string): boolean => TAKEN_BACK.test(sentence)

/** Words that say what is promised. */
const findSubject = (text: string) =>
  new Set(splitWords(text).flatMap(({ key }) => (key.length >= 4 && !COMMON.has(key) ? [key] : [])))
const COMMON = new Set(
  "will that this with them then after would could about going from what your have said been come back take".split(" "),
)
const MIN_SHARED = 2

/** Promises of actions, in order. */
export const findNextSteps = (sentences: ReadonlyArray<Sentence>): ReadonlyArray<NextStep> =>
  sentences.flatMap(({ text, side, speaker, start, end }, at) => {
    if (!isPromise(text)) return []
    const subject = findSubject(text)
    const isWithdrawn = sentences.slice(at + 1).some((later) => {
      if (later.side !== side || !isTakenBack(later.text)) return false
      const shared = [...findSubject(later.text)].filter((word) => subject.has(word)).length
      return shared >= Math.min(MIN_SHARED, subject.size)
    })
    return [{ side, speaker: speaker ?? null, quote: text, start, end, isWithdrawn }]
  })
