import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { MAX_ATTEMPTS, PAUSED_AFTER_HOURS, chooseRetrySeconds } from "./schedule.ts"
import { selectWritten, utc } from "../storage/sql.ts"
import type { Webhook } from "./contract.ts"
import type { Event } from "./events.ts"
import type { DeliveryOutcome } from "./outcome.ts"

/** The name of the dispatcher's work in the SQL function `due_work` and in notifications. */
export const WORK = "webhooks"

const times = (...names: ReadonlyArray<string>) => names.map((name) => `${utc(name)} as ${name}`).join(", ")

/** The columns of a webhook in the API. */
export const webhookColumns = (sql: SqlClient): Fragment =>
  sql.literal(
    `id, url, description, event_types, status, notice, created_by, ${times("failing_since", "created_at", "updated_at", "expires_at")}`,
  )

/** The columns of a delivery in the API, and `n`, its number in the log. */
const deliveryColumns = (sql: SqlClient): Fragment =>
  sql.literal(`n::text, id, event as event_type, state as status, attempts, response_status, error, body::json as payload,
    case when state = 'pending' then ${utc("due_at")} end as next_attempt_at, ${times("created_at", "ended_at")}`)

/** Selects deliveries, newest first. Runs inside `Database.scoped`. */
export const selectLog = (
  sql: SqlClient,
  webhook: string,
  page: { readonly status: string | undefined; readonly before: string | undefined; readonly size: number },
): Fragment => sql`
  select ${deliveryColumns(sql)} from webhook_deliveries d
  where ${sql.and([
    sql`d.org_id = scope.org`,
    sql`d.webhook_id = ${webhook}`,
    ...(page.status === undefined ? [] : [sql`d.state = ${page.status}`]),
    ...(page.before === undefined ? [] : [sql`d.n < ${page.before}::bigint`]),
  ])}
  order by d.n desc limit ${page.size + 1}::int`

/**
 * Queues events in order. Skips an event if the same one is pending, untried and the last of its thing, and queues the end
 * of an export only once. The webhook's row numbers its deliveries and stays locked until they commit.
 */
export const enqueue = (
  sql: SqlClient,
  org: string,
  webhook: string,
  events: ReadonlyArray<Event & { readonly id: string }>,
): Fragment => sql`
  with fresh as materialized (
    select x.*, row_number() over (order by x.position) as nth
    from rows from (json_to_recordset(${JSON.stringify(events)}::json) as (id text, type text, subject text, body text))
      with ordinality as x(id, type, subject, body, position)
    where not exists (
        select from webhook_deliveries d where d.org_id = ${org} and d.webhook_id = ${webhook} and d.subject = x.subject
          and d.event = x.type and d.state = 'pending' and d.attempts = 0 and not exists (
            select from webhook_deliveries e where e.org_id = ${org} and e.webhook_id = ${webhook} and e.subject = x.subject
              and e.n > d.n))
      and not (x.type like 'export.%' and exists (
        select from webhook_deliveries d where d.org_id = ${org} and d.webhook_id = ${webhook} and d.subject = x.subject
          and d.event = x.type))
  ), numbers as (
    update webhooks w set deliveries = w.deliveries + (select count(*) from fresh)
      where w.org_id = ${org} and w.id = ${webhook} returning w.deliveries - (select count(*) from fresh) as before
  ), queued as (
    insert into webhook_deliveries (org_id, id, webhook_id, n, event, subject, body)
      select ${org}, f.id, ${webhook}, numbers.before + f.nth, f.type, f.subject, f.body from numbers, fresh f order by f.nth
      returning *
  )
  select ${deliveryColumns(sql)} from queued`

export const MAX_WEBHOOKS = 50

/** Inserts a webhook and returns it as the API does; no row if the organization has `MAX_WEBHOOKS`. */
export const insertWebhook = (
  sql: SqlClient,
  row: {
    readonly org_id: string
    readonly id: string
    readonly url: string
    readonly description: string | null
    readonly event_types: ReadonlyArray<string>
    readonly secret: Uint8Array
    readonly cursor: string
    readonly seen: string
    readonly created_by: string | undefined
    readonly expires_at: string | null | undefined
  },
) =>
  sql<Webhook>`${selectWritten(
    sql,
    webhookColumns(sql),
    sql`insert into webhooks (org_id, id, url, description, event_types, secret, cursor, seen, created_by, expires_at)
  select ${row.org_id}, ${row.id}, ${row.url}, ${row.description}, ${row.event_types}::text[], ${row.secret}, ${row.cursor},
    ${row.seen}::bigint, ${row.created_by ?? null}, ${row.expires_at ?? null}::timestamptz
  where (select count(*) from webhooks where org_id = ${row.org_id}) < ${MAX_WEBHOOKS}`,
  )}`

export const updateWebhook = (sql: SqlClient, org: string, id: string, values: ReadonlyArray<Fragment>): Fragment =>
  selectWritten(
    sql,
    webhookColumns(sql),
    sql`update webhooks set ${sql.csv([...values, sql`updated_at = now()`])} where org_id = ${org} and id = ${id}`,
  )

export const deleteWebhook = (sql: SqlClient, org: string, id: string) =>
  sql`delete from webhooks where org_id = ${org} and id = ${id} returning id`

/** Replaces the sealed secrets, unless a caller has rotated them since `current` was read. */
export const replaceSecrets = (
  sql: SqlClient,
  org: string,
  id: string,
  current: Uint8Array,
  next: { readonly secret: Uint8Array; readonly previous: Uint8Array | null },
) =>
  sql`update webhooks set secret = ${next.secret}, previous_secret = ${next.previous}
    where org_id = ${org} and id = ${id} and secret = ${current} returning id`

