import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeId } from "../common/ids.ts"
import { Conflict, NotFound } from "../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { announceCommit } from "../storage/Commits.ts"
import { Database } from "../storage/Database.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import { recordDue } from "../storage/recordChanges.ts"
import type { Delivery } from "./contract.ts"
import { PING } from "./events.ts"
import { enqueue, replayBatch, type ReplayedBatch, selectLog, WORK } from "./sql.ts"
import { Webhooks } from "./Webhooks.ts"

/** Deliveries per statement. */
const REPLAY_BATCH_SIZE = 1000

export interface DeliveriesQuery {
  /** Deliveries in this state only. */
  readonly status?: string | undefined
  /** Items per page, from 1. */
  readonly size: number
  /** `next_cursor` of the page before; undefined: the newest deliveries. */
  readonly before?: string | undefined
}

/** The newest first. `next_cursor` is null on the last page. */
export interface DeliveryPage {
  readonly data: ReadonlyArray<Delivery>
  readonly next_cursor: string | null
}

/** One delivery, or those of a time, ISO 8601. */
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
      page: DeliveriesQuery,
    ) => Effect.Effect<DeliveryPage, NotFound | DatabaseUnavailable>
    /** Queues deliveries again and returns their number; skips those in flight. A failure may leave some queued. */
    readonly replay: (
      org: string,
      webhook: string,
      which: ReplayTarget,
    ) => Effect.Effect<number, NotFound | Conflict | DatabaseUnavailable>
    /** Queues an event `ping`. */
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
          const rows = yield* database.scoped<DeliveryRow>(org, selectLog(sql, webhook, { status, before, size }))
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
              Effect.tap(replayBatch(sql, org, webhook, { chosen, after, size: REPLAY_BATCH_SIZE }), ([row]) =>
                row?.replayed ? recordDue(WORK) : Effect.void,
              ),
            )
          let replayed = 0
          for (let after: string | null = "0"; after !== null;) {
            const [row]: ReadonlyArray<ReplayedBatch> = yield* batch(after)
            replayed += row?.replayed ?? 0
            after = row?.examined === REPLAY_BATCH_SIZE ? row.last : null
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
          yield* announceCommit(org)
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
            Effect.tap(
              sql<DeliveryRow>`${enqueue(sql, org, webhook, [
                { id, type: PING, subject: id, body: JSON.stringify({ type: PING, timestamp, data: {} }) },
              ])}`,
              () => recordDue(WORK),
            ),
          )
          if (row === undefined) return yield* Effect.die("the ping was not stored")
          yield* announceCommit(org)
          return toDelivery(row)
        }),
      })
    }).pipe(inOrganization),
  )
}

type DeliveryRow = Delivery & { readonly n: string }

const toDelivery = ({ n: _, ...delivery }: DeliveryRow): Delivery => delivery
