import type { ImportCounts, ImportError } from "../Import.ts"
import type { Problem, Refused } from "../../records/entry.ts"
import { MAX_ERRORS } from "../../records/ShownErrors.ts"
import { ImportState } from "../../records/ImportState.ts"
import type { RecordOutcome } from "../../records/Session.ts"

const WRITTEN: ReadonlySet<string> = new Set(["created", "updated", "deleted"])

/** The counts, and the first 1,000 errors by line. */
export interface TalliedReport extends ImportCounts {
  readonly errors: ReadonlyArray<ImportError>
  readonly created_names: ImportState["createdNames"]
}

/** Whether the record changed the workspace. */
export const hasWritten = (outcome: RecordOutcome): boolean => "result" in outcome && WRITTEN.has(outcome.result)

/** Counts the outcomes of all records, and keeps the errors of the first lines. */
export class Tally {
  readonly #counts = { received: 0, created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0 }
  #errors: Array<ImportError> = []
  #unreadable = 0
  readonly #state: ImportState

  constructor(state = new ImportState()) {
    this.#state = state
  }

  receive(count: number): void {
    this.#counts.received += count
  }

  add(outcomes: ReadonlyArray<RecordOutcome>): void {
    for (const outcome of outcomes) {
      if ("problems" in outcome) this.#fail(outcome)
      else this.#counts[outcome.result === "absent" ? "unchanged" : outcome.result]++
    }
  }

  #fail({ line, problems, unreadable }: Refused): void {
    this.#counts.failed++
    if (unreadable === true) this.#unreadable++
    this.leaveOut(line, problems)
  }

  /** Reports problems of cells without which the record is imported. */
  leaveOut(line: number, problems: ReadonlyArray<Problem>): void {
    for (const { field, reason, value } of problems) {
      this.#errors.push({ line, field, reason, ...(value === undefined ? {} : { value }) })
    }
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

  get report(): TalliedReport {
    return {
      ...this.#counts,
      errors: this.#first(),
      created_names: this.#state.createdNames,
    }
  }
}
