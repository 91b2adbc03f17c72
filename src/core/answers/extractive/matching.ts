import type { QueryTerm } from "../../search/SearchIndex.ts"

/** Which of the question's words stand in a text, as bits in their order. */
export type Found = bigint

/** Finds the words of a question in texts, in every form that the search found them in. */
export class Matcher {
  readonly #weights: ReadonlyArray<number>
  readonly #total: number
  readonly #bits = new Map<string, Found>()
  /** Forms that are more than one word: "re-use", "v2.0". */
  readonly #compound: Array<readonly [form: string, bit: Found]> = []

  constructor(terms: ReadonlyArray<QueryTerm>) {
    this.#weights = terms.map(({ idf }) => idf)
    this.#total = this.#weights.reduce((sum, weight) => sum + weight, 0)
    for (const [index, { word, forms }] of terms.entries()) {
      const bit = 1n << BigInt(index)
      for (const form of new Set([word, ...forms])) {
        if (/^[\p{L}\p{N}]+$/u.test(form)) this.#bits.set(form, (this.#bits.get(form) ?? 0n) | bit)
        else this.#compound.push([form, bit])
      }
    }
  }

  find(text: string): Found {
    const lower = text.toLowerCase()
    let found = 0n
    for (const [word] of lower.matchAll(/[\p{L}\p{N}]+/gu)) found |= this.#bits.get(word) ?? 0n
    for (const [form, bit] of this.#compound) if (lower.includes(form)) found |= bit
    return found
  }

  /** How much of the question stands there, by weight: 0 to 1. */
  coverage(found: Found): number {
    if (this.#total === 0) return 0
    return (
      this.#weights.reduce((sum, weight, index) => ((found >> BigInt(index)) & 1n ? sum + weight : sum), 0) /
      this.#total
    )
  }
}
