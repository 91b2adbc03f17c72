import { MAX_WORDS, type Weights } from "../src/core/answers/reader/network.ts"
import { learn } from "./learn.ts"
import type { Sentence } from "./sentences.ts"
import { type Classes, targetOf } from "./shape.ts"
import { readVectors } from "./vectors.ts"
import { wordsOf } from "./vocabulary.ts"
import { weightsOf } from "./write.ts"

/** The options of a training, for `parseArgs`. */
export const TRAINING_OPTIONS = {
  epochs: { type: "string", default: "16" },
  seed: { type: "string", default: "4" },
} as const

type Options = Readonly<Record<keyof typeof TRAINING_OPTIONS, string>>

/** Trains a network with sentences; prints its progress. */
export const fit = (sentences: ReadonlyArray<Sentence>, classes: Classes, options: Options): Weights => {
  const words = wordsOf(sentences, readVectors(), MAX_WORDS)
  console.error(`${sentences.length} sentences, ${words.trained} words`)
  const network = learn({
    words,
    classes,
    examples: sentences.map((each) => ({ words: words.numbersOf(each), target: targetOf(each, classes) })),
    epochs: Number(options.epochs),
    seed: Number(options.seed),
    onEpoch: (epoch, loss) => console.error(`epoch ${epoch}: loss ${loss.toFixed(3)}`),
  })
  return weightsOf(network, words, classes)
}
