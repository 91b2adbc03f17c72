import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { inBackground } from "../jobs/background.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database, WhenFull } from "../storage/Database.ts"
import { type RecordHeading, renderRecord } from "./record.ts"
import { type RecordedRow, recorded, storeRecords, toldBy } from "./recordSql.ts"
import { takeMarks } from "./writing.ts"

/** A deal as text: what passages of source `deal` are offsets into. */
export interface DealRecord {
  readonly name: string
  readonly text: string
  /** In the order of the text. A title is text too: `text.slice(start, end)`; level 1 is the deal's name. */
  readonly headings: ReadonlyArray<RecordHeading>
}

/** Deals rendered in one transaction: few, for where there is one connection, all wait for its end. */
const BATCH = 25
/** Batches of one organization before it is the next one's turn. */
const TURN = 8
const POLL = "1 second"

/**
 * Each deal's record as a text that can be read and cited. What changes a deal marks its record as stale, in the same
 * transaction; `layerUpkeep` renders it anew a moment later.
 */
export class DealRecords extends Context.Service<
  DealRecords,
  {
    /** As it was last indexed; undefined where there is no such deal. A deal not indexed yet is rendered now. */
    readonly text: (org: string, dealId: string) => Effect.Effect<DealRecord | undefined, DatabaseUnavailable>
    /** Renders and indexes what is stale now, in no more batches than `most`; answers how many deals that were. */
    readonly refresh: (org: string, most?: number) => Effect.Effect<number, DatabaseUnavailable>
  }
>()("sightline/search/DealRecords") {
  static readonly layer = Layer.effect(
    DealRecords,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database

      const batch = Effect.fnUntraced(function* (org: string) {
        yield* sql`select set_config('plan_cache_mode', 'auto', true)`
        const taken = yield* takeMarks(sql, org, BATCH)
        const rows = yield* sql<RecordedRow>`${recorded(
          sql,
          org,
          taken.map(({ deal_id }) => deal_id),
        )}`
        const changed = rows
          .map((row) => ({
            id: row.id,
            created_at: row.created_at,
            stored: row.stored,
            record: renderRecord(toldBy(row)),
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
            database.transaction(org, sql<RecordedRow>`${recorded(sql, org, [dealId])}`),
            WhenFull,
            "goes on",
          )
          if (row === undefined) return undefined
          const { body, headings } = renderRecord(toldBy(row))
          return { name: row.name, text: body, headings }
        }),
        refresh: Effect.fn("DealRecords.refresh")(function* (org, most = Infinity) {
          let all = 0
          for (let last = BATCH, n = 0; last === BATCH && n < most; n++) {
            last = yield* database.transaction(org, batch(org))
            all += last
          }
          return all
        }),
      })
    }),
  )

  /** Keeps all organizations' records up to date while it lives. Several processes share the work. */
  static readonly layerUpkeep = Layer.effectDiscard(
    Effect.gen(function* () {
      const database = yield* Database
      const records = yield* DealRecords
      const failed = (cause: unknown) => Effect.logWarning("could not render deal records", cause)
      const round = Effect.gen(function* () {
        const stale = yield* database.unscoped<{ org_id: string }>(
          database.sql`select org_id from stale_organizations()`,
        )
        const rendered = yield* Effect.forEach(stale, ({ org_id }) =>
          Effect.catchCause(records.refresh(org_id, TURN), (cause) => Effect.as(failed(cause), 0)),
        )
        if (rendered.every((deals) => deals < TURN * BATCH)) yield* Effect.sleep(POLL)
      })
      yield* inBackground(
        Effect.forever(Effect.catchCause(round, (cause) => Effect.andThen(failed(cause), Effect.sleep(POLL)))),
      )
    }),
  )
}
