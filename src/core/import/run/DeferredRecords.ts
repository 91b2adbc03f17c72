import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import { Database } from "../../storage/Database.ts"
import type { Unchecked } from "../../records/entry.ts"
import type { RecordType } from "../../records/record.ts"

/** Records per batch. */
export const BATCH_SIZE = 500
const MAX_BATCH_WEIGHT = 2_000_000
/** Above this, further batches wait in the database. */
const MAX_CHARACTERS_IN_MEMORY = 8_000_000

/** The table is unlogged: a crash of the database empties it. */
const LOST = "the database failed and lost records of this file; import it again"

/**
 * Keeps records until the whole file has been read, because they may refer to later records: in memory up to a limit,
 * then in the database.
 */
export class DeferredRecords {
  readonly #org: string
  readonly #run: string
  readonly #inMemory: number
  readonly #open = new Map<RecordType, { entries: Array<Unchecked>; weight: number }>()
  readonly #closed = new Map<RecordType, Array<ReadonlyArray<Unchecked> | number>>()
  #weight = 0
  #stored = 0

  constructor(org: string, run: string, inMemory = MAX_CHARACTERS_IN_MEMORY) {
    this.#org = org
    this.#run = run
    this.#inMemory = inMemory
  }

  /** Adds a record. Returns an effect to run before adding the next one, if any. */
  add(entry: Unchecked): Effect.Effect<void, DatabaseUnavailable, Database> | undefined {
    const { type } = entry
    let open = this.#open.get(type)
    if (open === undefined) this.#open.set(type, (open = { entries: [], weight: 0 }))
    open.entries.push(entry)
    open.weight += entry.weight
    this.#weight += entry.weight
    if (open.entries.length < BATCH_SIZE && open.weight < MAX_BATCH_WEIGHT) return undefined
    this.#open.delete(type)
    const closed = this.#closed.get(type) ?? []
    this.#closed.set(type, closed)
    if (this.#weight <= this.#inMemory) {
      closed.push(open.entries)
      return undefined
    }
    this.#weight -= open.weight
    const n = this.#stored++
    closed.push(n)
    return this.#store(type, n, open.entries)
  }

  /** The records of a type in batches, in the order of the file. */
  of(type: RecordType): Stream.Stream<ReadonlyArray<Unchecked>, DatabaseUnavailable, Database> {
    const open = this.#open.get(type)?.entries
    const pages = [...(this.#closed.get(type) ?? []), ...(open === undefined ? [] : [open])]
    return Stream.fromIterable(pages).pipe(
      Stream.mapEffect((page) => (typeof page === "number" ? this.#fetch(type, page) : Effect.succeed(page))),
    )
  }

  /** Deletes the batches in the database. */
  get discard(): Effect.Effect<void, never, Database> {
    if (this.#stored === 0) return Effect.void
    return Effect.ignore(
      Effect.flatMap(Database, ({ sql, transaction }) =>
        transaction(this.#org, sql`delete from import_pages where org_id = ${this.#org} and run_id = ${this.#run}`),
      ),
    )
  }

  #store(type: RecordType, n: number, entries: ReadonlyArray<Unchecked>) {
    return Effect.flatMap(Database, ({ sql, transaction }) =>
      transaction(
        this.#org,
        sql`insert into import_pages (org_id, run_id, type, n, body)
          values (${this.#org}, ${this.#run}, ${type}, ${n}, ${JSON.stringify(entries)})`,
      ),
    ).pipe(Effect.asVoid)
  }

  #fetch(type: RecordType, n: number) {
    return Effect.flatMap(
      Effect.flatMap(Database, ({ sql, scoped }) =>
        scoped<{ body: string }>(
          this.#org,
          sql`select body from import_pages where org_id = scope.org and run_id = ${this.#run} and type = ${type} and n = ${n}`,
        ),
      ),
      ([row]) =>
        row === undefined
          ? Effect.fail(new DatabaseUnavailable({ message: LOST }))
          : Effect.succeed(JSON.parse(row.body) as ReadonlyArray<Unchecked>),
    )
  }
}
