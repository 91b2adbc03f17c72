import type { ImportCounts, ImportError, ImportReport } from "../Import.ts"
import type { Refused } from "../entry.ts"
import type { Outcome } from "./Session.ts"

const MAX_ERRORS = 1000

const WRITTEN: ReadonlySet<string> = new Set(["created", "updated", "deleted"])

/** Whether the record changed the workspace. */
export const hasWritten = (outcome: Outcome): boolean => "result" in outcome && WRITTEN.has(outcome.result)

/** Counts the outcomes of all records, and keeps the errors of the first lines. */
export class Tally {
  readonly #counts = { received: 0, created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0 }
  #errors: Array<ImportError> = []
  #unreadable = 0

  receive(count: number): void {
    this.#counts.received += count
  }

  add(outcomes: ReadonlyArray<Outcome>): void {
    for (const outcome of outcomes) {
      if ("problems" in outcome) this.#fail(outcome)
      else this.#counts[outcome.result === "absent" ? "unchanged" : outcome.result]++
    }
  }

  #fail({ line, problems, unreadable }: Refused): void {
    this.#counts.failed++
    if (unreadable === true) this.#unreadable++
    for (const problem of problems) this.#errors.push({ line, field: problem.field, reason: problem.reason })
    if (this.#errors.length > 4 * MAX_ERRORS) this.#errors = this.#first()
  }

  #first(): Array<ImportError> {
    return this.#errors.toSorted((a, b) => a.line - b.line).slice(0, MAX_ERRORS)
  }

  /** Whether the file has no readable record. */
  get nothingRead(): boolean {
    return this.#counts.received === this.#unreadable
  }

  get written(): number {
    return this.#counts.created + this.#counts.updated + this.#counts.deleted
  }

  get counts(): ImportCounts {
    return { ...this.#counts }
  }

  get report(): ImportReport {
    return { ...this.#counts, errors: this.#first() }
  }
}
