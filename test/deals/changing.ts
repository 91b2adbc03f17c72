import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { throttled, untilEffect } from "../support/until.ts"
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
  const request = (yield* Web).request(`/api/v1${path}`, key, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  })
  return yield* untilEffect(
    `${method} ${path} is not throttled`,
    Effect.map(request, (reply) => throttled(reply) ?? reply),
  )
})

/** The feed's changes after a cursor: their types, actions and ids. */
export const feedAfter = (key: string, cursor: string) =>
  Effect.map(send(key, "GET", `/changes?since=${encodeURIComponent(cursor)}`), ({ json }): ReadonlyArray<string> =>
    json.data.map(({ type, action, id }: any) => `${type}.${action} ${id}`).sort(),
  )
