import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { Fragment } from "effect/sql/Statement"
import { concat } from "../common/bytes.ts"
import { BulkRead } from "../ports/BulkRead.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import type { Framing } from "./frames.ts"
import { type Position, parseCopyPage } from "./copyPage.ts"
import { selectAll, selectPage, type Selection } from "./sql.ts"

/** Deals changed between the pages of a snapshot. */
export class DealsChanged extends Schema.TaggedError<DealsChanged>()("DealsChanged", {}) {}

/** A selection's rows as of one moment, in chunks; `framing` is their binary layout. */
export interface Snapshot {
  readonly framing: Framing
  readonly bytes: Stream.Stream<Uint8Array, DatabaseUnavailable | DealsChanged>
}

/** The rows of the first page, and the approximate bytes of each later one. */
const [FIRST_ROWS, PAGE_BYTES] = [256, 1024 * 1024]

/** Chooses the size of the next page: a power of two, so that there are few distinct statements to prepare. */
const rowsAfter = ({ length }: Uint8Array, rows: number) =>
  2 ** Math.round(Math.log2(Math.min(Math.max((PAGE_BYTES * rows) / Math.max(length, 1), 32), 4096)))

/**
 * Returns several ways to read the same snapshot, the best first. If one fails with `DealsChanged`, try the next; the last
 * never does.
 */
export const snapshots = Effect.fnUntraced(function* (org: string, selection: Selection) {
  const { sql } = yield* Database
  const read = yield* BulkRead
  const all = (framing: "copy" | "records") => selectAll(sql, org, selection, framing)
  const strategies = (first: Snapshot, ...others: ReadonlyArray<Snapshot>) => [first, ...others] as const
  switch (read._tag) {
    case "copy": {
      const [statement, parameters] = sql`${all("copy")}`.compile()
      return strategies({ framing: "copy", bytes: read.copy(org, statement, parameters) })
    }
    case "cursor":
      return strategies({ framing: "records", bytes: yield* readCursor(org, all("records")) })
    case "pages": {
      const paged: Snapshot = { framing: "pages", bytes: yield* readPages(org, selection, read.page) }
      return strategies(paged, paged, { framing: "records", bytes: yield* readFrozen(org, all("records")) })
    }
  }
})

type Frames = ReadonlyArray<{ readonly frame: Uint8Array }>

const bytesOf = (rows: Frames) => concat(rows.map(({ frame }) => frame))

const readCursor = Effect.fnUntraced(function* (org: string, all: Fragment) {
  const { sql, transaction } = yield* Database
  return Stream.callback<Uint8Array, DatabaseUnavailable>(
    (queue) => {
      const fetchAll = Effect.gen(function* () {
        yield* sql`set local cursor_tuple_fraction = 1`
        yield* sql`declare exported no scroll cursor for ${all}`
        for (let size = FIRST_ROWS; ;) {
          const rows = yield* sql<Frames[number]>`fetch ${sql.literal(String(size))} from exported`
          if (rows.length === 0) return
          const bytes = bytesOf(rows)
          size = rowsAfter(bytes, rows.length)
          yield* Queue.offer(queue, bytes)
        }
      })
      return Effect.matchCauseEffect(transaction(org, fetchAll), {
        onSuccess: () => Queue.end(queue),
        onFailure: (cause) => Queue.failCause(queue, cause),
      })
    },
    { bufferSize: 1 },
  )
})

/** Frees the connection between pages. The pages are one snapshot, because the read fails if a deal changes meanwhile. */
const readPages = Effect.fnUntraced(function* (
  org: string,
  selection: Selection,
  copyPage: Extract<BulkRead, { readonly _tag: "pages" }>["page"],
) {
  const { sql, scoped } = yield* Database
  return Stream.unwrap(
    Effect.gen(function* () {
      // Every transaction that changes what deals show advances the organization's sequence.
      const revision = Effect.map(
        scoped<{ last: string }>(org, sql`select last::text from change_feeds where org_id = scope.org`),
        ([row]) => row?.last,
      )
      const firstRevision = yield* revision
      const page = (after: Position | undefined, size: number) => {
        const [statement, parameters] = sql`${selectPage(sql, org, selection, after, size)}`.compile()
        return Effect.map(copyPage(org, statement, parameters), parseCopyPage)
      }
      return Stream.paginate({ after: undefined as Position | undefined, size: FIRST_ROWS }, ({ after, size }) =>
        Effect.gen(function* () {
          const { bytes, rows, end } = yield* page(after, size)
          if ((yield* revision) !== firstRevision) return yield* new DealsChanged()
          const next = rows < size ? Option.none() : Option.some({ after: end, size: rowsAfter(bytes, rows) })
          return [[bytes], next] as const
        }),
      )
    }),
  )
})

let frozenCount = 0

/** Materializes the rows in a held cursor. The engine answers no other statement until it is done. */
const readFrozen = Effect.fnUntraced(function* (org: string, all: Fragment) {
  const { sql, transaction, unscoped } = yield* Database
  return Stream.unwrap(
    Effect.gen(function* () {
      const name = sql.literal(`frozen_${++frozenCount}`)
      yield* Effect.acquireRelease(transaction(org, sql`declare ${name} no scroll cursor with hold for ${all}`), () =>
        Effect.ignore(unscoped(sql`close ${name}`)),
      )
      return Stream.unfold(FIRST_ROWS, (size) =>
        Effect.map(unscoped<Frames[number]>(sql`fetch ${sql.literal(String(size))} from ${name}`), (rows) => {
          const bytes = bytesOf(rows)
          return rows.length === 0 ? undefined : ([bytes, rowsAfter(bytes, rows.length)] as const)
        }),
      )
    }),
  )
})
