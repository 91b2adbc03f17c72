import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { insertSelected } from "../storage/recordChanges.ts"
import { utc } from "../storage/sql.ts"

/** A row of the table `deal_stage_changes`; times are ISO 8601 in UTC. */
export interface StageChange {
  /** Numbers the changes of a deal. */
  readonly n: number
  readonly deal_id: string
  readonly changed_at: string
  readonly status_id: string | null
  readonly previous_status_id: string | null
}

interface StagedDeal {
  readonly id: string
  readonly status_id: string | null
  readonly previous_status_id: string | null
}

/** The previous stage of a deal: on a change, the old stage. */
export const previousStage = (before: StagedDeal | undefined, status: string | null): string | null => {
  if (before === undefined) return null
  const { status_id: old, previous_status_id } = before
  return old === null || old === status ? previous_status_id : old
}

/** Collects the stage changes of a batch, in the order of its records. */
export class StageChanges {
  readonly #now: string
  readonly #last = new Map<string, { readonly n: number; readonly at: string }>()
  #made: Array<StageChange> = []

  constructor(now: string) {
    this.#now = now
  }

  /** Reads when the stages of these deals last changed. */
  readonly load = Effect.fnUntraced(function* (
    this: StageChanges,
    sql: SqlClient,
    org: string,
    ids: ReadonlyArray<string>,
  ) {
    if (ids.length === 0) return
    const rows = yield* sql<{ deal_id: string; n: number; at: string }>`
      select deal_id, max(n)::int as n, ${sql.literal(utc("max(changed_at)"))} as at from deal_stage_changes
      where org_id = ${org} and deal_id = any(${[...ids]}::text[]) group by deal_id`
    for (const { deal_id, n, at } of rows) this.#last.set(deal_id, { n, at })
  })

  /**
   * Dates a change by the record's `updated_at`, `given` in UTC, unless that is in the future or before the deal's last change; otherwise
   * by the time of the import.
   */
  add(before: StagedDeal | undefined, after: StagedDeal, given: string | undefined): void {
    const [old, status] = [before === undefined ? null : before.status_id, after.status_id]
    if (old === status) return
    const last = this.#last.get(after.id)
    const sensible = given !== undefined && given <= this.#now && given >= (last?.at ?? given)
    const changed_at = sensible ? given : this.#now
    const n = (last?.n ?? 0) + 1
    this.#last.set(after.id, { n, at: changed_at })
    this.#made.push({
      n,
      deal_id: after.id,
      changed_at,
      status_id: status,
      previous_status_id: before === undefined ? after.previous_status_id : old,
    })
  }

  /** Removes a deal that the batch deletes. */
  forget(id: string): void {
    this.#last.delete(id)
    this.#made = this.#made.filter(({ deal_id }) => deal_id !== id)
  }

  /** The number of the deal's last change, 0 if it has none. */
  last(id: string): number {
    return this.#last.get(id)?.n ?? 0
  }

  /** The changes of this batch by deal. */
  get counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { deal_id } of this.#made) counts.set(deal_id, (counts.get(deal_id) ?? 0) + 1)
    return counts
  }

  /** Takes over the changes of deals that are created again. */
  addAll(changes: ReadonlyArray<StageChange>): void {
    this.#made.push(...changes)
  }

  write(sql: SqlClient, org: string) {
    if (this.#made.length === 0) return Effect.void
    return insertSelected(
      sql,
      org,
      (home) => sql`insert into deal_stage_changes (org_id, deal_id, n, changed_at, status_id, previous_status_id)
        select ${home.org}, x.deal_id, x.n, x.changed_at, x.status_id, x.previous_status_id
        from ${home.from}json_to_recordset(${JSON.stringify(this.#made)}::json)
          as x(n int, deal_id text, changed_at timestamptz, status_id text, previous_status_id text) ${home.where}`,
    )
  }
}

/** Reads all stage changes of these deals. */
export const readStageChanges = (sql: SqlClient, org: string, ids: ReadonlyArray<string>) =>
  sql<StageChange>`select n::int, deal_id, ${sql.literal(utc("changed_at"))} as changed_at, status_id, previous_status_id
    from deal_stage_changes where org_id = ${org} and deal_id = any(${[...ids]}::text[]) order by deal_id, n`

/** Deletes the changes of each deal after the one with this number. */
export const deleteStageChangesAfter = (sql: SqlClient, org: string, last: ReadonlyMap<string, number>) =>
  sql`delete from deal_stage_changes c using unnest(${[...last.keys()]}::text[], ${[...last.values()]}::int[]) x(deal_id, n)
    where c.org_id = ${org} and c.deal_id = x.deal_id and c.n > x.n`
