import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Database } from "../../src/core/storage/Database.ts"
import { throttled, untilEffect } from "../support/until.ts"
import { Web } from "../support/web.ts"
import type { Endpoint } from "./endpoint.ts"

/** Makes helpers for webhooks that call paths of one endpoint. `prefix` keeps the paths of each suite apart. */
export const tools = (endpoint: Endpoint, prefix: string) => {
  let paths = 0
  const newPath = () => `/${prefix}/${++paths}`
  const send = Effect.fnUntraced(function* (key: string, method: string, path: string, body?: unknown) {
    const request = (yield* Web).request(`/api/v1${path}`, key, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    })
    return yield* untilEffect(
      `${method} ${path} is not throttled`,
      Effect.map(request, (reply) => throttled(reply) ?? reply),
    )
  })
  const createWebhook = Effect.fnUntraced(function* (key: string, path: string, fields: object = {}) {
    const reply = yield* send(key, "POST", "/webhooks", {
      url: `http://127.0.0.1:${endpoint.port}${path}`,
      ...fields,
    })
    assert.strictEqual(reply.status, 201, reply.text)
    return reply.json as { readonly id: string; readonly secret: string; readonly status: string }
  })
  const importDeals = Effect.fnUntraced(function* (key: string, ids: ReadonlyArray<string>, fields: object = {}) {
    const { json } = yield* (yield* Web).request("/api/v1/import", key, {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: ids.map((id) => JSON.stringify({ type: "deal", id, name: id, status: "Open", ...fields })).join("\n"),
    })
    assert.strictEqual(json.failed, 0)
  })
  const receivedBy = (path: string) => endpoint.at(path).map(({ type, id }) => `${type} ${id}`)
  const listDeliveries = Effect.fnUntraced(function* (key: string, id: string, query = "") {
    return (yield* send(key, "GET", `/webhooks/${id}/deliveries${query}`)).json.data as ReadonlyArray<any>
  })
  const runSql = Effect.fnUntraced(function* (org: string, statement: string) {
    const database = yield* Database
    return yield* database.transaction(org, database.sql.unsafe(statement))
  })
  return { newPath, send, createWebhook, importDeals, receivedBy, listDeliveries, runSql }
}
