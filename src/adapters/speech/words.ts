import { frameOf, type Stretch } from "./pauses.ts"
import type { Segment } from "./segments.ts"

/** A word and when it was said, in seconds. */
export interface Word {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Words of a CTM file (utterance, channel, start, length, word, confidence), whose utterances are named by the number of what was `kept` of the recording to make them. */
export const wordsOf = (ctm: string, kept: ReadonlyArray<ReadonlyArray<Stretch>>): ReadonlyArray<Word> =>
  ctm.split("\n").flatMap((line) => {
    const [utterance, , start, length, word = ""] = line.trim().split(/\s+/)
    const parts = kept[Number(utterance)]
    const first = Math.round(Number(start) * 100)
    const last = first + Math.round(Number(length) * 100) - 1
    // `you(2)` is a way to say `you`; `<sil>` and `[NOISE]` are no words.
    const text = word.replace(/\(\d+\)$/, "")
    return parts === undefined || !(last >= first) || !/^\w/.test(text)
      ? []
      : [{ start: frameOf(parts, first) / 100, end: (frameOf(parts, last) + 1) / 100, text }]
  })

/** A silence that ends a segment, and the longest a segment may be: seconds. */
const SILENCE = 0.4
const LONGEST = 12

/** Words joined as they were said without a pause. */
export const spoken = (words: ReadonlyArray<Word>): ReadonlyArray<Segment> => {
  const segments: Array<Segment> = []
  for (const { start, end, text } of words.toSorted((a, b) => a.start - b.start)) {
    const last = segments.at(-1)
    if (last !== undefined && start - last.end < SILENCE && end - last.start <= LONGEST) {
      segments[segments.length - 1] = { ...last, end, text: `${last.text} ${text}` }
    } else segments.push({ start, end, text })
  }
  return segments
}
