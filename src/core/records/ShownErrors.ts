/** The errors that a reply shows: the first by line. */
export const MAX_ERRORS = 1_000

/** Decides which errors are described. Those beyond the first are counted, because a description costs more than its record. */
export class ShownErrors {
  /** The lines of the errors that are described, ascending: a line with two errors stands here twice. */
  readonly #lines: Array<number> = []

  /** Whether errors of the line are among the first. Types of records are checked one after the other, so a later line may come earlier. */
  mayShow(line: number): boolean {
    return this.#lines.length < MAX_ERRORS || line < this.#lines.at(-1)!
  }

  /** Counts the errors of a line that were described. */
  show(line: number, errors: number): void {
    const at = this.#lines.findLastIndex((each) => each <= line) + 1
    this.#lines.splice(at, 0, ...Array.from({ length: Math.min(errors, MAX_ERRORS) }, () => line))
    this.#lines.length = Math.min(this.#lines.length, MAX_ERRORS)
  }
}
