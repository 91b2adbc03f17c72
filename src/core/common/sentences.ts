/** A sentence without surrounding white space: `text.slice(start, end)`. */
export interface Sentence {
  readonly start: number
  readonly end: number
  readonly text: string
}

const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" })

/** A line break inside a sentence: the next line begins in lower case or with a bracket. */
const WRAPPED = /\r?\n(?=[\p{Ll}(])/gu

/** Sentence ends that the segmenter misses: before a number, and after a note in brackets. */
const ENDS = /(?<=[\p{L}\p{N})"”][.!?]["”’)]?(?:\[[^\]\n]{1,20}\])*)\s+(?=[\p{Lu}\p{N}"“])/gu

/** Abbreviations and initials, whose full stop ends no sentence: "J. Smith", "the U.S. market", "No. 5". */
const ABBREVIATION =
  /(?:^|[\s("“])(?:\p{Lu}|(?:\p{L}\.)+\p{L}|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Nos?|vs|cf|approx|est|[Ff]igs?|[Vv]ol|[Ss]ec|pp?|Gen|Gov|Sen|Rep|Capt|Lt|Col|Sgt|Mt|Ft)\.\s*$/u

/** The sentences of a text, in order. A line break ends a sentence unless the next line continues it. */
export const splitSentences = (text: string): ReadonlyArray<Sentence> => {
  const flowing = text.replaceAll(WRAPPED, (line) => " ".repeat(line.length))
  const ends = new Set<number>()
  for (const { index, segment } of SENTENCES.segment(flowing)) ends.add(index + segment.length)
  for (const { index } of flowing.matchAll(ENDS)) ends.add(index)
  const sentences: Array<Sentence> = []
  let from = 0
  for (const to of [...ends].sort((a, b) => a - b)) {
    const part = flowing.slice(from, to)
    if (to < text.length && ABBREVIATION.test(part) && !part.endsWith("\n")) continue
    const trimmed = text.slice(from, to).trim()
    const start = from + part.length - part.trimStart().length
    if (trimmed !== "") sentences.push({ start, end: start + trimmed.length, text: trimmed })
    from = to
  }
  return sentences
}
