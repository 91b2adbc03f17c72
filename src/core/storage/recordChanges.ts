import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { type Notifications, writeNotice } from "./notifications.ts"

/** The types that `GET /changes` lists. */
type ChangedType = "association" | "deal" | "document" | "export"

interface Written {
  readonly type: ChangedType
  readonly id: string
  readonly deleted: boolean
}

/** Collects the changes of one transaction. `Database.transaction` writes them in its last statement. */
export class TransactionChanges {
  #advances = false
  /** Whether this transaction knows that the organization has a row in `change_feeds`. */
  hasFeed = false
  readonly isDistributed: boolean
  readonly #written = new Map<string, Written>()
  readonly #showing: Array<Fragment> = []
  readonly #stale = new Set<string>()
  readonly #staleOf: Array<Fragment> = []
  readonly #due = new Set<string>()

  constructor(outer: TransactionChanges | undefined, isDistributed: boolean) {
    this.isDistributed = isDistributed
    this.hasFeed = outer?.hasFeed === true
  }

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

  addDue(kind: string): void {
    this.#due.add(kind)
  }

  /** Adds the changes of a nested transaction that succeeded. */
  addAll(nested: TransactionChanges): void {
    this.#advances ||= nested.#advances
    this.hasFeed ||= nested.hasFeed
    for (const written of nested.#written.values()) this.add(written)
    this.#showing.push(...nested.#showing)
    this.addStale(nested.#stale)
    this.#staleOf.push(...nested.#staleOf)
    for (const kind of nested.#due) this.addDue(kind)
  }

  /** Writes the changes and sends the notification of due work, in one statement. Whether there are changes. */
  write(sql: SqlClient, org: string, notifications: Notifications | undefined): Effect.Effect<boolean, SqlError> {
    const given = this.#showing.length + this.#staleOf.length === 0
    if (this.isDistributed && given)
      return Effect.as(this.#writeGiven(sql, org), this.#advances || this.#stale.size > 0)
    const changes = this.#statement(sql, org)
    const notice = notifications && this.#notice(sql, org, notifications)
    if (changes === undefined) return notice === undefined ? Effect.succeed(false) : Effect.as(sql`${notice}`, false)
    const { before, last } = changes
    const statement =
      notice === undefined ? sql`${before} ${last}` : sql`${before}, recorded as (${last} returning 1) ${notice}`
    return Effect.as(statement, true)
  }

  /** Notifies of due work. A change makes deliveries due if a webhook waits for changes. */
  #notice(sql: SqlClient, org: string, { channel, sender }: Notifications): Fragment | undefined {
    const kinds = [...this.#due]
    const notify = (payload: Fragment) => sql`select pg_notify(${channel}, ${payload})`
    const known = sql`${writeNotice({ sender, org, kinds })}::text`
    if (!this.#advances || this.#due.has("webhooks")) return kinds.length === 0 ? undefined : notify(known)
    const hasWebhook = sql`exists (select from webhooks where org_id = ${org} and status = 'enabled')`
    const all = sql`${writeNotice({ sender, org, kinds: [...kinds, "webhooks"] })}::text`
    return kinds.length === 0
      ? sql`${notify(all)} where ${hasWebhook}`
      : notify(sql`case when ${hasWebhook} then ${all} else ${known} end`)
  }

  /**
   * On Citus, a modifying query within another one sends its rows through the coordinator, at ten times the cost, and may ask any
   * worker. Statements of their own run whole where the organization is.
   */
  #writeGiven(sql: SqlClient, org: string) {
    const written = [...this.#written.values()]
    const stale = new Set(this.#stale)
    for (const { type, id, deleted } of written) if (type === "deal" && !deleted) stale.add(id)
    const mark = insertStale(sql, org, JSON.stringify([...stale]))
    const advance = sql`insert into change_feeds as f (org_id, last) values (${org}, ${sql.literal(CLOCK)})
      on conflict (org_id) do update set last = greatest(f.last + 1, excluded.last)`
    const list = sql`insert into changes as c (org_id, type, id, deleted, sequence, created_sequence)
      select f.org_id, x.type, x.id, x.deleted, f.last, f.last
      from change_feeds f, json_to_recordset(${JSON.stringify(written)}::json) as x(type text, id text, deleted boolean)
      where f.org_id = ${org} ${onListed(sql)}`
    return Effect.all(
      [
        ...(stale.size === 0 ? [] : [Effect.provideService(mark, CurrentChanges, this)]),
        ...(this.#advances ? [advance] : []),
        ...(written.length === 0 ? [] : [list]),
      ],
      { discard: true },
    )
  }

  /** The statement that writes the changes: its `with` list, and what follows that. */
  #statement(sql: SqlClient, org: string): { readonly before: Fragment; readonly last: Fragment } | undefined {
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
      return { before: sql`with changed as materialized (${changed})`, last: marked }
    }
    const before = sql`
      with changed as materialized (${changed}), marked as (${marked} returning 1), feed as (
        insert into change_feeds as f (org_id, last) select ${org}, ${sql.literal(CLOCK)} where (select count(*) from marked) >= 0
          on conflict (org_id) do update set last = greatest(f.last + 1, excluded.last)
          returning last
      )`
    const last = sql`
      insert into changes as c (org_id, type, id, deleted, sequence, created_sequence)
        select ${org}, w.type, w.id, w.deleted, feed.last, feed.last from feed, changed w order by w.type, w.id
        ${onListed(sql)}`
    return { before, last }
  }
}

const onListed = (sql: SqlClient) =>
  sql`on conflict (org_id, type, id) do update set sequence = excluded.sequence, changed_at = excluded.changed_at,
    deleted = excluded.deleted,
    created_sequence = case when c.deleted and not excluded.deleted then excluded.created_sequence else c.created_sequence end`

/** The organization in a statement that inserts selected rows. */
export interface Home {
  /** For the column `org_id`. */
  readonly org: Fragment
  /** Before the other items of the `from` clause. */
  readonly from: Fragment
  /** The `where` clause. */
  readonly where: Fragment
}

/**
 * Inserts rows that a query selects from parameters. On Citus the query also reads the organization's row of `change_feeds`, because
 * an insert of selected rows runs whole on a worker only if `org_id` comes from a distributed table.
 */
export const insertSelected = (sql: SqlClient, org: string, statement: (home: Home) => Fragment) =>
  Effect.flatMap(CurrentChanges, (changes) => {
    if (changes?.isDistributed !== true) return sql`${statement({ org: sql`${org}`, from: sql``, where: sql`` })}`
    const where = sql`where home.org_id = ${org}`
    return Effect.andThen(
      ensureFeed(sql, org),
      sql`${statement({ org: sql`home.org_id`, from: sql`change_feeds home, `, where })}`,
    )
  })

/**
 * On Citus, makes sure that the organization has its row of `change_feeds`. `insertSelected` does so itself, but statements that run
 * `inOrder` must each be one statement.
 */
export const ensureFeed = (sql: SqlClient, org: string) =>
  Effect.flatMap(CurrentChanges, (changes) => {
    if (changes?.isDistributed !== true || changes.hasFeed) return Effect.void
    return Effect.map(sql`insert into change_feeds (org_id, last) values (${org}, 0) on conflict do nothing`, () => {
      changes.hasFeed = true
    })
  })

/** Marks the records of deals, a JSON array of ids, as stale. All writers lock marks in this order. */
const insertStale = (sql: SqlClient, org: string, deals: string) =>
  insertSelected(
    sql,
    org,
    (home) => sql`insert into stale_deal_records (org_id, deal_id)
      select ${home.org}, x.id from ${home.from}json_array_elements_text(${deals}::json) x(id) ${home.where} order by x.id
      on conflict (org_id, deal_id) do update set marked_at = excluded.marked_at`,
  )

/**
 * Microseconds since 1970. A sequence that follows the clock never repeats a number, even if the database was restored to an
 * earlier state: later changes come after every cursor that clients already have.
 */
const CLOCK = "(extract(epoch from clock_timestamp()) * 1000000)::bigint"

const union = (sql: SqlClient, [first, ...others]: ReadonlyArray<Fragment>): Fragment =>
  others.reduce((all, other) => sql`${all} union ${other}`, first ?? sql``)

/** The changes of this fiber's transaction. */
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
 * Records that these things were created or updated. The transaction writes that last, with the next number of the
 * organization's sequence, so that it holds the sequence's lock only for the commit, and numbers follow the order of commits.
 * Also marks the deal records of changed deals as stale.
 */
export const recordWritten = (type: ChangedType, ids: Iterable<string>) =>
  collect((changes) => {
    for (const id of ids) changes.add({ type, id, deleted: false })
  })

export const recordDeleted = (type: ChangedType, ids: Iterable<string>) =>
  collect((changes) => {
    for (const id of ids) changes.add({ type, id, deleted: true })
  })

/** Records as updated what `query` selects (type and id) at the end of the transaction, such as what shows a renamed thing. */
export const recordShowing = (query: Fragment) => collect((changes) => changes.addShowing(query))

/** Advances the sequence without a change in the feed, so that exports notice that values of deals may differ. */
export const recordUnlisted = collect((changes) => changes.advance())

/** Marks deal records as stale, so that they are rendered again. */
export const markStale = (deals: Iterable<string>) => collect((changes) => changes.addStale(deals))

/** Marks the deal records of the deals whose ids `query` selects as stale. */
export const markStaleOf = (query: Fragment) => collect((changes) => changes.addStaleOf(query))

/** Notifies other processes, once the transaction commits, that work of this kind is due now. The caller wakes its own process. */
export const recordDue = (kind: string) => collect((changes) => changes.addDue(kind))
