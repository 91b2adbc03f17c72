import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { makeIdUnsafe } from "../common/ids.ts"
import { Changes, dropUpdatesOfCreated } from "../changes/Changes.ts"
import { Background } from "../jobs/Background.ts"
import { OwnWork } from "../jobs/kinds.ts"
import { CHANGE_TYPE_NAMES } from "../changes/contract.ts"
import { UrlFetcher } from "../ports/UrlFetcher.ts"
import { SigningKeys } from "../signing/SigningKeys.ts"
import { Database, WhenDiskFull } from "../storage/Database.ts"
import { recordDue } from "../storage/recordChanges.ts"
import { deliveries } from "../telemetry/metrics.ts"
import { entrySpan } from "../telemetry/tracing.ts"
import { type Event, toEvents, type EventType } from "./events.ts"
import { toOutcome, type DeliveryOutcome } from "./outcome.ts"
import { reseal } from "./resealing.ts"
import { makeSecretBox } from "./secrets.ts"
import { signatureHeaders } from "./signature.ts"
import { enqueue, moveCursor, recordOutcome, releaseDelivery, WORK, type WebhookAfterAttempt } from "./sql.ts"

/** Deliveries that this process sends at once, unless the host says how many. */
const MAX_IN_FLIGHT = 64
/** Per webhook across all processes, which may exceed it slightly; a failing webhook gets one at a time. */
const MAX_IN_FLIGHT_PER_WEBHOOK = 4
/** Changes per page of the feed. */
const FEED_PAGE_SIZE = 500
const REPLY_TIMEOUT_SECONDS = 15
/** Longer than an attempt can take, but short enough for another process to take over soon. */
const LEASE_SECONDS = 18
/** How often a tick looks whether its deliveries have ended. */
const SETTLE_INTERVAL = "50 millis"
/** Shortest wait after a round without work, so that a burst of irrelevant changes causes few rounds. */
const MIN_IDLE_INTERVAL = "100 millis"

const OUTCOMES = { Delivered: "delivered", Unwanted: "unwanted", Failed: "failed", Unsigned: "unsigned" } as const

interface WebhookRef {
  readonly org_id: string
  readonly id: string
}

interface Claimed extends WebhookRef {
  readonly webhook_id: string
  readonly body: string
  readonly epoch: number
  readonly attempts: number
  readonly url: string
  readonly secret: Uint8Array
  readonly previous_secret: Uint8Array | null
}

/**
 * Delivers changes to webhooks: moves them from the feed into each webhook's queue, in one transaction with its cursor, and
 * sends the queues. Any number of processes share the work. If one dies, its leases expire and another sends again.
 */
