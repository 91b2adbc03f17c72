import { Network, type Weights } from "./network.ts"
import { Vocabulary } from "./Vocabulary.ts"

/** The reading of a sentence by the network. */
export interface Prediction {
  /** The likeliest class of each head. */
  readonly base: string
  readonly outcome: string
  readonly kind: string
  readonly grain: string
  readonly order: string
  readonly compare: string
  readonly side: string
  readonly limit: string
  readonly flags: ReadonlySet<string>
  /** The probability that the question asks for something that no report has, or names a condition that nothing records. */
  readonly outside: number
  /** The probability that all of it is right, from 0 to 1, as if each part were independent of the others. */
  readonly confidence: number
  /** Words of three letters or more that too few voices of the training say: they may be a condition that nothing records. */
  readonly strange: ReadonlyArray<string>
}

type Head = "base" | "outcome" | "kind" | "grain" | "order" | "compare" | "side" | "limit"

/** Makes a classifier of sentences from weights, which takes some 20 ms. */
export const makePredictor = (weights: Weights) => {
  const network = new Network(weights)
  const vocabulary = new Vocabulary(weights)
  return (words: ReadonlyArray<string>): Prediction => {
    const numbers = words.map((word) => vocabulary.numberOf(word))
    const { heads, flags } = network.classify(numbers)
    let confidence = 1
    const read = Object.fromEntries(
      Object.entries(heads).map(([head, classes]) => {
        const [likeliest] = [...classes].toSorted(([, a], [, b]) => b - a)
        confidence *= likeliest![1]
        return [head, likeliest![0]]
      }),
    ) as Record<Head, string>
    for (const probability of flags.values()) confidence *= Math.max(probability, 1 - probability)
    return {
      ...read,
      flags: new Set([...flags].flatMap(([flag, probability]) => (probability > 0.5 ? [flag] : []))),
      outside: (heads["kind"]?.get("other") ?? 0) + (heads["kind"]?.get("foreign") ?? 0),
      confidence,
      strange: words.filter(
        (word, n) => (numbers[n] === 0 || numbers[n]! >= weights.common) && /^\p{L}{3,}$/u.test(word),
      ),
    }
  }
}
