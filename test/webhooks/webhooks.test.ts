import { afterAll, assert, beforeAll, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Webhook } from "standardwebhooks"
import { engines } from "../support/engines.ts"
import { untilEffect } from "../support/until.ts"
import { layerLibrary, layerWeb, Web } from "../support/web.ts"
import { startEndpoint } from "./endpoint.ts"
import { tools } from "./tools.ts"

const endpoint = await startEndpoint()

for (const engine of engines) {
  describe(`webhooks on ${engine.name}`, () => {
    beforeAll(() => {
      endpoint.received.length = 0
      endpoint.answer = () => 204
    })
    layer(layerWeb(engine.database, layerLibrary([endpoint.port])), { excludeTestServices: true })((it) => {
      const { newPath, send, createWebhook, importDeals, receivedBy, listDeliveries, runSql } = tools(
        endpoint,
        engine.name,
      )

      it.effect("deliver the subscribed events, with signatures that the reference library accepts", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const path = newPath()
          const { id, secret } = yield* createWebhook(key, path, {
            event_types: ["deal.created", "association.created"],
          })
          assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
          yield* importDeals(key, ["d1", "d2"])
          yield* importDeals(key, ["d1"], { amount: 5 })
          yield* untilEffect(
            "two deliveries",
            Effect.sync(() => receivedBy(path).length >= 2),
          )
          assert.sameMembers(receivedBy(path), ["deal.created d1", "deal.created d2"])
          const [first] = endpoint.at(path)
          const headers = first!.headers as Record<string, string>
          const verified = new Webhook(secret).verify(first!.body, headers) as { type: string; data: object }
          assert.deepStrictEqual(verified.data, { id: first!.id })
          assert.throws(() => new Webhook(secret).verify(first!.body.replace("d1", "d3").replace("d2", "d3"), headers))
          assert.strictEqual(headers["content-type"], "application/json")
          yield* untilEffect(
            "the log",
            Effect.map(listDeliveries(key, id), (rows) => rows.every(({ status }) => status === "delivered")),
          )
          const rows = yield* listDeliveries(key, id)
          assert.deepInclude(
            rows.find((row) => row.id === headers["webhook-id"]),
            {
              event_type: first!.type,
              status: "delivered",
              attempts: 1,
              response_status: 204,
              error: null,
              payload: JSON.parse(first!.body),
              next_attempt_at: null,
            },
          )
          const listed = yield* send(key, "GET", "/webhooks")
          assert.notInclude(listed.text, secret)
          assert.deepStrictEqual(listed.json.data, [(yield* send(key, "GET", `/webhooks/${id}`)).json])
        }),
      )

      it.effect("report the end of an export, not its progress", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const path = newPath()
          yield* createWebhook(key, path, { event_types: ["export.completed", "export.failed"] })
          yield* importDeals(key, ["d1"])
          const { export_id } = (yield* send(key, "POST", "/deals/export", { columns: ["name"] })).json
          yield* untilEffect(
            "the end",
            Effect.sync(() => receivedBy(path).length > 0),
          )
          assert.deepStrictEqual(receivedBy(path), [`export.completed ${export_id}`])
          assert.strictEqual(JSON.parse(endpoint.at(path)[0]!.body).data.status, "completed")
          const feed = (yield* send(key, "GET", "/changes?types=export")).json.data
          assert.lengthOf(feed, 1)
          assert.deepInclude(feed[0], { id: export_id, action: "created", status: "completed" })
        }),
      )

      it.effect("sign with both secrets during the grace period of a rotation, and then with the new one", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const path = newPath()
          const { id, secret } = yield* createWebhook(key, path)
          const rotated = (yield* send(key, "POST", `/webhooks/${id}/rotate`)).json
          assert.notStrictEqual(rotated.secret, secret)
          const ping = Effect.gen(function* () {
            const before = endpoint.at(path).length
            const reply = yield* send(key, "POST", `/webhooks/${id}/test`)
            assert.deepInclude(reply.json, { event_type: "ping" }, reply.text)
            yield* untilEffect(
              "a ping",
              Effect.sync(() => endpoint.at(path).length > before),
            )
            return endpoint.at(path).at(-1)!
          })
          const both = yield* ping
          assert.lengthOf(String(both.headers["webhook-signature"]).split(" "), 2)
          for (const each of [secret, rotated.secret]) {
            new Webhook(each).verify(both.body, both.headers as Record<string, string>)
          }
          yield* runSql(org, `update webhooks set previous_expires_at = now() where org_id = '${org}'`)
          const one = yield* ping
          new Webhook(rotated.secret).verify(one.body, one.headers as Record<string, string>)
          assert.throws(() => new Webhook(secret).verify(one.body, one.headers as Record<string, string>))
          const secrets = yield* runSql(
            org,
            `select encode(secret, 'escape') as secret from webhooks where org_id = '${org}'`,
          )
          assert.notInclude(JSON.stringify(secrets), rotated.secret.slice(6, 20))
        }),
      )

      it.effect("retry until the address accepts, in order per deal, without delaying other deals", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const path = newPath()
          let broken = true
          endpoint.answer = (each) => (each.path === path && each.id === "d1" && broken ? 500 : 204)
          const { id } = yield* createWebhook(key, path)
          yield* importDeals(key, ["d1", "d2"])
          yield* untilEffect(
            "the first",
            Effect.sync(() => receivedBy(path).length >= 2),
          )
          yield* importDeals(key, ["d1", "d2"], { amount: 7 })
          yield* untilEffect(
            "the other deal",
            Effect.sync(() => receivedBy(path).includes("deal.updated d2")),
          )
          assert.notInclude(receivedBy(path), "deal.updated d1")
          // The address has the other deal's event before its delivery is recorded.
          const waiting = yield* untilEffect(
            "the deliveries of the first deal alone wait",
            Effect.map(listDeliveries(key, id, "?status=pending"), (found) => (found.length === 2 ? found : undefined)),
          )
          assert.sameMembers(
            waiting.map(({ event_type }) => event_type),
            ["deal.created", "deal.updated"],
          )
          const failed = waiting.find(({ event_type }) => event_type === "deal.created")
          assert.deepInclude(failed, { response_status: 500, error: "the address replied with status 500" })
          assert.isAtLeast(failed.attempts, 1)
          assert.isAbove(Date.parse(failed.next_attempt_at), Date.parse(failed.created_at))
          broken = false
          yield* runSql(org, `update webhook_deliveries set due_at = now() where org_id = '${org}' and attempts > 0`)
          yield* untilEffect(
            "the rest",
            Effect.sync(() => receivedBy(path).includes("deal.updated d1")),
          )
          const ofOne = endpoint.at(path).filter((each) => each.id === "d1")
          assert.strictEqual(ofOne.at(-1)!.type, "deal.updated")
          const created = ofOne.slice(0, -1)
          assert.isAtLeast(created.length, 2)
          assert.isTrue(created.every(({ type }) => type === "deal.created"))
          assert.lengthOf(new Set(created.map(({ headers }) => headers["webhook-id"])), 1)
        }),
      )

      it.effect("pause with a notice after a day of failures, and send the waiting deliveries when enabled", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const path = newPath()
          let broken = true
          endpoint.answer = (each) => (each.path === path && broken ? 503 : 204)
          const { id } = yield* createWebhook(key, path)
          yield* importDeals(key, ["d1"])
          yield* untilEffect(
            "the first",
            Effect.sync(() => receivedBy(path).length >= 1),
          )
          yield* untilEffect(
            "the failure",
            Effect.map(listDeliveries(key, id), ([row]) => row?.response_status === 503),
          )
          const { failing_since } = (yield* send(key, "GET", `/webhooks/${id}`)).json
          assert.isNotNull(failing_since)
          yield* runSql(org, `update webhooks set failing_since = now() - interval '25 hours' where org_id = '${org}'`)
          yield* runSql(org, `update webhook_deliveries set due_at = now() where org_id = '${org}'`)
          const read = Effect.map(send(key, "GET", `/webhooks/${id}`), ({ json }) => json)
          yield* untilEffect(
            "the pause",
            Effect.map(read, ({ status }) => status === "paused"),
          )
          assert.match((yield* read).notice, /24 hours failed.*status 503.*enabled/)
          const asked = receivedBy(path).length
          const other = newPath()
          yield* createWebhook(key, other)
          yield* runSql(org, `update webhook_deliveries set due_at = now() where org_id = '${org}'`)
          yield* importDeals(key, ["d2"])
          yield* untilEffect(
            "the delivery to another webhook",
            Effect.sync(() => receivedBy(other).includes("deal.created d2")),
          )
          assert.lengthOf(receivedBy(path), asked)
          assert.strictEqual((yield* send(key, "POST", `/webhooks/${id}/test`)).status, 409)
          broken = false
          const enabled = yield* send(key, "PATCH", `/webhooks/${id}`, { status: "enabled" })
          assert.deepInclude(enabled.json, { status: "enabled", notice: null, failing_since: null })
          yield* untilEffect(
            "what waited",
            Effect.sync(() => receivedBy(path).includes("deal.created d2")),
          )
          assert.strictEqual(receivedBy(path).filter((each) => each === "deal.created d1").length, asked + 1)
        }),
      )

      it.effect("stop at 410, give up after ten attempts, and follow no redirect", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const [gone, lost, moved] = [newPath(), newPath(), newPath()]
          endpoint.answer = ({ path }) => (path === gone ? 410 : path === lost ? 500 : path === moved ? 302 : 204)
          const { id: goneId } = yield* createWebhook(key, gone)
          const { id: lostId } = yield* createWebhook(key, lost)
          const { id: movedId } = yield* createWebhook(key, moved)
          yield* importDeals(key, ["d1"])
          yield* untilEffect(
            "an attempt",
            Effect.map(listDeliveries(key, lostId), ([row]) => row?.attempts >= 1),
          )
          yield* runSql(
            org,
            `update webhook_deliveries set due_at = now(), attempts = 9 where webhook_id = '${lostId}'`,
          )
          yield* untilEffect(
            "the end",
            Effect.map(listDeliveries(key, lostId), ([row]) => row?.status === "failed"),
          )
          const [end] = yield* listDeliveries(key, lostId)
          assert.strictEqual(end.error, "the address replied with status 500; given up after 10 attempts")
          yield* untilEffect(
            "the 410",
            Effect.map(listDeliveries(key, goneId), ([row]) => row?.status === "failed"),
          )
          assert.strictEqual((yield* send(key, "GET", `/webhooks/${goneId}`)).json.status, "disabled")
          yield* untilEffect(
            "the redirect",
            Effect.map(listDeliveries(key, movedId), ([row]) => row?.response_status === 302),
          )
          assert.include((yield* listDeliveries(key, movedId))[0].error, "redirects are not followed")
          assert.lengthOf(endpoint.at("/elsewhere"), 0)
        }),
      )
    })
  })
}

afterAll(() => endpoint.stop())
