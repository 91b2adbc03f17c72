import { afterAll, assert, beforeAll, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { engines } from "../support/engines.ts"
import { untilEffect } from "../support/until.ts"
import { layerLibrary, layerWeb, Web } from "../support/web.ts"
import { startEndpoint } from "./endpoint.ts"
import { tools } from "./tools.ts"

const endpoint = await startEndpoint()

for (const engine of engines) {
  describe(`managing webhooks on ${engine.name}`, () => {
    beforeAll(() => {
      endpoint.received.length = 0
      endpoint.answer = () => 204
    })
    layer(layerWeb(engine.database, layerLibrary([endpoint.port])), { excludeTestServices: true })((it) => {
      const { newPath, send, createWebhook, importDeals, receivedBy, listDeliveries, runSql } = tools(
        endpoint,
        engine.name,
      )

      it.effect("replays one delivery or all of a period, with their original ids", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const path = newPath()
          const { id } = yield* createWebhook(key, path)
          yield* importDeals(key, ["d1", "d2", "d3"])
          const settled = Effect.map(
            listDeliveries(key, id),
            (rows) => rows.length === 3 && rows.every(({ status }) => status === "delivered"),
          )
          yield* untilEffect("three deliveries", settled)
          const [newest, , oldest] = yield* listDeliveries(key, id)
          const one = yield* send(key, "POST", `/webhooks/${id}/replay`, { delivery_id: oldest.id })
          assert.deepStrictEqual([one.status, one.json], [202, { replayed: 1 }])
          yield* untilEffect(
            "the replayed delivery",
            Effect.sync(() => receivedBy(path).length >= 4),
          )
          yield* untilEffect("the end of the replay", settled)
          assert.strictEqual(endpoint.at(path).at(-1)!.headers["webhook-id"], oldest.id)
          const all = yield* send(key, "POST", `/webhooks/${id}/replay`, { from: oldest.created_at })
          assert.deepStrictEqual(all.json, { replayed: 3 })
          yield* untilEffect(
            "all replayed deliveries",
            Effect.sync(() => receivedBy(path).length >= 7),
          )
          const none = { from: oldest.created_at, to: "2020-01-01T00:00:00Z" }
          assert.deepStrictEqual((yield* send(key, "POST", `/webhooks/${id}/replay`, none)).json, { replayed: 0 })
          const unknown = yield* send(key, "POST", `/webhooks/${id}/replay`, { delivery_id: "msg_none" })
          assert.strictEqual(unknown.status, 404)
          yield* runSql(
            org,
            `update webhook_deliveries set lease_until = now() + interval '1 hour' where id = '${oldest.id}'`,
          )
          const busy = yield* send(key, "POST", `/webhooks/${id}/replay`, { delivery_id: oldest.id })
          assert.deepStrictEqual([busy.status, busy.json.error.code], [409, "conflict"], busy.text)
          assert.strictEqual((yield* send(key, "POST", `/webhooks/${id}/replay`, {})).status, 400)
          const page = (yield* send(key, "GET", `/webhooks/${id}/deliveries?page_size=2`)).json
          assert.strictEqual(page.data[0].id, newest.id)
          const rest = (yield* send(key, "GET", `/webhooks/${id}/deliveries?page_size=2&cursor=${page.next_cursor}`))
            .json
          assert.deepStrictEqual([rest.data.map((row: any) => row.id), rest.next_cursor], [[oldest.id], null])
          const other = yield* createWebhook(key, newPath())
          const cursor = page.next_cursor
          assert.notMatch(cursor, /^\d+$/)
          for (const path of [
            `/webhooks/${id}/deliveries?cursor=7`,
            `/webhooks/${id}/deliveries?cursor=${cursor.slice(1)}`,
            `/webhooks/${other.id}/deliveries?cursor=${cursor}`,
          ]) {
            const refused = yield* send(key, "GET", path)
            assert.deepStrictEqual(
              [refused.status, refused.json.error.details.invalid_fields[0].field],
              [400, "cursor"],
            )
          }
        }),
      )

      it.effect("replays more deliveries than one batch, but not those in flight", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const { id } = yield* createWebhook(key, newPath())
          yield* send(key, "PATCH", `/webhooks/${id}`, { status: "paused" })
          yield* runSql(
            org,
            `insert into webhook_deliveries (org_id, id, n, webhook_id, event, subject, body, state, ended_at, lease_until)
              select '${org}', 'm' || n, 100 + n, '${id}', 'ping', 's', '{}', 'delivered', now(),
                case when n = 7 then now() + interval '1 minute' end
              from generate_series(1, 2003) n`,
          )
          const { json } = yield* send(key, "POST", `/webhooks/${id}/replay`, { from: "2020-01-01T00:00:00Z" })
          assert.deepStrictEqual(json, { replayed: 2002 })
        }),
      )

      it.effect("refuses events that the key cannot read", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const keys = yield* ApiKeys
          const permissions = ["webhooks.manage", "documents.read"] as const
          const { key: narrow } = yield* keys.create(org, { name: "n", role: "admin", permissions })
          const own = yield* createWebhook(narrow, newPath())
          const { event_types } = (yield* send(narrow, "GET", `/webhooks/${own.id}`)).json
          assert.isNotEmpty(event_types)
          assert.isTrue(event_types.every((type: string) => type.startsWith("document.")))
          const url = `http://127.0.0.1:${endpoint.port}/elsewhere`
          const all = yield* createWebhook(key, newPath())
          const refused = [
            yield* send(narrow, "POST", "/webhooks", { url, event_types: ["document.ready", "deal.created"] }),
            yield* send(narrow, "PATCH", `/webhooks/${own.id}`, { event_types: ["export.completed"] }),
            yield* send(narrow, "PATCH", `/webhooks/${all.id}`, { url }),
          ]
          for (const { status, json } of refused) {
            assert.deepStrictEqual([status, json.error.code], [403, "forbidden"])
          }
          assert.strictEqual((yield* send(narrow, "PATCH", `/webhooks/${all.id}`, { status: "paused" })).status, 200)
          const none = yield* keys.create(org, { name: "n", role: "admin", permissions: ["webhooks.manage"] })
          assert.strictEqual((yield* send(none.key, "POST", "/webhooks", { url })).status, 403)
        }),
      )

      it.effect("refuses private addresses, and keys without webhooks.manage", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const other = yield* (yield* Web).tenant()
          for (const url of [
            "http://10.0.0.1/",
            "http://169.254.169.254/latest",
            "http://127.0.0.1:1/",
            "ftp://x.example/",
            "https://exa\r\nmple.com/",
            "https://example.com\\@127.0.0.1/",
            "https://example.com/ ",
          ]) {
            const { status, json } = yield* send(key, "POST", "/webhooks", { url })
            assert.deepStrictEqual([status, json.error.details.invalid_fields[0].field], [400, "url"], url)
          }
          const { id } = yield* createWebhook(key, newPath())
          // Simulates a host name that resolved to a public address when the webhook was created.
          yield* runSql(org, `update webhooks set url = 'http://10.0.0.1/' where org_id = '${org}'`)
          yield* importDeals(key, ["d1"])
          yield* untilEffect(
            "the refusal",
            Effect.map(listDeliveries(key, id), ([row]) => row?.error?.includes("webhooks call only http")),
          )
          const member = yield* (yield* ApiKeys).create(org, { name: "m", role: "member" })
          assert.strictEqual((yield* send(member.key, "GET", "/webhooks")).status, 403)
          assert.strictEqual((yield* send(other.key, "GET", `/webhooks/${id}`)).status, 404)
          assert.strictEqual((yield* send(key, "DELETE", `/webhooks/${id}`)).status, 204)
          assert.strictEqual((yield* send(key, "DELETE", `/webhooks/${id}`)).status, 404)
        }),
      )
    })
  })
}

afterAll(() => endpoint.stop())
