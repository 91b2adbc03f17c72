import { afterAll, assert, beforeAll, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { untilEffect } from "../support/until.ts"
import { layerLibrary, layerWeb, Web } from "../support/web.ts"
import { startEndpoint } from "./endpoint.ts"
import { tools } from "./tools.ts"

const endpoint = await startEndpoint()

for (const engine of engines) {
  describe(`webhooks fed by changes on ${engine.name}`, () => {
    beforeAll(() => {
      endpoint.received.length = 0
      endpoint.answer = () => 204
    })
    layer(layerWeb(engine.database, layerLibrary([endpoint.port])), { excludeTestServices: true })((it) => {
      const { newPath, send, createWebhook, importDeals, receivedBy, runSql } = tools(endpoint, engine.name)

      it.effect("deliver an update of a new deal only to webhooks without deal.created", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const [updates, both] = [newPath(), newPath()]
          const one = yield* createWebhook(key, updates, { event_types: ["deal.updated", "deal.deleted"] })
          const two = yield* createWebhook(key, both, { event_types: ["deal.created", "deal.updated", "deal.deleted"] })
          for (const { id } of [one, two]) yield* send(key, "PATCH", `/webhooks/${id}`, { status: "paused" })
          yield* importDeals(key, ["d1"])
          yield* importDeals(key, ["d1"], { amount: 5 })
          for (const { id } of [one, two]) yield* send(key, "PATCH", `/webhooks/${id}`, { status: "enabled" })
          yield* untilEffect(
            "one delivery to each",
            Effect.sync(() => receivedBy(updates).length > 0 && receivedBy(both).length > 0),
          )
          // Deliveries of one deal come in order.
          yield* send(key, "DELETE", "/deals/d1")
          yield* untilEffect(
            "the deletion arrives at both",
            Effect.sync(() => [updates, both].every((path) => receivedBy(path).includes("deal.deleted d1"))),
          )
          assert.deepStrictEqual(receivedBy(updates), ["deal.updated d1", "deal.deleted d1"])
          assert.deepStrictEqual(receivedBy(both), ["deal.created d1", "deal.deleted d1"])
        }),
      )

      it.effect("continue from their cursor after a long pause", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const path = newPath()
          const { id } = yield* createWebhook(key, path)
          yield* importDeals(key, ["d1"])
          yield* untilEffect(
            "the first delivery",
            Effect.sync(() => receivedBy(path).length === 1),
          )
          yield* send(key, "PATCH", `/webhooks/${id}`, { status: "paused" })
          yield* importDeals(key, ["d2"])
          yield* runSql(
            org,
            `insert into change_horizons (org_id, sequence) select org_id, last from change_feeds where org_id = '${org}'`,
          )
          yield* importDeals(key, ["d3"])
          yield* send(key, "PATCH", `/webhooks/${id}`, { status: "enabled" })
          yield* untilEffect(
            "the missed deliveries",
            Effect.sync(() => receivedBy(path).length >= 3),
          )
          assert.sameMembers(receivedBy(path), ["deal.created d1", "deal.created d2", "deal.created d3"])
        }),
      )

      it.effect("receive deliveries while another webhook is broken", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const [broken, sound] = [newPath(), newPath()]
          const { id } = yield* createWebhook(key, broken)
          yield* createWebhook(key, sound)
          yield* runSql(org, `update webhooks set cursor = 'nonsense' where id = '${id}'`)
          yield* importDeals(key, ["d1"])
          yield* untilEffect(
            "the delivery to the intact webhook",
            Effect.sync(() => receivedBy(sound).length === 1),
          )
          yield* runSql(org, `update webhooks set cursor = '' where id = '${id}'`)
          yield* untilEffect(
            "the delivery to the repaired webhook",
            Effect.sync(() => receivedBy(broken).length === 1),
          )
        }),
      )

      it.effect("share claims between organizations, the one with the fewest in flight first", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const [busy, quiet] = [yield* web.tenant(), yield* web.tenant()]
          const database = yield* Database
          const { sql } = database
          yield* runSql(
            busy.org,
            `insert into webhooks (org_id, id, url, event_types, secret, cursor, seen)
              select '${busy.org}', 'slow' || n, 'u', '{}', '', '', '0' from generate_series(1, 20) n`,
          )
          const queued = (org: string, webhook: string, n: string) =>
            `insert into webhook_deliveries (org_id, id, n, webhook_id, event, subject, body, due_at)
              select '${org}', ${n}, n, ${webhook}, 'ping', ${n}, '{}', now() - interval '1 second' from generate_series(1, 80) n`
          yield* runSql(
            quiet.org,
            `insert into webhooks (org_id, id, url, event_types, secret, cursor, seen)
              values ('${quiet.org}', 'quiet', 'u', '{}', '', '', '0')`,
          )
          // One transaction writes both and rolls back, so no dispatcher sees them.
          const claimed = database.transaction(
            busy.org,
            Effect.gen(function* () {
              yield* sql.unsafe(queued(busy.org, `'slow' || (n % 20 + 1)`, `n::text`))
              yield* sql`select set_config('sightline.organization', ${quiet.org}, true)`
              yield* sql.unsafe(queued(quiet.org, `'quiet'`, `n::text`))
              const rows = yield* sql<{
                org_id: string
              }>`select org_id from claim_deliveries(interval '1 minute', 4, 8)`
              return yield* Effect.fail(rows.filter(({ org_id }) => org_id === quiet.org).length)
            }),
          )
          assert.strictEqual(yield* Effect.flip(claimed), 4)
        }),
      )
    })
  })
}

afterAll(() => endpoint.stop())
