import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Database } from "../../src/core/storage/Database.ts"
import { Web } from "../support/web.ts"

const RECORDS = [
  { type: "stage", id: "qualified", name: "Qualified" },
  { type: "stage", id: "won", name: "Won" },
  { type: "deal", id: "d1", name: "Renewal", crm_one_id: "X", amount: 5, status: "Qualified", region: "EMEA" },
  { type: "deal", id: "d2", name: "Other", crm_one_id: "Y", status: "Qualified" },
  { type: "association", id: "a1", deal: "d1", feature: "SSO", created_at: "2026-01-01" },
  { type: "association", id: "a2", deal: "d1", feature: "Export", created_at: "2026-01-02" },
  { type: "association", id: "a3", deal: "d2", feature: "Export", created_at: "2026-01-03" },
]

/** Creates an organization with two deals and their associations. */
export const tenantWithDeals = Effect.gen(function* () {
  const web = yield* Web
  const { org, key } = yield* web.tenant()
  const { json } = yield* web.request("/api/v1/import", key, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: RECORDS.map((record) => JSON.stringify(record)).join("\n"),
  })
  assert.strictEqual(json.failed, 0)
  return { org, key }
})

export const send = Effect.fnUntraced(function* (key: string, method: string, path: string, body?: unknown) {
  return yield* (yield* Web).request(`/api/v1${path}`, key, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  })
})

/**
 * Waits until every transaction that began before now has ended. The feed shows nothing newer than the oldest running
 * transaction, and other tests use the same server. The longest fills a database with 100,000 deals.
 */
export const settled = Effect.gen(function* () {
  const { sql, unscoped } = yield* Database
  const [now] = yield* unscoped<{ next: string }>(sql`select pg_snapshot_xmax(pg_current_snapshot())::text as next`)
  for (let look = 0; look < SETTLED_SECONDS * 5; look++) {
    const [row] = yield* unscoped<{ ended: boolean }>(
      sql`select pg_snapshot_xmin(pg_current_snapshot()) >= ${now?.next ?? "0"}::xid8 as ended`,
    )
    if (row?.ended) return
    yield* Effect.sleep("200 millis")
  }
  return yield* Effect.die(`a transaction of another test did not end within ${SETTLED_SECONDS} s`)
})
const SETTLED_SECONDS = 150

/** The feed's changes after a cursor: their types, actions and ids. */
export const feedAfter = (key: string, cursor: string) =>
  Effect.map(send(key, "GET", `/changes?since=${encodeURIComponent(cursor)}`), ({ json }): ReadonlyArray<string> =>
    json.data.map(({ type, action, id }: any) => `${type}.${action} ${id}`).sort(),
  )
