import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import type { Database } from "../../storage/Database.ts"
import type { Entry } from "./entry.ts"
import type { RecordType } from "./records.ts"

/** Records a page. */
export const BATCH = 500
const WEIGHT = 2_000_000
/** Characters of records that may wait in memory; past it, further pages wait in the database. */
const IN_MEMORY = 8_000_000

/** The table of pages is not logged: a database that crashed has emptied it. */
const LOST = "the database failed and lost records of this file; import it again"

/**
 * Records that wait until the whole file was read, because what they refer to may yet come: in memory while they are
 * few, then in the database.
 */
export class Pages {
  readonly #database: Database["Service"]
  readonly #org: string
  readonly #run: string
  readonly #inMemory: number
  readonly #open = new Map<RecordType, { entries: Array<Entry>; weight: number }>()
  readonly #closed = new Map<RecordType, Array<ReadonlyArray<Entry> | number>>()
  #weight = 0
  #stored = 0

  constructor(database: Database["Service"], org: string, run: string, inMemory = IN_MEMORY) {
    this.#database = database
    this.#org = org
    this.#run = run
    this.#inMemory = inMemory
  }

  /** Adds a record; answers what must be awaited before the next one, if anything. */
  add(entry: Entry): Effect.Effect<void, DatabaseUnavailable> | undefined {
    const { type } = entry.record
    let open = this.#open.get(type)
    if (open === undefined) this.#open.set(type, (open = { entries: [], weight: 0 }))
    open.entries.push(entry)
    open.weight += entry.weight
    this.#weight += entry.weight
    if (open.entries.length < BATCH && open.weight < WEIGHT) return undefined
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

  /** The records of a type, page by page, in the order they came. */
  of(type: RecordType): Stream.Stream<ReadonlyArray<Entry>, DatabaseUnavailable> {
    const open = this.#open.get(type)?.entries
    const pages = [...(this.#closed.get(type) ?? []), ...(open === undefined ? [] : [open])]
    return Stream.fromIterable(pages).pipe(
      Stream.mapEffect((page) => (typeof page === "number" ? this.#fetch(type, page) : Effect.succeed(page))),
    )
  }

  /** Takes what waits in the database away. */
  get discard(): Effect.Effect<void> {
    if (this.#stored === 0) return Effect.void
    const { sql } = this.#database
    return Effect.ignore(
      this.#database.transaction(
        this.#org,
        sql`delete from import_pages where org_id = ${this.#org} and run_id = ${this.#run}`,
      ),
    )
  }

  #store(type: RecordType, n: number, entries: ReadonlyArray<Entry>) {
    const { sql } = this.#database
    return Effect.asVoid(
      this.#database.transaction(
        this.#org,
        sql`insert into import_pages (org_id, run_id, type, n, body)
          values (${this.#org}, ${this.#run}, ${type}, ${n}, ${JSON.stringify(entries)})`,
      ),
    )
  }

  #fetch(type: RecordType, n: number) {
    const { sql } = this.#database
    return Effect.flatMap(
      this.#database.scoped<{ body: string }>(
        this.#org,
        sql`select body from import_pages where org_id = scope.org and run_id = ${this.#run} and type = ${type} and n = ${n}`,
      ),
      ([row]) =>
        row === undefined
          ? Effect.fail(new DatabaseUnavailable({ message: LOST }))
          : Effect.succeed(JSON.parse(row.body) as ReadonlyArray<Entry>),
    )
  }
}
