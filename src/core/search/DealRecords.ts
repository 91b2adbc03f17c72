import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Background } from "../jobs/Background.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database, WhenDiskFull } from "../storage/Database.ts"
import { IsDistributed } from "../storage/session.ts"
import { reusePlans } from "../storage/sql.ts"
import { type RecordHeading, renderRecord } from "./record.ts"
import { recordInputOf, type RecordRow, selectForRecords, storeRecords } from "./recordSql.ts"
import { takeMarks } from "./writing.ts"

/** A deal as text. Passages with source `deal` are offsets into it. */
export interface DealRecord {
  readonly name: string
  readonly text: string
  /** In the order of the text. A title is `text.slice(start, end)`. Level 1 is the name of the deal. */
  readonly headings: ReadonlyArray<RecordHeading>
}

/** Deals rendered in one transaction. Small on one server, because PGlite has one connection for everyone. */
const BATCH_SIZE = 25
/** On Citus each statement costs some 4 ms of CPU more. */
const DISTRIBUTED_BATCH_SIZE = 200
/** Deals of one organization before the next organization's turn. */
const MAX_PER_TURN = 200
/** A record is due half a second after the last change of its deal. */
const DELAY_MS = 600

/**
 * Deal records: each deal as a text for search and citations. A change of a deal marks its record stale in the same
 * transaction; `layerUpkeep` renders it again soon after.
 */
export class DealRecords extends Context.Service<
  DealRecords,
  {
    /** Returns the record as indexed, or renders it if the deal is not indexed yet. Undefined for an unknown deal. */
    readonly text: (org: string, dealId: string) => Effect.Effect<DealRecord | undefined, DatabaseUnavailable>
    /** Renders and indexes stale records until at least `most` are done or none is left. Returns their number. */
    readonly refresh: (org: string, most?: number) => Effect.Effect<number, DatabaseUnavailable>
  }
>()("sightline/search/DealRecords") {
  static readonly layer = Layer.effect(
    DealRecords,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const batchSize = (yield* IsDistributed) ? DISTRIBUTED_BATCH_SIZE : BATCH_SIZE

      const batch = Effect.fnUntraced(function* (org: string) {
        yield* reusePlans(sql)
        const taken = yield* takeMarks(sql, org, batchSize)
        const rows = yield* sql<RecordRow>`${selectForRecords(
          sql,
          org,
          taken.map(({ deal_id }) => deal_id),
        )}`
        const changed = rows
          .map((row) => ({
            id: row.id,
            created_at: row.created_at,
            stored: row.stored,
            record: renderRecord(recordInputOf(row)),
          }))
          .filter(({ stored, record }) => stored !== record.body)
        if (changed.length > 0) yield* storeRecords(sql, org, changed)
        return taken.length
      })

      return DealRecords.of({
        text: Effect.fn("DealRecords.text")(function* (org, dealId) {
          const [found] = yield* database.scoped<DealRecord>(
            org,
            sql`select d.name, r.body as text, r.headings from deals d
              join deal_records r on r.org_id = d.org_id and r.deal_id = d.id
              where d.org_id = scope.org and d.id = ${dealId}`,
          )
          if (found !== undefined) return found
          const [row] = yield* Effect.provideService(
            database.transaction(org, sql<RecordRow>`${selectForRecords(sql, org, [dealId])}`),
            WhenDiskFull,
            "proceed",
          )
          if (row === undefined) return undefined
          const { body, headings } = renderRecord(recordInputOf(row))
          return { name: row.name, text: body, headings }
        }),
        refresh: Effect.fn("DealRecords.refresh")(function* (org, most = Infinity) {
          let all = 0
          for (let last = batchSize; last === batchSize && all < most;) {
            last = yield* database.transaction(org, batch(org))
            all += last
          }
          return all
        }),
      })
    }),
  )

  /** Keeps the records of all organizations up to date. Several processes share the work. */
  static readonly layerUpkeep = Layer.effectDiscard(
    Effect.gen(function* () {
      const database = yield* Database
      const records = yield* DealRecords
      const background = yield* Background
      const failed = (cause: unknown) => Effect.logWarning("could not render deal records", cause)
      const round = Effect.gen(function* () {
        const stale = yield* database.unscoped<{ org_id: string }>(
          database.sql`select org_id from stale_organizations()`,
        )
        const rendered = yield* Effect.forEach(stale, ({ org_id }) =>
          Effect.catchCause(records.refresh(org_id, MAX_PER_TURN), (cause) => Effect.as(failed(cause), 0)),
        )
        // New passages may lack vectors.
        if (rendered.some((deals) => deals > 0)) yield* background.wake("vectors")
        return rendered.reduce((sum, deals) => sum + deals, 0)
      })
      yield* background.work({ name: "records", round, followsCommits: () => Effect.succeed(true), delayMs: DELAY_MS })
    }),
  )
}
