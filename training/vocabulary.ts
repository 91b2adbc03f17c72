import { Vocabulary } from "../src/core/answers/reader/Vocabulary.ts"
import { isOtherLanguage, type Sentence } from "./sentences.ts"
import { GLOVE_DIMENSIONS } from "./vectors.ts"

/** Words of GloVe in the vocabulary that no sentence of the training has. */
const MAX_MORE = 14_000
/** Occurrences of a word that misspelt words are read as. */
const MIN_FREQUENT = 3

/** A word that fewer voices say may be its author's own. Another language than English has too few voices to know. */
const MIN_VOICES = 2

const UNKNOWN = "<unk>"

/** The words of a network, and how many there are of each kind: `<unk>`, the frequent ones, the other common ones, the other trained ones, the rest. */
export interface Words {
  readonly vocabulary: string
  /** They occur in the training. */
  readonly trained: number
  /** At least two voices say them in sentences that have an answer, or one in another language. */
  readonly common: number
  /** They also occur three times or more. */
  readonly frequent: number
  /** The GloVe vectors of the vocabulary, one after the other: zeros for words that GloVe lacks. */
  readonly vectors: Float64Array
  readonly numbersOf: (sentence: Sentence) => Int32Array
}

/** The voices that say each word in a sentence that has an answer. */
const voicesOf = (training: ReadonlyArray<Sentence>): ReadonlyMap<string, ReadonlySet<string>> => {
  const voices = new Map<string, Set<string>>()
  for (const { voice, tokens, labels } of training) {
    if (labels.heads.kind === "other" || labels.heads.kind === "foreign") continue
    for (const token of tokens) voices.set(token, (voices.get(token) ?? new Set()).add(voice))
  }
  return voices
}

export const wordsOf = (
  training: ReadonlyArray<Sentence>,
  vectors: ReadonlyMap<string, Float64Array>,
  maxTokens: number,
): Words => {
  const counts = new Map<string, number>()
  for (const token of training.flatMap(({ tokens }) => tokens)) counts.set(token, (counts.get(token) ?? 0) + 1)
  const voices = voicesOf(training)
  const isCommon = (word: string) => {
    const saying = [...(voices.get(word) ?? [])]
    return saying.length >= MIN_VOICES || saying.some(isOtherLanguage)
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  const common = sorted.filter(([word]) => isCommon(word))
  const own = sorted.filter(([word]) => !isCommon(word))
  const trained = [UNKNOWN, ...[...common, ...own].map(([word]) => word)]
  const more = [...vectors.keys()].filter((word) => /^[a-z]+$/.test(word) && !counts.has(word)).slice(0, MAX_MORE)
  const words = [...trained, ...more]
  const vocabulary = words.join(" ")
  const frequent = common.filter(([, count]) => count >= MIN_FREQUENT).length
  const numbers = new Vocabulary({ vocabulary, frequent })
  const all = new Float64Array(words.length * GLOVE_DIMENSIONS)
  words.forEach((word, n) => all.set(vectors.get(word) ?? [], n * GLOVE_DIMENSIONS))
  return {
    vocabulary,
    trained: trained.length,
    common: common.length + 1,
    frequent,
    vectors: all,
    numbersOf: ({ tokens }) => Int32Array.from(tokens.slice(0, maxTokens), (token) => numbers.numberOf(token)),
  }
}
