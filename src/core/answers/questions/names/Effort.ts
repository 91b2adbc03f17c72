/** Parts of a question that no step understood, and that are looked up among the names. */
export const MAX_PARTS = 24
/** Comparisons of such a part with a name, letter by letter. */
export const MAX_COMPARISONS = 2_000

/** The work that one question may cause among the names, over all its turns and corrections. */
export class Effort {
  readonly #parts = new Set<string>()
  comparisons = 0

  get parts(): number {
    return this.#parts.size
  }

  /** Whether the part is one of the first 24. */
  considers(part: string): boolean {
    if (this.#parts.has(part)) return true
    if (this.#parts.size >= MAX_PARTS) return false
    this.#parts.add(part)
    return true
  }

  /** Counts a comparison; false if none is left. */
  compares(): boolean {
    if (this.isUsedUp) return false
    this.comparisons++
    return true
  }

  get isUsedUp(): boolean {
    return this.comparisons >= MAX_COMPARISONS
  }
}
