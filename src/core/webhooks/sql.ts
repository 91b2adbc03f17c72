import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { MOST_ATTEMPTS, PAUSED_AFTER_HOURS, waitAfter } from "./schedule.ts"
import { utc } from "../storage/sql.ts"
import type { Event } from "./events.ts"
import type { Outcome } from "./outcome.ts"

const times = (...names: ReadonlyArray<string>) => names.map((name) => `${utc(name)} as ${name}`).join(", ")

/** A webhook as the API shows it. */
export const shownWebhook = (sql: SqlClient): Fragment =>
  sql.literal(
    `id, url, description, event_types, status, notice, created_by, ${times("failing_since", "created_at", "updated_at", "expires_at")}`,
  )

/** A delivery as the API shows it; `n` is its place in the log. */
export const shownDelivery = (sql: SqlClient): Fragment =>
  sql.literal(`n::text, id, event as event_type, state as status, attempts, response_status, error, body::json as payload,
    case when state = 'pending' then ${utc("due_at")} end as next_attempt_at, ${times("created_at", "ended_at")}`)

/** Newest first. Runs inside `Database.scoped`. */
export const logOf = (
  sql: SqlClient,
  webhook: string,
  page: { readonly status: string | undefined; readonly before: string | undefined; readonly size: number },
): Fragment => sql`
  select ${shownDelivery(sql)} from webhook_deliveries d
  where ${sql.and([
    sql`d.org_id = scope.org`,
    sql`d.webhook_id = ${webhook}`,
    ...(page.status === undefined ? [] : [sql`d.state = ${page.status}`]),
    ...(page.before === undefined ? [] : [sql`d.n < ${page.before}::bigint`]),
  ])}
  order by d.n desc limit ${page.size + 1}::int`

/**
 * Queues events in their order. One that is waiting already, as the last of its thing and never tried, says it all; and the
 * end of an export is told once. The webhook numbers its deliveries; its row is locked until they are committed.
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
  )
  insert into webhook_deliveries (org_id, id, webhook_id, n, event, subject, body)
    select ${org}, f.id, ${webhook}, numbers.before + f.nth, f.type, f.subject, f.body from numbers, fresh f order by f.nth
    returning ${shownDelivery(sql)}`

/** The webhook after an attempt; no row where another has taken the delivery over, or nothing of the webhook changed. */
export interface Settled {
  readonly stopped: boolean
  readonly notice: string | null
}

/** Ends an attempt, or says when the next is; and what that means for its webhook. */
export const settle = Effect.fnUntraced(function* (
  sql: SqlClient,
  delivery: {
    readonly org_id: string
    readonly id: string
    readonly webhook_id: string
    readonly epoch: number
    readonly attempts: number
  },
  outcome: Outcome,
) {
  const { org_id: org, id, webhook_id: webhook, epoch, attempts } = delivery
  const wait = yield* waitAfter(attempts)
  const ended = (state: string, status: number | null, error: string | null) =>
    sql`state = ${state}, response_status = ${status}::int, error = ${error}, ended_at = now(), lease_until = null`
  const waiting = (status: number | null, error: string, seconds: number) =>
    sql`response_status = ${status}::int, error = ${error}, lease_until = null,
      due_at = now() + ${seconds}::float8 * interval '1 second'`
  const own = sql`org_id = ${org} and id = ${webhook}`
  // The webhook is locked first, as by who deletes it.
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
        sql`status = 'disabled', notice = ${"its address answered 410 Gone; enable it again if that is over"}`,
      )
    case "Unsigned":
      // Another instance may be able to.
      return after(
        sql`lease_until = null, attempts = attempts - 1, error = ${UNSIGNED},
          due_at = now() + ${UNSIGNED_WAIT_SECONDS}::int * interval '1 second'`,
        sql`notice = ${UNSIGNED}`,
      )
    case "Failed": {
      const status = outcome.status ?? null
      const over = sql`failing_since < now() - ${PAUSED_AFTER_HOURS}::int * interval '1 hour' and status = 'enabled'`
      const notice = `every attempt of ${PAUSED_AFTER_HOURS} hours failed, the last one thus: ${outcome.error}. Set the status to enabled when it is mended: what waits is sent then`
      return after(
        wait === undefined
          ? ended("failed", status, `${outcome.error}; given up after ${MOST_ATTEMPTS} attempts`)
          : waiting(status, outcome.error, wait),
        sql`failing_since = coalesce(failing_since, now()), status = case when ${over} then 'paused' else status end,
          notice = case when ${over} then ${notice} else notice end`,
      )
    }
  }
})

/** What cannot be signed is looked at again after this time. */
const UNSIGNED_WAIT_SECONDS = 10

const UNSIGNED =
  "deliveries wait: they cannot be signed, for the webhook's secret was sealed with another SIGHTLINE_SIGNING_SECRET. Set that one again, or as SIGHTLINE_SIGNING_SECRET_PREVIOUS; if it is lost, rotate this webhook's secret"
