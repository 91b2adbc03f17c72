/** A growing list of 32-bit integers, three at a time. */
export class IntList {
  items = new Int32Array(24)
  size = 0

  push(a: number, b: number, c: number): void {
    if (this.size + 3 > this.items.length) {
      const larger = new Int32Array(this.items.length * 2)
      larger.set(this.items)
      this.items = larger
    }
    this.items[this.size] = a
    this.items[this.size + 1] = b
    this.items[this.size + 2] = c
    this.size += 3
  }
}

/** The hash of no characters. */
export const NO_HASH = 0

/** The hash of a text with one character more. Never that of none. */
export const nextHash = (hash: number, code: number): number => (Math.imul(hash ^ code, 0x01000193) + 0x9e3779b9) | 1

export const hashText = (text: string): number => {
  let hash = NO_HASH
  for (let at = 0; at < text.length; at++) hash = nextHash(hash, text.charCodeAt(at))
  return hash
}

/** Places by the hash of a text: a map without an object for each entry. */
export class HashedPlaces {
  /** One more than the first entry of each chain, or 0. */
  readonly #heads: Int32Array
  /** The hash, the place, and one more than the next entry of the chain. */
  readonly #entries = new IntList()

  constructor(expected: number) {
    this.#heads = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(expected, 8))))
  }

  add(hash: number, place: number): void {
    const bucket = findBucket(hash, this.#heads.length)
    this.#entries.push(hash, place, this.#heads[bucket]!)
    this.#heads[bucket] = this.#entries.size / 3
  }

  /** The places of a hash, in the order in which they were added. Another text may have the same hash. */
  get(hash: number): ReadonlyArray<number> {
    const found: Array<number> = []
    const { items } = this.#entries
    for (let next = this.#heads[findBucket(hash, this.#heads.length)]!; next > 0;) {
      const at = (next - 1) * 3
      if (items[at] === hash) found.push(items[at + 1]!)
      next = items[at + 2]!
    }
    return found.toReversed()
  }

  get bytes(): number {
    return this.#heads.byteLength + this.#entries.items.byteLength
  }
}

/** The lowest bit of a hash is always set. */
const findBucket = (hash: number, buckets: number) => ((hash >>> 1) ^ (hash >>> 17)) & (buckets - 1)
