import { findFrame, type Stretch } from "./pauses.ts"
import type { Segment } from "./segments.ts"

/** A spoken word and its time in seconds. */
export interface Word {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Parses a CTM file (utterance, channel, start, length, word, confidence). An utterance's name is its index in `kept`, the stretches of the recording it was made from. */
export const wordsOf = (ctm: string, kept: ReadonlyArray<ReadonlyArray<Stretch>>): ReadonlyArray<Word> =>
  ctm.split("\n").flatMap((line) => {
    const [utterance, , start, length, word = ""] = line.trim().split(/\s+/)
    const parts = kept[Number(utterance)]
    const first = Math.round(Number(start) * 100)
    const last = first + Math.round(Number(length) * 100) - 1
    // `you(2)` is a variant pronunciation of `you`; `<sil>` and `[NOISE]` are not words.
    const text = word.replace(/\(\d+\)$/, "")
    return parts === undefined || !(last >= first) || !/^\w/.test(text)
      ? []
      : [{ start: findFrame(parts, first) / 100, end: (findFrame(parts, last) + 1) / 100, text }]
  })

/** Seconds: the silence that ends a segment, and a segment's maximum length. */
const MIN_SILENCE_SECONDS = 0.4
const MAX_SEGMENT_SECONDS = 12

/** Joins words spoken without a pause. */
export const joinWords = (words: ReadonlyArray<Word>): ReadonlyArray<Segment> => {
  const segments: Array<Segment> = []
  for (const { start, end, text } of words.toSorted((a, b) => a.start - b.start)) {
    const last = segments.at(-1)
    if (last !== undefined && start - last.end < MIN_SILENCE_SECONDS && end - last.start <= MAX_SEGMENT_SECONDS) {
      segments[segments.length - 1] = { ...last, end, text: `${last.text} ${text}` }
    } else segments.push({ start, end, text })
  }
  return segments
}
