/** A trained network, as `training/train.ts` writes it. */
export interface Weights {
  /**
   * Words with a blank between. The first is `<unk>`, for every word that is not among the first `trained`: those of the
   * training's sentences, which have vectors. The others are words that are no misspelling of these.
   */
  readonly vocabulary: string
  readonly trained: number
  /** `<unk>` and the words that at least two voices of the training, or one in another language, say in sentences that have an answer. */
  readonly common: number
  /** The common words after `<unk>` that occur three times or more. A misspelt word is read as one of them. */
  readonly frequent: number
  /** The classes of each question that the network answers about a sentence. */
  readonly heads: Readonly<Record<string, ReadonlyArray<string>>>
  /** Statements about a sentence that are true or false. */
  readonly flags: ReadonlyArray<string>
  /** Rows of signed bytes, each with the scale of its row, as base64 of little-endian numbers; `Network` has their order. */
  readonly data: string
}

/** Numbers of a word's vector. */
const DIMENSIONS = 80
/** Words that a filter sees, and filters of each width. */
const WIDTHS = [1, 2, 3, 4] as const
const FILTERS = 96
const FEATURES = WIDTHS.length * FILTERS

/** Longer sentences are cut. */
export const MAX_WORDS = 36

interface Rows {
  readonly values: Float32Array
  readonly biases: Float32Array
}

/** The probability of each class of each head, and of each flag. */
export interface Probabilities {
  readonly heads: Readonly<Record<string, ReadonlyMap<string, number>>>
  readonly flags: ReadonlyMap<string, number>
}

/** A convolutional network over the words of a sentence: each filter says how well its best place in the sentence matches. */
export class Network {
  readonly #heads: Weights["heads"]
  readonly #flags: Weights["flags"]
  readonly #trained: number
  readonly #vectors: Float32Array
  readonly #filters: ReadonlyArray<Rows>
  readonly #outputs: ReadonlyArray<Rows>

  constructor({ trained, heads, flags, data }: Weights) {
    const read = new Reading(data)
    this.#heads = heads
    this.#flags = flags
    this.#trained = trained
    this.#vectors = read.rows(trained, DIMENSIONS, false).values
    this.#filters = WIDTHS.map((width) => read.rows(FILTERS, width * DIMENSIONS, true))
    this.#outputs = [...Object.values(heads), flags].map(({ length }) => read.rows(length, FEATURES, true))
  }

  /** `words`: the numbers of the words in the vocabulary. */
  classify(words: ReadonlyArray<number>): Probabilities {
    const features = this.#featuresOf(this.#vectorsOf(words.slice(0, MAX_WORDS)))
    const scores = this.#outputs.map((rows) => apply(rows, features))
    return {
      heads: Object.fromEntries(
        Object.entries(this.#heads).map(([head, classes], index) => {
          const shares = softmax(scores[index]!)
          return [head, new Map(classes.map((each, n) => [each, shares[n]!]))]
        }),
      ),
      flags: new Map(this.#flags.map((flag, n) => [flag, 1 / (1 + Math.exp(-scores.at(-1)![n]!))])),
    }
  }

  /** The vectors of the words, between as many zeros as the widest filter needs. */
  #vectorsOf(words: ReadonlyArray<number>): Float32Array {
    const margin = Math.max(...WIDTHS) - 1
    const vectors = new Float32Array((words.length + 2 * margin) * DIMENSIONS)
    words.forEach((word, index) => {
      const known = word < this.#trained ? word : 0
      const vector = this.#vectors.subarray(known * DIMENSIONS, (known + 1) * DIMENSIONS)
      vectors.set(vector, (index + margin) * DIMENSIONS)
    })
    return vectors
  }

  #featuresOf(vectors: Float32Array): Float32Array {
    const features = new Float32Array(FEATURES)
    const length = vectors.length / DIMENSIONS
    this.#filters.forEach(({ values, biases }, index) => {
      const size = WIDTHS[index]! * DIMENSIONS
      for (let filter = 0; filter < FILTERS; filter++) {
        // A window of zeros, which every sentence has beside it, scores 0.
        let best = 0
        for (let start = 0; start + WIDTHS[index]! <= length; start++) {
          let score = 0
          const [from, weights] = [start * DIMENSIONS, filter * size]
          for (let n = 0; n < size; n++) score += vectors[from + n]! * values[weights + n]!
          if (score > best) best = score
        }
        features[index * FILTERS + filter] = Math.max(best + biases[filter]!, 0)
      }
    })
    return features
  }
}

const apply = ({ values, biases }: Rows, features: Float32Array): Float32Array =>
  biases.map((bias, row) => {
    let score = bias
    for (let n = 0; n < FEATURES; n++) score += features[n]! * values[row * FEATURES + n]!
    return score
  })

const softmax = (scores: Float32Array): Float32Array => {
  const highest = Math.max(...scores)
  const powers = scores.map((score) => Math.exp(score - highest))
  const sum = powers.reduce((total, power) => total + power, 0)
  return powers.map((power) => power / sum)
}

/** Reads the rows in their order: vectors of words, filters by width, heads, flags. */
class Reading {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(data: string) {
    const text = atob(data)
    this.#bytes = new Uint8Array(text.length)
    for (let n = 0; n < text.length; n++) this.#bytes[n] = text.charCodeAt(n)
  }

  /** The scale of each row, its bias if it has one, and its values as bytes. */
  rows(count: number, size: number, hasBias: boolean): Rows {
    const scales = new Float32Array(this.#take(count * 4))
    const biases = hasBias ? new Float32Array(this.#take(count * 4)) : new Float32Array()
    const bytes = new Int8Array(this.#take(count * size))
    const values = new Float32Array(bytes.length)
    for (let n = 0; n < bytes.length; n++) values[n] = bytes[n]! * scales[Math.floor(n / size)]!
    return { values, biases }
  }

  #take(length: number): ArrayBuffer {
    const from = this.#at
    this.#at += length
    return this.#bytes.slice(from, this.#at).buffer as ArrayBuffer
  }
}