/** Moves the webhook's position in the feed past the changes that were queued. */
export const moveCursor = (
  sql: SqlClient,
  org: string,
  id: string,
  { next, reached }: { readonly next: string; readonly reached: string },
) => sql`update webhooks set cursor = ${next}, seen = ${reached}::bigint where org_id = ${org} and id = ${id}`

/** Makes the pending deliveries of a webhook due now, with all attempts left. */
export const hurryDeliveries = (sql: SqlClient, org: string, webhook: string) =>
  sql`update webhook_deliveries set due_at = now(), attempts = 0
    where org_id = ${org} and webhook_id = ${webhook} and state = 'pending' and (lease_until is null or lease_until <= now())`

/** Returns a claimed delivery to the queue; the attempt does not count. */
export const releaseDelivery = (
  sql: SqlClient,
  { org_id: org, id, epoch }: { readonly org_id: string; readonly id: string; readonly epoch: number },
) =>
  sql`update webhook_deliveries set lease_until = null, attempts = attempts - 1
    where org_id = ${org} and id = ${id} and epoch = ${epoch}`

/** `examined` deliveries were read, up to number `last`; those in flight were not `replayed`. */
export interface ReplayedBatch {
  readonly examined: number
  readonly last: string | null
  readonly replayed: number
}

/** Queues the next deliveries that meet a condition again, whatever became of them. */
export const replayBatch = (
  sql: SqlClient,
  org: string,
  webhook: string,
  { chosen, after, size }: { readonly chosen: Fragment; readonly after: string; readonly size: number },
) => sql<ReplayedBatch>`
  with examined as materialized (
    select n from webhook_deliveries
    where org_id = ${org} and webhook_id = ${webhook} and n > ${after}::bigint and ${chosen}
    order by n limit ${size}::int
  ), replayed as (
    update webhook_deliveries set state = 'pending', attempts = 0, due_at = now(), lease_until = null, ended_at = null
    where org_id = ${org} and webhook_id = ${webhook} and n in (select n from examined)
      and (lease_until is null or lease_until <= now()) returning n
  )
  select (select count(*)::int from examined) as examined, (select max(n)::text from examined) as last,
    (select count(*)::int from replayed) as replayed`

/** The webhook after an attempt; no row if another process took the delivery over. */
export interface WebhookAfterAttempt {
  readonly stopped: boolean
  readonly notice: string | null
}

/** Ends a delivery or schedules its next attempt, and updates the status of its webhook. */
export const recordOutcome = Effect.fnUntraced(function* (
  sql: SqlClient,
  delivery: {
    readonly org_id: string
    readonly id: string
    readonly webhook_id: string
    readonly epoch: number
    readonly attempts: number
  },
  outcome: DeliveryOutcome,
) {
  const { org_id: org, id, webhook_id: webhook, epoch, attempts } = delivery
  const wait = yield* chooseRetrySeconds(attempts)
  const ended = (state: string, status: number | null, error: string | null) =>
    sql`state = ${state}, response_status = ${status}::int, error = ${error}, ended_at = now(), lease_until = null`
  const waiting = (status: number | null, error: string, seconds: number) =>
    sql`response_status = ${status}::int, error = ${error}, lease_until = null,
      due_at = now() + ${seconds}::float8 * interval '1 second'`
  const own = sql`org_id = ${org} and id = ${webhook}`
  // Locks the webhook first, in the same order as its deletion.
  const after = (set: Fragment, changed: Fragment) => sql`
    with webhook as materialized (
      select from webhooks where ${own} for update
    ), attempt as (
      update webhook_deliveries set ${set}
      where org_id = ${org} and id = ${id} and epoch = ${epoch} and state = 'pending'
        and exists (select from webhook) returning id
    )
    update webhooks set ${changed} where ${own} and exists (select from attempt)
    returning status <> 'enabled' as stopped, notice`
  switch (outcome._tag) {
    case "Delivered":
      return after(
        ended("delivered", outcome.status, null),
        sql`failing_since = null, notice = case when notice = ${UNSIGNED} then null else notice end`,
      )
    case "Unwanted":
      return after(
        ended("failed", outcome.status, "the address replied with status 410: it wants no more deliveries"),
        sql`status = 'disabled', notice = ${"its address replied 410 Gone; enable it if the address accepts events again"}`,
      )
    case "Unsigned":
      // Another instance may be able to sign it.
      return after(
        sql`lease_until = null, attempts = attempts - 1, error = ${UNSIGNED},
          due_at = now() + ${UNSIGNED_RETRY_SECONDS}::int * interval '1 second'`,
        sql`notice = ${UNSIGNED}`,
      )
    case "Failed": {
      const status = outcome.status ?? null
      const over = sql`failing_since < now() - ${PAUSED_AFTER_HOURS}::int * interval '1 hour' and status = 'enabled'`
      const notice = `every attempt of the last ${PAUSED_AFTER_HOURS} hours failed; the last error was: ${outcome.error}. Fix the address, then set the status to enabled to send the waiting deliveries`
      return after(
        wait === undefined
          ? ended("failed", status, `${outcome.error}; given up after ${MAX_ATTEMPTS} attempts`)
          : waiting(status, outcome.error, wait),
        sql`failing_since = coalesce(failing_since, now()), status = case when ${over} then 'paused' else status end,
          notice = case when ${over} then ${notice} else notice end`,
      )
    }
  }
})

const UNSIGNED_RETRY_SECONDS = 10

const UNSIGNED =
  "deliveries wait: they cannot be signed, for the webhook's secret was sealed with another `signingSecret` (SIGHTLINE_SIGNING_SECRET). Set that one again, or as `previousSigningSecret` (SIGHTLINE_SIGNING_SECRET_PREVIOUS); if it is lost, rotate this webhook's secret"
