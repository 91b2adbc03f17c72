import type { SqlClient } from "effect/sql/SqlClient"
import type { Kept } from "../../records/log/sql.ts"
import type { KeptReason } from "../../records/log/limits.ts"

/** The organization and the time of undoing a batch. */
export interface Undoing {
  readonly sql: SqlClient
  readonly org: string
  /** ISO 8601 with milliseconds. */
  readonly now: string
}

/** The rows of a batch by what became of them. */
export class Outcomes {
  restored = 0
  removed = 0
  recreated = 0
  readonly kept: Array<Kept> = []
  readonly #ids = new Set<string>()

  keep(type: string, id: string, reason: KeptReason): void {
    this.kept.push({ type, id, reason })
    this.#ids.add(id)
  }

  /** Whether a row stays. A batch that deletes a row and creates it again logs both, the creation first: if that stays, so does all. */
  keeps(id: string): boolean {
    return this.#ids.has(id)
  }

  addAll(other: Outcomes): void {
    this.restored += other.restored
    this.removed += other.removed
    this.recreated += other.recreated
    this.kept.push(...other.kept)
  }
}