export const layerDispatcher = Layer.effectDiscard(
  Effect.gen(function* () {
    const database = yield* Database
    const { sql } = database
    const changes = yield* Changes
    const fetcher = yield* UrlFetcher
    const signing = yield* SigningKeys
    const background = yield* Background
    const maxInFlight = (yield* OwnWork).concurrencyOf(WORK, MAX_IN_FLIGHT)
    let sending = 0

    /** Queues the changes that the webhook has not seen; skips a webhook that another process is queuing for. */
    const queueEvents = Effect.fnUntraced(function* ({ org_id: org, id }: WebhookRef) {
      const [webhook] = yield* sql<{ cursor: string; event_types: ReadonlyArray<EventType> }>`
        select cursor, event_types from webhooks where org_id = ${org} and id = ${id} and status = 'enabled'
        for update skip locked`
      if (webhook === undefined) return false
      const query = { types: CHANGE_TYPE_NAMES, size: FEED_PAGE_SIZE, allowMissedDeletions: true }
      // A webhook that was paused for longer than deletions are kept misses some. After a restore from a dump, it gets
      // everything again.
      const page = yield* changes.page(org, { ...query, since: webhook.cursor || undefined }).pipe(
        Effect.catchTag("Gone", () => changes.page(org, { ...query, since: undefined })),
        Effect.catchTag("BadRequest", Effect.die),
      )
      const isWanted = ({ type }: Event) => webhook.event_types.includes(type as EventType)
      const wanted = dropUpdatesOfCreated(page.changes.filter((change) => toEvents(change).some(isWanted)))
        .flatMap(toEvents)
        .filter(isWanted)
        .map((event) => ({ ...event, id: makeIdUnsafe("msg") }))
      if (wanted.length > 0) yield* sql`${enqueue(sql, org, id, wanted)}`
      yield* moveCursor(sql, org, id, page)
      return true
    })

    const send = Effect.fnUntraced(function* (delivery: Claimed): Effect.fn.Return<DeliveryOutcome> {
      const box = makeSecretBox(signing, delivery.org_id, delivery.webhook_id)
      const secret = yield* box.open(delivery.secret)
      if (secret === undefined) return { _tag: "Unsigned" }
      const previous = delivery.previous_secret === null ? undefined : yield* box.open(delivery.previous_secret)
      const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const headers = signatureHeaders(
        delivery.id,
        seconds,
        delivery.body,
        previous === undefined ? [secret] : [secret, previous],
      )
      return yield* fetcher
        .post(
          delivery.url,
          { headers: { ...headers, "content-type": "application/json" }, body: delivery.body },
          { seconds: REPLY_TIMEOUT_SECONDS },
        )
        .pipe(
          Effect.map(toOutcome),
          Effect.catch(({ message }) => Effect.succeed<DeliveryOutcome>({ _tag: "Failed", error: message })),
        )
    })

    const release = (delivery: Claimed) =>
      database.transaction(delivery.org_id, Effect.andThen(releaseDelivery(sql, delivery), recordDue(WORK)))

    const attempt = (delivery: Claimed) =>
      send(delivery).pipe(
        Effect.tap(({ _tag }) => Metric.update(deliveries({ outcome: OUTCOMES[_tag] }), 1)),
        Effect.flatMap((outcome) => storeOutcome(delivery, outcome)),
        Effect.onInterrupt(() => Effect.ignore(release(delivery))),
        Effect.provideService(WhenDiskFull, "proceed"),
        entrySpan("webhooks.deliver", () => ({ root: true })),
        // The lease expires, and a dispatcher sends the delivery again.
        Effect.catchCause((cause) => Effect.logWarning("could not store the result of a webhook delivery", cause)),
        Effect.ensuring(Effect.suspend(() => (sending--, background.wake(WORK)))),
      )

    const storeOutcome = Effect.fnUntraced(function* (delivery: Claimed, outcome: DeliveryOutcome) {
      const { org_id: org, webhook_id } = delivery
      const [webhook] = yield* database.transaction(
        org,
        Effect.flatMap(recordOutcome(sql, delivery, outcome), (statement) => sql<WebhookAfterAttempt>`${statement}`),
      )
      if (webhook?.stopped === true) {
        yield* Effect.logWarning(`webhook ${webhook_id} of ${org}: ${webhook.notice}`)
      }
    })

    const runRound = Effect.gen(function* () {
      const behind = yield* database.unscoped<WebhookRef>(sql`select * from webhooks_behind(${MAX_IN_FLIGHT}::int)`)
      // A failure for one webhook must not delay the others.
      const queued = yield* Effect.forEach(behind, (webhook) =>
        database
          .transaction(webhook.org_id, queueEvents(webhook))
          .pipe(
            Effect.catchCause((cause) =>
              Effect.as(Effect.logWarning(`webhook ${webhook.id} of ${webhook.org_id} waits`, cause), false),
            ),
          ),
      )
      const free = maxInFlight - sending
      const claimed =
        free <= 0
          ? []
          : yield* database.unscoped<Claimed>(
              sql`select * from claim_deliveries(${LEASE_SECONDS}::int * interval '1 second', ${MAX_IN_FLIGHT_PER_WEBHOOK}::int, ${free}::int)`,
            )
      sending += claimed.length
      yield* Effect.forEach(claimed, (delivery) => Effect.forkChild(attempt(delivery)), { discard: true })
      return queued.filter(Boolean).length + claimed.length
    })

    /** Asks one organization: the round asks all, on every server of a cluster. */
    const hasWebhooks = (org: string) =>
      Effect.map(
        database.scoped(org, sql`select from webhooks where org_id = scope.org and status = 'enabled' limit 1`),
        (rows) => rows.length > 0,
      )

    const allSent = Effect.repeat(Effect.sleep(SETTLE_INTERVAL), { while: () => sending > 0 })
    yield* background.work({
      name: WORK,
      round: runRound,
      followsCommits: hasWebhooks,
      rest: Effect.suspend(() => (sending > 0 ? Effect.void : Effect.sleep(MIN_IDLE_INTERVAL))),
      settle: Effect.suspend(() => (sending > 0 ? Effect.asVoid(allSent) : Effect.void)),
    })
    if (signing.accepted.length > 1) {
      const run = Effect.tap(reseal, (count) =>
        count === 0
          ? Effect.void
          : Effect.logInfo(`encrypted ${count} webhook secrets with the current signing secret`),
      )
      yield* background.chore({ name: "resealing webhook secrets", everySeconds: 60, run, isLocal: true })
    }
  }),
)
