/** Generates the same pseudo-random numbers for a seed on every runtime (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** At least 0 and below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** An integer, both ends inclusive. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  pick<A>(items: ReadonlyArray<A>): A {
    return items[Math.floor(this.next() * items.length)]!
  }

  /** Picks earlier items more often. */
  skewed<A>(items: ReadonlyArray<A>): A {
    return items[Math.floor(this.next() ** 2 * items.length)]!
  }

  /** `count` different items. */
  sample<A>(items: ReadonlyArray<A>, count: number): ReadonlyArray<A> {
    const rest = [...items]
    return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(this.int(0, rest.length - 1), 1)[0]!)
  }

  /** Approximately normal: mean 0, mostly between -2 and 2. */
  bell(): number {
    return (this.next() + this.next() + this.next() + this.next() - 2) * 1.7
  }
}
