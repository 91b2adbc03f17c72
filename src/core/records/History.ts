import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { insertSelected } from "../storage/recordChanges.ts"
import { utc } from "../storage/sql.ts"

/** The values of a deal whose changes are kept. */
interface Tracked {
  readonly id: string
  readonly status_id: string | null
  readonly previous_status_id: string | null
  readonly close_date: string | null
}

/** A row of a table of changes; times are ISO 8601 in UTC. */
export interface Change {
  /** Numbers the changes of a deal. */
  readonly n: number
  readonly deal_id: string
  readonly changed_at: string
  readonly [column: string]: string | number | null
}

/** The previous stage of a deal: on a change, the old stage. */
export const previousStage = (before: Tracked | undefined, status: string | null): string | null => {
  if (before === undefined) return null
  const { status_id: old, previous_status_id } = before
  return old === null || old === status ? previous_status_id : old
}

/** The tables of changes: their columns besides those of every change, and the values of one; undefined where nothing changed. */
const KINDS = {
  stages: {
    table: "deal_stage_changes",
    columns: { status_id: "text", previous_status_id: "text" },
    change: (before: Tracked | undefined, after: Tracked) => {
      const old = before === undefined ? null : before.status_id
      if (old === after.status_id) return undefined
      return { status_id: after.status_id, previous_status_id: before === undefined ? after.previous_status_id : old }
    },
  },
  /** The close dates that a deal had before. */
  closeDates: {
    table: "deal_close_date_changes",
    columns: { close_date: "date" },
    change: (before: Tracked | undefined, after: Tracked) => {
      const old = before === undefined ? null : before.close_date
      return old === null || old === after.close_date ? undefined : { close_date: old }
    },
  },
} as const
export type Kind = keyof typeof KINDS
export const KIND_NAMES = Object.keys(KINDS) as ReadonlyArray<Kind>

type ByKind<A> = Readonly<Record<Kind, A>>
export const byKind = <A>(make: (kind: Kind) => A): ByKind<A> =>
  Object.fromEntries(KIND_NAMES.map((kind) => [kind, make(kind)])) as ByKind<A>

interface Collected {
  readonly last: Map<string, { readonly n: number; readonly at: string }>
  made: Array<Change>
}

/** Collects the changes of deals in a batch, in the order of its records. */
export class History {
  readonly #now: string
  readonly #collected: ByKind<Collected> = byKind(() => ({ last: new Map(), made: [] }))

  constructor(now: string) {
    this.#now = now
  }

  /** Reads when these deals last changed. */
  readonly load = Effect.fnUntraced(function* (this: History, sql: SqlClient, org: string, ids: ReadonlyArray<string>) {
    if (ids.length === 0) return
    const lastOf = (kind: Kind) => sql`
      select ${kind}::text as kind, deal_id, max(n)::int as n, ${sql.literal(utc("max(changed_at)"))} as at
      from ${sql.literal(KINDS[kind].table)} where org_id = ${org} and deal_id = any(${[...ids]}::text[]) group by deal_id`
    const rows = yield* sql<{ kind: Kind; deal_id: string; n: number; at: string }>`
      ${lastOf("stages")} union all ${lastOf("closeDates")}`
    for (const { kind, deal_id, n, at } of rows) this.#collected[kind].last.set(deal_id, { n, at })
  })

  /**
   * Dates a change by the record's `updated_at`, `given` in UTC, unless that is in the future or before the deal's last change; otherwise
   * by the time of the import.
   */
  add(before: Tracked | undefined, after: Tracked, given: string | undefined): void {
    for (const kind of KIND_NAMES) {
      const change = KINDS[kind].change(before, after)
      if (change === undefined) continue
      const { last, made } = this.#collected[kind]
      const previous = last.get(after.id)
      const sensible = given !== undefined && given <= this.#now && given >= (previous?.at ?? given)
      const changed_at = sensible ? given : this.#now
      const n = (previous?.n ?? 0) + 1
      last.set(after.id, { n, at: changed_at })
      made.push({ n, deal_id: after.id, changed_at, ...change })
    }
  }

  /** Removes a deal that the batch deletes. */
  forget(id: string): void {
    for (const collected of Object.values(this.#collected)) {
      collected.last.delete(id)
      collected.made = collected.made.filter(({ deal_id }) => deal_id !== id)
    }
  }

  /** The number of the deal's last change, 0 if it has none. */
  last(kind: Kind, id: string): number {
    return this.#collected[kind].last.get(id)?.n ?? 0
  }

  /** The changes of this batch by deal. */
  counts(kind: Kind): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { deal_id } of this.#collected[kind].made) counts.set(deal_id, (counts.get(deal_id) ?? 0) + 1)
    return counts
  }

  /** Takes over the changes of deals that are created again. */
  addAll(kind: Kind, changes: ReadonlyArray<Change>): void {
    this.#collected[kind].made.push(...changes)
  }

  /** The statements that write the changes of this batch. */
  writes(sql: SqlClient, org: string) {
    return KIND_NAMES.map((kind) => insertChanges(sql, org, kind, this.#collected[kind].made))
  }
}

const insertChanges = (sql: SqlClient, org: string, kind: Kind, made: ReadonlyArray<Change>) => {
  if (made.length === 0) return Effect.void
  const { table, columns } = KINDS[kind]
  const typed = Object.entries({ deal_id: "text", n: "int", changed_at: "timestamptz", ...columns })
  const names = typed.map(([name]) => name)
  return insertSelected(
    sql,
    org,
    (home) => sql`insert into ${sql.literal(table)} (org_id, ${sql.literal(names.join(", "))})
      select ${home.org}, ${sql.literal(names.map((name) => `x.${name}`).join(", "))}
      from ${home.from}json_to_recordset(${JSON.stringify(made)}::json)
        as x(${sql.literal(typed.map(([name, type]) => `${name} ${type}`).join(", "))}) ${home.where}`,
  )
}

/** Reads all changes of these deals. */
export const readChanges = (sql: SqlClient, org: string, kind: Kind, ids: ReadonlyArray<string>) => {
  const { table, columns } = KINDS[kind]
  const values = Object.entries(columns).map(([name, type]) => (type === "date" ? `${name}::text as ${name}` : name))
  return sql<Change>`select n::int, deal_id, ${sql.literal(utc("changed_at"))} as changed_at, ${sql.literal(values.join(", "))}
    from ${sql.literal(table)} where org_id = ${org} and deal_id = any(${[...ids]}::text[]) order by deal_id, n`
}

/** Deletes the changes of each deal after the one with this number. */
export const deleteChangesAfter = (sql: SqlClient, org: string, kind: Kind, last: ReadonlyMap<string, number>) =>
  last.size === 0
    ? Effect.void
    : sql`delete from ${sql.literal(KINDS[kind].table)} c
        using unnest(${[...last.keys()]}::text[], ${[...last.values()]}::int[]) x(deal_id, n)
        where c.org_id = ${org} and c.deal_id = x.deal_id and c.n > x.n`
