import type { Segment } from "./segments.ts"

/** A word and when it was said, in seconds. */
export interface Word {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Words of a CTM file (utterance, channel, start, length, word, confidence), whose utterances are named by the frame of 10 ms at which they begin. */
export const wordsOf = (ctm: string): ReadonlyArray<Word> =>
  ctm.split("\n").flatMap((line) => {
    const [from, , start, length, word = ""] = line.trim().split(/\s+/)
    const at = Number(from) / 100 + Number(start)
    // `you(2)` is a way to say `you`; `<sil>` and `[NOISE]` are no words.
    const text = word.replace(/\(\d+\)$/, "")
    return Number.isFinite(at) && /^\w/.test(text) ? [{ start: at, end: at + Number(length), text }] : []
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
