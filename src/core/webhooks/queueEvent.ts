import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { makeIdUnsafe } from "../common/ids.ts"
import { enqueue } from "./sql.ts"

/**
 * Queues an event that the feed does not tell, in the transaction of the act: each webhook that wants it gets it if the act commits. The
 * transaction must also record a change, which wakes the dispatcher.
 */
export const queueEvent = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  type: "deal.analyzed" | "deal.verified",
  id: string,
) {
  const webhooks = yield* sql<{ id: string }>`select id from webhooks
    where org_id = ${org} and status = 'enabled' and ${type} = any(event_types) order by id`
  if (webhooks.length === 0) return
  const timestamp = DateTime.formatIso(yield* DateTime.now)
  const body = JSON.stringify({ type, timestamp, data: { id } })
  for (const webhook of webhooks) {
    yield* sql`${enqueue(sql, org, webhook.id, [{ id: makeIdUnsafe("msg"), type, subject: `${type} ${id}`, body }])}`
  }
})
