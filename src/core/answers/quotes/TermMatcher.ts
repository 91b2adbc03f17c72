import type { QueryTerm } from "../../search/SearchIndex.ts"
import { searchTokens } from "../words.ts"

/** A set of the question's terms: bit `n` is the term at index `n`. */
export type TermSet = bigint

/** Finds the terms of a question in texts, in every form in which the search found them. */
export class TermMatcher {
  readonly #weights: ReadonlyArray<number>
  readonly #total: number
  readonly #bits = new Map<string, TermSet>()
  /** Forms of more than one search token: "re-use", "v2.0". */
  readonly #compound: Array<readonly [form: string, bit: TermSet]> = []

  constructor(terms: ReadonlyArray<QueryTerm>) {
    this.#weights = terms.map(({ idf }) => idf)
    this.#total = this.#weights.reduce((sum, weight) => sum + weight, 0)
    for (const [index, { word, forms }] of terms.entries()) {
      const bit = 1n << BigInt(index)
      for (const form of new Set([word, ...forms])) {
        if (searchTokens(form)[0]?.text === form) this.#bits.set(form, (this.#bits.get(form) ?? 0n) | bit)
        else this.#compound.push([form, bit])
      }
    }
  }

  find(text: string): TermSet {
    const lower = text.toLowerCase()
    let found = 0n
    for (const token of searchTokens(lower)) found |= this.#bits.get(token.text) ?? 0n
    for (const [form, bit] of this.#compound) if (lower.includes(form)) found |= bit
    return found
  }

  /** The share of the question's weight that the set has: 0 to 1. */
  coverage(found: TermSet): number {
    if (this.#total === 0) return 0
    return (
      this.#weights.reduce((sum, weight, index) => ((found >> BigInt(index)) & 1n ? sum + weight : sum), 0) /
      this.#total
    )
  }
}
