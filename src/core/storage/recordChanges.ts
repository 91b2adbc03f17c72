import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** What `GET /changes` lists. */
export type ChangedType = "association" | "deal" | "document" | "export"

interface Written {
  readonly type: ChangedType
  readonly id: string
  readonly deleted: boolean
}

/** What one transaction has changed so far. `Database.transaction` writes it as its last statement. */
export class TransactionChanges {
  #advances = false
  readonly #written = new Map<string, Written>()
  readonly #showing: Array<Fragment> = []
  readonly #stale = new Set<string>()
  readonly #staleOf: Array<Fragment> = []

  add(written: Written): void {
    this.#advances = true
    this.#written.set(`${written.type} ${written.id}`, written)
  }

  addShowing(query: Fragment): void {
    this.#advances = true
    this.#showing.push(query)
  }

  advance(): void {
    this.#advances = true
  }

  addStale(deals: Iterable<string>): void {
    for (const id of deals) this.#stale.add(id)
  }

  addStaleOf(query: Fragment): void {
    this.#staleOf.push(query)
  }

  /** Adds what a nested transaction changed, once it has ended well. */
  addAll(nested: TransactionChanges): void {
    this.#advances ||= nested.#advances
    for (const written of nested.#written.values()) this.add(written)
    this.#showing.push(...nested.#showing)
    this.addStale(nested.#stale)
    this.#staleOf.push(...nested.#staleOf)
  }

  /** The statement that writes all of it; undefined where nothing changed. */
  statement(sql: SqlClient, org: string): Fragment | undefined {
    const written = [...this.#written.values()]
    const changed = union(sql, [
      sql`select x.type, x.id, x.deleted from json_to_recordset(${JSON.stringify(written)}::json)
        as x(type text, id text, deleted boolean)`,
      ...this.#showing.map((query) => sql`select s.type, s.id, false from (${query}) s(type, id)`),
    ])
    const stale = union(sql, [
      sql`select id from changed where type = 'deal' and not deleted`,
      sql`select id from json_array_elements_text(${JSON.stringify([...this.#stale])}::json) x(id)`,
      ...this.#staleOf,
    ])
    const marked = sql`insert into stale_deal_records (org_id, deal_id)
      select ${org}, s.id from (${stale}) s(id) order by s.id
      on conflict (org_id, deal_id) do update set marked_at = excluded.marked_at`
    if (!this.#advances) {
      if (this.#stale.size + this.#staleOf.length === 0) return undefined
      return sql`with changed as materialized (${changed}) ${marked}`
    }
    return sql`
      with changed as materialized (${changed}), marked as (${marked} returning 1), feed as (
        insert into change_feeds as f (org_id, last) select ${org}, ${sql.literal(CLOCK)} where (select count(*) from marked) >= 0
          on conflict (org_id) do update set last = greatest(f.last + 1, excluded.last)
          returning last
      )
      insert into changes as c (org_id, type, id, deleted, sequence, created_sequence)
        select ${org}, w.type, w.id, w.deleted, feed.last, feed.last from feed, changed w order by w.type, w.id
        on conflict (org_id, type, id) do update set sequence = excluded.sequence, changed_at = excluded.changed_at,
          deleted = excluded.deleted,
          created_sequence = case when c.deleted and not excluded.deleted then excluded.created_sequence
            else c.created_sequence end`
  }
}

/**
 * Microseconds since 1970. A sequence that follows the clock never gives a number twice, even where a database was restored
 * to an earlier state: what is written then comes after every cursor that was given out before.
 */
const CLOCK = "(extract(epoch from clock_timestamp()) * 1000000)::bigint"

const union = (sql: SqlClient, [first, ...others]: ReadonlyArray<Fragment>): Fragment =>
  others.reduce((all, other) => sql`${all} union ${other}`, first ?? sql``)

/** The changes of the transaction that this fiber is in. */
export const CurrentChanges = Context.Reference<TransactionChanges | undefined>("sightline/storage/CurrentChanges", {
  defaultValue: () => undefined,
})

const collect = (add: (changes: TransactionChanges) => void): Effect.Effect<void> =>
  Effect.flatMap(CurrentChanges, (changes) =>
    changes === undefined
      ? Effect.die("a change was recorded outside of Database.transaction")
      : Effect.sync(() => add(changes)),
  )

/**
 * Records that these things were created or updated. The transaction writes it last, with the next number of the
 * organization's sequence: the lock on it is held for the commit alone, and numbers are given in the order of commits.
 * A deal that changed has a stale search record too.
 */
export const recordWritten = (type: ChangedType, ids: Iterable<string>) =>
  collect((changes) => {
    for (const id of ids) changes.add({ type, id, deleted: false })
  })

export const recordDeleted = (type: ChangedType, ids: Iterable<string>) =>
  collect((changes) => {
    for (const id of ids) changes.add({ type, id, deleted: true })
  })

/** Records as updated what `query` selects, as type and id, at the end of the transaction: what shows a renamed thing. */
export const recordShowing = (query: Fragment) => collect((changes) => changes.addShowing(query))

/** Advances the sequence though nothing in the feed changed: exports see by it that deals may read otherwise now. */
export const recordUnlisted = collect((changes) => changes.advance())

/** Marks the search records of deals as stale: the upkeep of records renders them anew. */
export const markStale = (deals: Iterable<string>) => collect((changes) => changes.addStale(deals))

/** Marks the search records of the deals whose ids `query` selects. */
export const markStaleOf = (query: Fragment) => collect((changes) => changes.addStaleOf(query))
