/** A seeded generator (mulberry32): the same seed gives the same weights. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** From 0, below 1. */
  uniform(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** Normally distributed, with mean 0 and deviation 1. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform())
  }

  /** The numbers below `length` in random order. */
  permutation(length: number): Int32Array {
    const order = Int32Array.from({ length }, (_, n) => n)
    for (let n = length - 1; n > 0; n--) {
      const other = Math.floor(this.uniform() * (n + 1))
      const held = order[n]!
      order[n] = order[other]!
      order[other] = held
    }
    return order
  }
}
