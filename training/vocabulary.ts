import { Vocabulary } from "../src/core/answers/reader/Vocabulary.ts"
import type { Sentence } from "./sentences.ts"
import { GLOVE_DIMENSIONS } from "./vectors.ts"

/** Words of GloVe in the vocabulary that no sentence of the training has. */
const MAX_MORE = 14_000
/** Occurrences of a word that misspelt words are read as. */
const MIN_FREQUENT = 3

const UNKNOWN = "<unk>"

/** The words of a network: `trained` of them occur in the training, `frequent` three times or more, beside `<unk>`. */
export interface Words {
  readonly vocabulary: string
  readonly trained: number
  readonly frequent: number
  /** The GloVe vectors of the vocabulary, one after the other: zeros for words that GloVe lacks. */
  readonly vectors: Float64Array
  readonly numbersOf: (sentence: Sentence) => Int32Array
}

export const wordsOf = (
  training: ReadonlyArray<Sentence>,
  vectors: ReadonlyMap<string, Float64Array>,
  maxTokens: number,
): Words => {
  const counts = new Map<string, number>()
  for (const token of training.flatMap(({ tokens }) => tokens)) counts.set(token, (counts.get(token) ?? 0) + 1)
  const trained = [UNKNOWN, ...[...counts].sort(([, a], [, b]) => b - a).map(([word]) => word)]
  const more = [...vectors.keys()].filter((word) => /^[a-z]+$/.test(word) && !counts.has(word)).slice(0, MAX_MORE)
  const words = [...trained, ...more]
  const vocabulary = words.join(" ")
  const frequent = [...counts.values()].filter((count) => count >= MIN_FREQUENT).length
  const numbers = new Vocabulary({ vocabulary, frequent })
  const all = new Float64Array(words.length * GLOVE_DIMENSIONS)
  words.forEach((word, n) => all.set(vectors.get(word) ?? [], n * GLOVE_DIMENSIONS))
  return {
    vocabulary,
    trained: trained.length,
    frequent,
    vectors: all,
    numbersOf: ({ tokens }) => Int32Array.from(tokens.slice(0, maxTokens), (token) => numbers.numberOf(token)),
  }
}
