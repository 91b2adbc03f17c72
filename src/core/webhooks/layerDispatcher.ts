import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeIdUnsafe } from "../common/ids.ts"
import { Changes, toldOnce } from "../changes/Changes.ts"
import { inBackground } from "../jobs/background.ts"
import { CHANGE_TYPE_NAMES } from "../changes/contract.ts"
import { changeSignalled, signalChange } from "../changes/signal.ts"
import { UrlFetcher } from "../ports/UrlFetcher.ts"
import { SigningKeys } from "../signing/SigningKeys.ts"
import { Database, WhenFull } from "../storage/Database.ts"
import { type Event, eventsOf, type EventType } from "./events.ts"
import { outcomeOf, type Outcome } from "./outcome.ts"
import { resealing } from "./resealing.ts"
import { sealed } from "./secrets.ts"
import { signatureHeaders } from "./signature.ts"
import { enqueue, type Settled, settle } from "./sql.ts"

/** Sent at once by this process; to one address, by all processes together or little more; to one that fails, one. */
const MOST = 64
const EACH = 4
/** Changes taken from the feed at a time. */
const PAGE = 500
const ANSWER_SECONDS = 15
/** Longer than an attempt can take, and no longer than a job waits for another process. */
const LEASE_SECONDS = 18
/** What other processes changed is noticed within this time. */
const POLL = "1 second"
/** Between looks that find nothing. */
const BREATH = "100 millis"

interface Behind {
  readonly org_id: string
  readonly id: string
}

interface Claimed extends Behind {
  readonly webhook_id: string
  readonly body: string
  readonly epoch: number
  readonly attempts: number
  readonly url: string
  readonly secret: Uint8Array
  readonly previous_secret: Uint8Array | null
}

/**
 * Carries changes to webhooks: from the feed into each one's queue, in one transaction with how far it has come; from the
 * queues to their addresses. Any number of processes share the work, and any may die at it: a lease lapses, and another
 * sends again.
 */
export const layerDispatcher = Layer.effectDiscard(
  Effect.gen(function* () {
    const database = yield* Database
    const { sql } = database
    const changes = yield* Changes
    const fetcher = yield* UrlFetcher
    const signing = yield* SigningKeys
    let sending = 0

    /** Queues what the webhook has not seen; another process that does so already is left to it. */
    const take = Effect.fnUntraced(function* ({ org_id: org, id }: Behind) {
      const [webhook] = yield* sql<{ cursor: string; event_types: ReadonlyArray<EventType> }>`
        select cursor, event_types from webhooks where org_id = ${org} and id = ${id} and status = 'enabled'
        for update skip locked`
      if (webhook === undefined) return
      const asked = { types: CHANGE_TYPE_NAMES, size: PAGE, despiteForgotten: true }
      // What was deleted while it was paused for longer than deletions are kept cannot be told any more; of a database
      // restored from a dump all is told anew.
      const page = yield* changes.page(org, { ...asked, since: webhook.cursor || undefined }).pipe(
        Effect.catchTag("Gone", () => changes.page(org, { ...asked, since: undefined })),
        Effect.catchTag("BadRequest", Effect.die),
      )
      const isWanted = ({ type }: Event) => webhook.event_types.includes(type as EventType)
      const wanted = toldOnce(page.changes.filter((change) => eventsOf(change).some(isWanted)))
        .flatMap(eventsOf)
        .filter(isWanted)
        .map((event) => ({ ...event, id: makeIdUnsafe("msg") }))
      if (wanted.length > 0) yield* sql`${enqueue(sql, org, id, wanted)}`
      yield* sql`update webhooks set cursor = ${page.next}, seen = ${page.reached}::bigint where org_id = ${org} and id = ${id}`
    })

    const send = Effect.fnUntraced(function* (delivery: Claimed): Effect.fn.Return<Outcome> {
      const box = sealed(signing, delivery.org_id, delivery.webhook_id)
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
          { seconds: ANSWER_SECONDS },
        )
        .pipe(
          Effect.map(outcomeOf),
          Effect.catch(({ message }) => Effect.succeed<Outcome>({ _tag: "Failed", error: message })),
        )
    })

    const attempt = (delivery: Claimed) =>
      send(delivery).pipe(
        Effect.flatMap((outcome) => settled(delivery, outcome)),
        Effect.onInterrupt(() =>
          Effect.ignore(
            database.transaction(
              delivery.org_id,
              sql`update webhook_deliveries set lease_until = null, attempts = attempts - 1
                where org_id = ${delivery.org_id} and id = ${delivery.id} and epoch = ${delivery.epoch}`,
            ),
          ),
        ),
        Effect.provideService(WhenFull, "goes on"),
        // The lease lapses, and it is sent again.
        Effect.catchCause((cause) => Effect.logWarning("could not store the result of a webhook delivery", cause)),
        Effect.ensuring(Effect.suspend(() => (sending--, signalChange))),
      )

    const settled = Effect.fnUntraced(function* (delivery: Claimed, outcome: Outcome) {
      const { org_id: org, webhook_id } = delivery
      const [webhook] = yield* database.transaction(
        org,
        Effect.flatMap(settle(sql, delivery, outcome), (statement) => sql<Settled>`${statement}`),
      )
      if (webhook?.stopped === true) {
        yield* Effect.logWarning(`webhook ${webhook_id} of ${org}: ${webhook.notice}`)
      }
    })

    const round = Effect.gen(function* () {
      const behind = yield* database.unscoped<Behind>(sql`select * from webhooks_behind(${MOST}::int)`)
      // One that cannot be told keeps none of the others waiting.
      const taken = yield* Effect.forEach(behind, (webhook) =>
        database
          .transaction(webhook.org_id, Effect.as(take(webhook), true))
          .pipe(
            Effect.catchCause((cause) =>
              Effect.as(Effect.logWarning(`webhook ${webhook.id} of ${webhook.org_id} waits`, cause), false),
            ),
          ),
      )
      const free = MOST - sending
      const claimed =
        free <= 0
          ? []
          : yield* database.unscoped<Claimed>(
              sql`select * from claim_deliveries(${LEASE_SECONDS}::int * interval '1 second', ${EACH}::int, ${free}::int)`,
            )
      sending += claimed.length
      yield* Effect.forEach(claimed, (delivery) => Effect.forkChild(attempt(delivery)), { discard: true })
      return taken.some(Boolean) || claimed.length > 0
    })

    // Of many changes in a row that concern nobody, not each is looked at.
    const resting = Effect.suspend(() =>
      Effect.andThen(
        sending > 0 ? Effect.void : Effect.sleep(BREATH),
        Effect.raceFirst(changeSignalled, Effect.sleep(POLL)),
      ),
    )
    const dispatch = round.pipe(
      Effect.catchCause((cause) => Effect.as(Effect.logDebug("webhooks wait", cause), false)),
      Effect.flatMap((busy) => (busy ? Effect.void : resting)),
      Effect.forever,
    )
    yield* inBackground(dispatch)
    if (signing.accepted.length > 1) yield* inBackground(resealing(database, signing))
  }),
)
