import { HEAD_NAMES, FLAG_NAMES, type Head } from "./labels.ts"
import type { Sentence } from "./sentences.ts"
import { GLOVE_DIMENSIONS } from "./vectors.ts"

/** The first numbers of a word's vector: a projection of its GloVe vector, with the same matrix for all words. */
export const SHARED = 48
/** The other numbers of a word's vector, learned for each word of the training. All other words have those of `<unk>`. */
export const OWN = 32
export const DIMENSIONS = SHARED + OWN
/** Words that a filter sees, and filters of each width. */
export const WIDTHS = [1, 2, 3, 4] as const
export const FILTERS = 96
export const FEATURES = WIDTHS.length * FILTERS
/** Filters' rows of one word: each filter of width k has k of them. */
export const ROWS = FILTERS * WIDTHS.reduce<number>((sum, width) => sum + width, 0)

/** The first row of the filters of a width. The row of a filter's position is `firstRow + position * FILTERS + filter`. */
export const firstRow = (width: number): number => (FILTERS * width * (width - 1)) / 2

/** The classes of each head. The outputs of the network are these one after the other, then the flags. */
export type Classes = Readonly<Record<Head, ReadonlyArray<string>>>

export const classesOf = (sentences: ReadonlyArray<Sentence>): Classes =>
  Object.fromEntries(
    HEAD_NAMES.map((head) => [head, [...new Set(sentences.map(({ labels }) => labels.heads[head]))].toSorted()]),
  ) as unknown as Classes

/** The range of a head's classes among the outputs. */
export interface Span {
  readonly start: number
  readonly end: number
}

export const spansOf = (classes: Classes): ReadonlyArray<Span> => {
  let end = 0
  return HEAD_NAMES.map((head) => ({ start: end, end: (end += classes[head].length) }))
}

const LABEL_SMOOTHING = 0.05

/** The probabilities that the outputs should have: smoothed for classes, 0 or 1 for flags. */
export const targetOf = ({ labels }: Sentence, classes: Classes): Float64Array =>
  Float64Array.from([
    ...HEAD_NAMES.flatMap((head) =>
      classes[head].map(
        (each) => LABEL_SMOOTHING / classes[head].length + (each === labels.heads[head] ? 1 - LABEL_SMOOTHING : 0),
      ),
    ),
    ...FLAG_NAMES.map((flag) => Number(labels.flags.has(flag))),
  ])

/** The offset of each kind of parameter in the array of all. */
export interface Layout {
  /** GLOVE_DIMENSIONS for each trained word, added to its GloVe vector. */
  readonly delta: number
  /** OWN for each trained word. */
  readonly own: number
  /** SHARED x GLOVE_DIMENSIONS. */
  readonly projection: number
  /** ROWS x DIMENSIONS. */
  readonly filters: number
  /** One for each filter, by width. */
  readonly filterBiases: number
  /** FEATURES for each output. */
  readonly outputs: number
  readonly outputBiases: number
  readonly length: number
}

export const layoutOf = (trained: number, outputs: number): Layout => {
  let end = 0
  const take = (length: number) => (end += length) - length
  return {
    delta: take(trained * GLOVE_DIMENSIONS),
    own: take(trained * OWN),
    projection: take(SHARED * GLOVE_DIMENSIONS),
    filters: take(ROWS * DIMENSIONS),
    filterBiases: take(FEATURES),
    outputs: take(outputs * FEATURES),
    outputBiases: take(outputs),
    length: end,
  }
}
