import { FLAG_NAMES } from "./labels.ts"
import { multiply, softmax } from "./numbers.ts"
import type { Random } from "./random.ts"
import {
  type Classes,
  DIMENSIONS,
  FEATURES,
  FILTERS,
  firstRow,
  type Layout,
  layoutOf,
  OWN,
  ROWS,
  SHARED,
  type Span,
  spansOf,
  WIDTHS,
} from "./shape.ts"
import { GLOVE_DIMENSIONS } from "./vectors.ts"
import type { Words } from "./vocabulary.ts"

const DROPOUT = 0.5
/** The share of words that are read as unknown during training. */
const WORD_DROPOUT = 0.08
/** A missed flag costs as much as two false ones: most flags are false. */
const POSITIVE_WEIGHT = 2
const FLAGS_WEIGHT = 10

export interface Example {
  readonly words: Int32Array
  /** The probability of each output. */
  readonly target: Float64Array
}

/** The network of `src/core/answers/reader/network.ts`, with gradients. */
export class TrainedNetwork {
  readonly layout: Layout
  readonly parameters: Float64Array
  readonly gradients: Float64Array
  readonly outputs: number
  readonly #spans: ReadonlyArray<Span>
  readonly #words: Words
  /** The words of the batch: their rows in the arrays below. */
  readonly #slotOf: Int32Array
  #wordOf: Array<number> = []
  #vectors = new Float64Array(0)
  #products = new Float64Array(0)
  readonly #scores = new Float64Array(FILTERS)
  readonly #embedding = new Float64Array(GLOVE_DIMENSIONS)

  constructor(words: Words, classes: Classes, random: Random) {
    this.#words = words
    this.#spans = spansOf(classes)
    this.outputs = this.#spans.at(-1)!.end + FLAG_NAMES.length
    this.layout = layoutOf(words.trained, this.outputs)
    this.parameters = new Float64Array(this.layout.length)
    this.gradients = new Float64Array(this.layout.length)
    this.#slotOf = new Int32Array(words.vectors.length / GLOVE_DIMENSIONS).fill(-1)
    this.#initialize(random)
  }

