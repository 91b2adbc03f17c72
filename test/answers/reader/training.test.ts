import { assert, describe, it } from "@effect/vitest"
import { learn } from "../../../training/learn.ts"
import { TrainedNetwork } from "../../../training/network.ts"
import { Random } from "../../../training/random.ts"
import { readSentences } from "../../../training/sentences.ts"
import { classesOf, type Layout, targetOf } from "../../../training/shape.ts"
import { GLOVE_DIMENSIONS } from "../../../training/vectors.ts"
import { wordsOf } from "../../../training/vocabulary.ts"
import { weightsOf } from "../../../training/write.ts"
import { MAX_WORDS, Network } from "../../../src/core/answers/reader/network.ts"
import { Vocabulary } from "../../../src/core/answers/reader/Vocabulary.ts"
import { WEIGHTS } from "../../../src/core/answers/reader/weights.ts"

const SENTENCES = readSentences(["hurried"]).slice(0, 64)
const CLASSES = classesOf(SENTENCES)

/** Vectors in place of GloVe's, for every second word of the sentences and for one that they lack. */
const makeVectors = () => {
  const random = new Random(7)
  const words = [...new Set(SENTENCES.flatMap(({ tokens }) => tokens))].filter((_, n) => n % 2 === 0)
  return new Map(
    [...words, "zebra"].map((word) => [
      word,
      Float64Array.from({ length: GLOVE_DIMENSIONS }, () => random.normal() / 2),
    ]),
  )
}
const WORDS = wordsOf(SENTENCES, makeVectors(), MAX_WORDS)
const EXAMPLES = SENTENCES.slice(0, 40).map((each) => ({
  words: WORDS.numbersOf(each),
  target: targetOf(each, CLASSES),
}))

const train = (seed: number) =>
  learn({ words: WORDS, classes: CLASSES, examples: EXAMPLES, epochs: 1, seed, onEpoch: () => {} })

describe("the training of the reader", () => {
  it("gives the same weights for the same seed, and others for another", () => {
    const [first, second, other] = [train(1), train(1), train(2)].map((each) => weightsOf(each, WORDS, CLASSES))
    assert.strictEqual(first!.data, second!.data)
    assert.notStrictEqual(first!.data, other!.data)
  })

  it.each(["delta", "own", "projection", "filters", "filterBiases", "outputs", "outputBiases"] as const)(
    "computes the gradients of %s as differences of the loss",
    (part: keyof Layout) => {
      const network = new TrainedNetwork(WORDS, CLASSES, new Random(3))
      const lossOf = () => network.learn(EXAMPLES.slice(0, 4), new Random(5))
      lossOf()
      const gradients = network.gradients.slice()
      const ends = Object.values(network.layout).filter((end) => end > network.layout[part])
      const steepest = gradients
        .subarray(network.layout[part], Math.min(...ends))
        .reduce((best, each, n, all) => (Math.abs(each) > Math.abs(all[best]!) ? n : best), 0)
      const at = network.layout[part] + steepest
      const value = network.parameters[at]!
      const [low, high] = [-1e-6, 1e-6].map((step) => {
        network.parameters[at] = value + step
        return lossOf()
      })
      assert.closeTo((high! - low!) / 2e-6 / gradients[at]!, 1, 1e-3)
    },
  )

  it("writes weights that the reader reads as the trained network does", () => {
    const network = train(1)
    const weights = weightsOf(network, WORDS, CLASSES)
    const words = EXAMPLES[0]!.words
    const expected = network.probabilities([words])
    const { heads, flags } = new Network(weights).classify([...words])
    const found = [...Object.values(heads).flatMap((classes) => [...classes.values()]), ...flags.values()]
    assert.lengthOf(found, expected.length)
    found.forEach((share, n) => assert.closeTo(share, expected[n]!, 0.02))
  })
})

describe("the committed weights", () => {
  it("are at most 2 MB of data", () => assert.isAtMost(atob(WEIGHTS.data).length, 2_000_000))

  it("know the words of the vocabulary once each, the frequent ones among the common, these among the trained", () => {
    const words = WEIGHTS.vocabulary.split(" ")
    assert.strictEqual(new Set(words).size, words.length)
    assert.strictEqual(words[0], "<unk>")
    assert.isBelow(WEIGHTS.frequent, WEIGHTS.common)
    assert.isBelow(WEIGHTS.common, WEIGHTS.trained)
    assert.isBelow(WEIGHTS.trained, words.length)
  })

  it("read most sentences of their training", () => {
    const [network, vocabulary] = [new Network(WEIGHTS), new Vocabulary(WEIGHTS)]
    const right = SENTENCES.filter(({ tokens, labels }) => {
      const { heads } = network.classify(tokens.map((token) => vocabulary.numberOf(token)))
      return Object.entries(labels.heads).every(([head, wanted]) => heads[head]!.get(wanted)! > 0.5)
    })
    assert.isAbove(right.length, 0.9 * SENTENCES.length)
  })
})
