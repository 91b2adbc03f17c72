import { type Example, TrainedNetwork } from "./network.ts"
import { Random } from "./random.ts"
import type { Classes } from "./shape.ts"
import type { Words } from "./vocabulary.ts"

const BATCH = 32
const LEARNING_RATE = 0.002
/** Constants of Adam, and the decay of weights. */
const BETA_1 = 0.9
const BETA_2 = 0.999
const EPSILON = 1e-8
const DECAY = 1e-5

export interface Training {
  readonly words: Words
  readonly classes: Classes
  readonly examples: ReadonlyArray<Example>
  readonly epochs: number
  readonly seed: number
  /** Hears the mean loss of each epoch. */
  readonly onEpoch: (epoch: number, loss: number) => void
}

/** Trains a network by Adam, with a learning rate that falls linearly to 0. */
export const learn = ({ words, classes, examples, epochs, seed, onEpoch }: Training): TrainedNetwork => {
  const random = new Random(seed)
  const network = new TrainedNetwork(words, classes, random)
  const adam = new Adam(network)
  const steps = epochs * Math.ceil(examples.length / BATCH)
  for (let epoch = 1; epoch <= epochs; epoch++) {
    const order = random.permutation(examples.length)
    let loss = 0
    for (let start = 0; start < order.length; start += BATCH) {
      const batch = Array.from(order.subarray(start, start + BATCH), (index) => examples[index]!)
      loss += network.learn(batch, random) * batch.length
      adam.step(LEARNING_RATE * (1 - adam.steps / steps))
    }
    onEpoch(epoch, loss / examples.length)
  }
  return network
}

class Adam {
  readonly #network: TrainedNetwork
  readonly #means: Float64Array
  readonly #squares: Float64Array
  steps = 0

  constructor(network: TrainedNetwork) {
    this.#network = network
    this.#means = new Float64Array(network.parameters.length)
    this.#squares = new Float64Array(network.parameters.length)
  }

  /** Moves the parameters against their gradients, and clears these. */
  step(rate: number): void {
    this.steps++
    const { parameters, gradients } = this.#network
    const [means, squares] = [this.#means, this.#squares]
    const factor = rate / (1 - BETA_1 ** this.steps)
    const correction = 1 / Math.sqrt(1 - BETA_2 ** this.steps)
    for (let n = 0; n < parameters.length; n++) {
      const gradient = gradients[n]! + DECAY * parameters[n]!
      const mean = BETA_1 * means[n]! + (1 - BETA_1) * gradient
      const square = BETA_2 * squares[n]! + (1 - BETA_2) * gradient * gradient
      means[n] = mean
      squares[n] = square
      parameters[n] = parameters[n]! - (factor * mean) / (Math.sqrt(square) * correction + EPSILON)
      gradients[n] = 0
    }
  }
}