  #initialize(random: Random): void {
    const { own, projection, filters, filterBiases, outputs, outputBiases, length } = this.layout
    const fill = (start: number, end: number, valueOf: () => number) => {
      for (let n = start; n < end; n++) this.parameters[n] = valueOf()
    }
    const within = (inputs: number) => () => (2 * random.uniform() - 1) / Math.sqrt(inputs)
    fill(own, projection, () => random.normal() * 0.3)
    fill(projection, filters, within(GLOVE_DIMENSIONS))
    WIDTHS.forEach((width, index) => {
      const start = filters + firstRow(width) * DIMENSIONS
      fill(start, start + width * FILTERS * DIMENSIONS, within(width * DIMENSIONS))
      const biases = filterBiases + index * FILTERS
      fill(biases, biases + FILTERS, within(width * DIMENSIONS))
    })
    fill(outputs, outputBiases, within(FEATURES))
    fill(outputBiases, length, within(FEATURES))
    fill(length - FLAG_NAMES.length, length, () => -2)
  }

  /** The probabilities of the outputs for each sentence, one after the other. */
  probabilities(sentences: ReadonlyArray<Int32Array>): Float64Array {
    const { features } = this.#features(sentences)
    return this.#probabilitiesOf(features, sentences.length)
  }

  /** Adds the gradients of a batch; returns its loss. */
  learn(batch: ReadonlyArray<Example>, random: Random): number {
    const sentences = batch.map(({ words }) => words.map((word) => (random.uniform() < WORD_DROPOUT ? 0 : word)))
    const { features, places } = this.#features(sentences)
    for (let n = 0; n < features.length; n++) {
      features[n] = random.uniform() < DROPOUT ? 0 : features[n]! / (1 - DROPOUT)
    }
    const scores = this.#probabilitiesOf(features, batch.length)
    const loss = this.#lossOf(scores, batch)
    const slopes = this.#learnOutputs(features, scores, batch.length)
    this.#learnFilters(slopes, features, places, sentences)
    return loss
  }

  /** Gives each word of the batch a slot, with its vector and its product with each row of the filters. */
  #place(sentences: ReadonlyArray<Int32Array>): void {
    for (const word of this.#wordOf) this.#slotOf[word] = -1
    this.#wordOf = []
    for (const word of sentences.flatMap((words) => [...words])) {
      if (this.#slotOf[word] === -1) this.#slotOf[word] = this.#wordOf.push(word) - 1
    }
    const count = this.#wordOf.length
    if (this.#products.length < count * ROWS) {
      this.#vectors = new Float64Array(count * DIMENSIONS)
      this.#products = new Float64Array(count * ROWS)
    }
    for (let slot = 0; slot < count; slot++) {
      this.#embed(this.#wordOf[slot]!, slot * DIMENSIONS)
      multiply(this.parameters, this.layout.filters, this.#vectors, slot * DIMENSIONS, this.#products, slot * ROWS)
    }
  }

  /** The GloVe vector of a word with what the training has added to it. */
  #embeddingOf(word: number): Float64Array {
    const isTrained = word < this.#words.trained
    for (let n = 0; n < GLOVE_DIMENSIONS; n++) {
      const at = word * GLOVE_DIMENSIONS + n
      this.#embedding[n] = this.#words.vectors[at]! + (isTrained ? this.parameters[this.layout.delta + at]! : 0)
    }
    return this.#embedding
  }

  #embed(word: number, to: number): void {
    const embedding = this.#embeddingOf(word)
    for (let row = 0; row < SHARED; row++) {
      const at = this.layout.projection + row * GLOVE_DIMENSIONS
      let sum = 0
      for (let n = 0; n < GLOVE_DIMENSIONS; n++) sum += this.parameters[at + n]! * embedding[n]!
      this.#vectors[to + row] = sum
    }
    const own = this.#ownOf(word)
    for (let n = 0; n < OWN; n++) this.#vectors[to + SHARED + n] = this.parameters[own + n]!
  }

  #ownOf(word: number): number {
    return this.layout.own + (word < this.#words.trained ? word : 0) * OWN
  }

  /** The vector of a word: SHARED numbers, then OWN. */
  vectorOf(word: number): Float64Array {
    if (this.#vectors.length === 0) this.#vectors = new Float64Array(DIMENSIONS)
    this.#embed(word, 0)
    return this.#vectors.slice(0, DIMENSIONS)
  }

  /** The features of each sentence, and where in the sentence each filter matched best: undefined beside it, on zeros. */
  #features(sentences: ReadonlyArray<Int32Array>) {
    this.#place(sentences)
    const features = new Float64Array(sentences.length * FEATURES)
    const places = new Int32Array(sentences.length * FEATURES).fill(NOWHERE)
    sentences.forEach((words, index) => {
      WIDTHS.forEach((width, order) => {
        const to = index * FEATURES + order * FILTERS
        for (let start = 1 - width; start < words.length; start++) {
          this.#scoreWindow(words, start, width)
          for (let filter = 0; filter < FILTERS; filter++) {
            if (this.#scores[filter]! <= features[to + filter]!) continue
            features[to + filter] = this.#scores[filter]!
            places[to + filter] = start
          }
        }
        const biases = this.layout.filterBiases + order * FILTERS
        for (let filter = 0; filter < FILTERS; filter++) {
          features[to + filter] = Math.max(features[to + filter]! + this.parameters[biases + filter]!, 0)
        }
      })
    })
    return { features, places }
  }

  #scoreWindow(words: Int32Array, start: number, width: number): void {
    const [scores, products] = [this.#scores, this.#products]
    scores.fill(0)
    for (let position = Math.max(0, -start); position < width && start + position < words.length; position++) {
      const at = this.#slotOf[words[start + position]!]! * ROWS + firstRow(width) + position * FILTERS
      for (let filter = 0; filter < FILTERS; filter++) scores[filter] = scores[filter]! + products[at + filter]!
    }
  }

  #probabilitiesOf(features: Float64Array, count: number): Float64Array {
    const results = new Float64Array(count * this.outputs)
    const { outputs, outputBiases } = this.layout
    for (let index = 0; index < count; index++) {
      const row = results.subarray(index * this.outputs, (index + 1) * this.outputs)
      for (let output = 0; output < this.outputs; output++) {
        const [weights, from] = [outputs + output * FEATURES, index * FEATURES]
        let score = this.parameters[outputBiases + output]!
        for (let n = 0; n < FEATURES; n++) score += this.parameters[weights + n]! * features[from + n]!
        row[output] = score
      }
      for (const { start, end } of this.#spans) softmax(row.subarray(start, end))
      for (let n = this.#spans.at(-1)!.end; n < this.outputs; n++) row[n] = 1 / (1 + Math.exp(-row[n]!))
    }
    return results
  }

  /** Replaces the probabilities by the slopes of the loss; returns the loss. */
  #lossOf(scores: Float64Array, batch: ReadonlyArray<Example>): number {
    const firstFlag = this.#spans.at(-1)!.end
    const share = FLAGS_WEIGHT / FLAG_NAMES.length
    let loss = 0
    batch.forEach(({ target }, index) => {
      for (let n = 0; n < this.outputs; n++) {
        const [at, wanted] = [index * this.outputs + n, target[n]!]
        const found = scores[at]!
        if (n < firstFlag) {
          loss -= wanted * Math.log(found + TINY)
          scores[at] = (found - wanted) / batch.length
        } else {
          const weight = POSITIVE_WEIGHT * wanted
          loss -= share * (weight * Math.log(found + TINY) + (1 - wanted) * Math.log(1 - found + TINY))
          scores[at] = (share * (found * (weight + 1 - wanted) - weight)) / batch.length
        }
      }
    })
    return loss / batch.length
  }

  /** Adds the gradients of the outputs' rows; returns the slopes of the features. */
  #learnOutputs(features: Float64Array, slopes: Float64Array, count: number): Float64Array {
    const { outputs, outputBiases } = this.layout
    const [parameters, gradients] = [this.parameters, this.gradients]
    const back = new Float64Array(count * FEATURES)
    for (let index = 0; index < count; index++) {
      const from = index * FEATURES
      for (let output = 0; output < this.outputs; output++) {
        const slope = slopes[index * this.outputs + output]!
        const at = outputs + output * FEATURES
        gradients[outputBiases + output] = gradients[outputBiases + output]! + slope
        for (let n = 0; n < FEATURES; n++) {
          gradients[at + n] = gradients[at + n]! + slope * features[from + n]!
          back[from + n] = back[from + n]! + slope * parameters[at + n]!
        }
      }
    }
    return back
  }

  /** Adds the gradients of filters and words: only those of the window at which a filter matched best. */
  #learnFilters(
    slopes: Float64Array,
    features: Float64Array,
    places: Int32Array,
    sentences: ReadonlyArray<Int32Array>,
  ): void {
    const { filters, filterBiases } = this.layout
    const [parameters, gradients, vectors] = [this.parameters, this.gradients, this.#vectors]
    const back = new Float64Array(this.#wordOf.length * DIMENSIONS)
    for (let n = 0; n < features.length; n++) {
      // Dropped out, or below 0.
      if (features[n]! <= 0) continue
      const slope = slopes[n]! / (1 - DROPOUT)
      const [feature, words, place] = [n % FEATURES, sentences[Math.floor(n / FEATURES)]!, places[n]!]
      gradients[filterBiases + feature] = gradients[filterBiases + feature]! + slope
      if (place === NOWHERE) continue
      const width = WIDTHS[Math.floor(feature / FILTERS)]!
      for (let position = Math.max(0, -place); position < width && place + position < words.length; position++) {
        const row = firstRow(width) + position * FILTERS + (feature % FILTERS)
        const [at, from] = [filters + row * DIMENSIONS, this.#slotOf[words[place + position]!]! * DIMENSIONS]
        for (let d = 0; d < DIMENSIONS; d++) {
          gradients[at + d] = gradients[at + d]! + slope * vectors[from + d]!
          back[from + d] = back[from + d]! + slope * parameters[at + d]!
        }
      }
    }
    this.#wordOf.forEach((word, slot) => this.#learnWord(word, back.subarray(slot * DIMENSIONS)))
  }

  #learnWord(word: number, slopes: Float64Array): void {
    const [parameters, gradients] = [this.parameters, this.gradients]
    const embedding = this.#embeddingOf(word)
    const delta = this.layout.delta + word * GLOVE_DIMENSIONS
    for (let row = 0; row < SHARED; row++) {
      const [at, slope] = [this.layout.projection + row * GLOVE_DIMENSIONS, slopes[row]!]
      for (let n = 0; n < GLOVE_DIMENSIONS; n++) {
        gradients[delta + n] = gradients[delta + n]! + slope * parameters[at + n]!
        gradients[at + n] = gradients[at + n]! + slope * embedding[n]!
      }
    }
    const own = this.#ownOf(word)
    for (let n = 0; n < OWN; n++) gradients[own + n] = gradients[own + n]! + slopes[SHARED + n]!
  }
}

const NOWHERE = -100
const TINY = 1e-12
