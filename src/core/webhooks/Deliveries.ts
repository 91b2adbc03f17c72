import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeId } from "../common/ids.ts"
import { signalChange } from "../changes/signal.ts"
import { Conflict, NotFound } from "../http/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import type { Delivery } from "./contract.ts"
import { PING } from "./events.ts"
import { enqueue, selectLog } from "./sql.ts"
import { Webhooks } from "./Webhooks.ts"

/** Deliveries per statement. */
const REPLAY_BATCH_SIZE = 1000

export type ReplayTarget =
  | { readonly delivery_id: string }
  | { readonly from: string; readonly to?: string | undefined }

/** Lists, replays and queues deliveries. The dispatcher sends them. */
export class Deliveries extends Context.Service<
  Deliveries,
  {
    readonly list: (
      org: string,
      webhook: string,
      page: { readonly status: string | undefined; readonly size: number; readonly before: string | undefined },
    ) => Effect.Effect<
      { readonly data: ReadonlyArray<Delivery>; readonly next_cursor: string | null },
      NotFound | DatabaseUnavailable
    >
    /** Queues deliveries again and returns their number; skips those in flight. A failure may leave some queued. */
    readonly replay: (
      org: string,
      webhook: string,
      which: ReplayTarget,
    ) => Effect.Effect<number, NotFound | Conflict | DatabaseUnavailable>
    readonly ping: (org: string, webhook: string) => Effect.Effect<Delivery, NotFound | Conflict | DatabaseUnavailable>
  }
>()("sightline/webhooks/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const webhooks = yield* Webhooks

      return Deliveries.of({
        list: Effect.fn("Deliveries.list")(function* (org, webhook, { status, size, before }) {
          yield* webhooks.find(org, webhook)
          const rows = yield* database.scoped<Row>(org, selectLog(sql, webhook, { status, before, size }))
          const page = rows.slice(0, size)
          return {
            data: page.map(toDelivery),
            next_cursor: rows.length > size ? (page.at(-1)?.n ?? null) : null,
          }
        }),

        replay: Effect.fn("Deliveries.replay")(function* (org, webhook, which) {
          yield* webhooks.find(org, webhook)
          const chosen =
            "delivery_id" in which
              ? sql`id = ${which.delivery_id}`
              : sql`created_at >= ${which.from}::timestamptz
                  and created_at <= coalesce(${which.to ?? null}::timestamptz, now())`
          const batch = (after: string) =>
            database.transaction(
              org,
              sql<Batch>`
                with looked as materialized (
                  select n from webhook_deliveries
                  where org_id = ${org} and webhook_id = ${webhook} and n > ${after}::bigint and ${chosen}
                  order by n limit ${REPLAY_BATCH_SIZE}::int
                ), again as (
                  update webhook_deliveries set state = 'pending', attempts = 0, due_at = now(), lease_until = null,
                    ended_at = null
                  where org_id = ${org} and webhook_id = ${webhook} and n in (select n from looked)
                    and (lease_until is null or lease_until <= now()) returning n
                )
                select (select count(*)::int from looked) as looked, (select max(n)::text from looked) as last,
                  (select count(*)::int from again) as again`,
            )
          let replayed = 0
          for (let after: string | null = "0"; after !== null;) {
            const [row]: ReadonlyArray<Batch> = yield* batch(after)
            replayed += row?.again ?? 0
            after = row?.looked === REPLAY_BATCH_SIZE ? row.last : null
          }
          if (replayed === 0 && "delivery_id" in which) {
            const known = yield* database.scoped(
              org,
              sql`select id from webhook_deliveries
                where org_id = scope.org and webhook_id = ${webhook} and id = ${which.delivery_id}`,
            )
            return yield* known.length === 0
              ? new NotFound({ message: "this webhook has no delivery with this id" })
              : new Conflict({ message: "this delivery is being sent now; wait for its result" })
          }
          yield* signalChange
          return replayed
        }),

        ping: Effect.fn("Deliveries.ping")(function* (org, webhook) {
          const { status } = yield* webhooks.find(org, webhook)
          if (status !== "enabled") {
            return yield* new Conflict({ message: `this webhook is ${status}; enable it first` })
          }
          const id = yield* makeId("msg")
          const timestamp = DateTime.formatIso(yield* DateTime.now)
          const [row] = yield* database.transaction(
            org,
            sql<Row>`${enqueue(sql, org, webhook, [
              { id, type: PING, subject: id, body: JSON.stringify({ type: PING, timestamp, data: {} }) },
            ])}`,
          )
          if (row === undefined) return yield* Effect.die("the ping was not stored")
          yield* signalChange
          return toDelivery(row)
        }),
      })
    }),
  )
}

interface Batch {
  readonly looked: number
  readonly last: string | null
  readonly again: number
}

type Row = Delivery & { readonly n: string }

const toDelivery = ({ n: _, ...delivery }: Row): Delivery => delivery
