import { assert, describe, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import type { Permission, Role } from "../../src/core/access/permissions.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { lateEffect } from "../support/until.ts"
import { layerWeb } from "../support/web.ts"
import { send, tenantWithDeals } from "./changing.ts"

for (const engine of engines) {
  describe(`changing deals by HTTP on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("PATCH accepts the fields of an import record and replies with the deal", () =>
        Effect.gen(function* () {
          const { key } = yield* tenantWithDeals
          const fields = {
            status: "won",
            amount: 24_000,
            region: null,
            owner: "Anna Berg",
            competitors: [{ competitor: "Rival", is_primary: true }],
            scorecard: { product_fit: { score: 4 } },
          }
          const changed = yield* send(key, "PATCH", "/deals/d1", fields)
          assert.strictEqual(changed.status, 200, changed.text)
          assert.deepStrictEqual(changed.json, (yield* send(key, "GET", "/deals/d1")).json)
          const { name, status_id, previous_status_id, amount, region, owner_name, wl_product_fit_score } = changed.json
          assert.deepStrictEqual(
            { name, status_id, previous_status_id, amount, region, owner_name, wl_product_fit_score },
            {
              name: "Renewal",
              status_id: "won",
              previous_status_id: "qualified",
              amount: 24_000,
              region: null,
              owner_name: "Anna Berg",
              wl_product_fit_score: 4,
            },
          )
          const listed = (yield* send(key, "GET", '/deals?deal_ids=["d1"]')).json[0]
          assert.deepStrictEqual([listed.amount, listed.deal_competitor_associations.length], [24_000, 1])
          const again = yield* send(key, "PATCH", "/deals/d1", fields)
          assert.deepStrictEqual(again.json, changed.json)
          assert.deepStrictEqual((yield* send(key, "PATCH", "/deals/d1", {})).json, changed.json)
          const { data } = (yield* send(key, "GET", "/deals/d1/stages")).json
          assert.deepStrictEqual(
            data.map(({ status, previous_status }: any) => [previous_status, status]),
            [
              [null, { id: "qualified", name: "Qualified", category: "open" }],
              [
                { id: "qualified", name: "Qualified", category: "open" },
                { id: "won", name: "Won", category: "won" },
              ],
            ],
          )
        }),
      )

      it.effect("PATCH refuses what an import refuses, and then changes nothing", () =>
        Effect.gen(function* () {
          const { key } = yield* tenantWithDeals
          const before = (yield* send(key, "GET", "/deals/d1")).json
          for (const [fields, named] of [
            [{ owner: { id: "nobody" }, amount: 9 }, "owner"],
            [{ crm_one_id: "Y", amount: 9 }, "crm_one_id"],
            [{ crm_properties: { unheard_of: 1 } }, "crm_properties.unheard_of"],
            [{ amount: "much" }, "amount"],
            [{ name: "a\0b" }, "name"],
          ] as const) {
            const { status, json, text } = yield* send(key, "PATCH", "/deals/d1", fields)
            assert.strictEqual(status, 400, text)
            assert.deepStrictEqual(
              json.error.details.invalid_fields.map(({ field }: { field: string }) => field),
              [named],
            )
          }
          for (const fields of [{ type: "deal" }, { id: "d2" }, { deleted: true }, { colour: "red" }]) {
            const { status, json } = yield* send(key, "PATCH", "/deals/d1", fields)
            assert.deepStrictEqual([status, json.error.details.unknown_fields], [400, Object.keys(fields)])
          }
          assert.deepStrictEqual((yield* send(key, "GET", "/deals/d1")).json, before)
        }),
      )

      it.effect("gives 404 for an unknown deal or association, and creates nothing", () =>
        Effect.gen(function* () {
          const { key } = yield* tenantWithDeals
          for (const [method, path, body] of [
            ["PATCH", "/deals/d9", { name: "New" }],
            ["PATCH", "/deals/report", { name: "New" }],
            ["DELETE", "/deals/d9"],
            ["GET", "/deals/d9/stages"],
            ["DELETE", "/product-intelligence/a9"],
          ] as const) {
            const { status, json } = yield* send(key, method, path, body)
            assert.deepStrictEqual([status, json.error.code], [404, "not_found"], `${method} ${path}`)
          }
          assert.strictEqual((yield* send(key, "GET", "/deals?count=true")).json.count, 2)
        }),
      )

      it.effect("needs import.write; stage changes need deals.read", () =>
        Effect.gen(function* () {
          const { org, key } = yield* tenantWithDeals
          const keys = yield* ApiKeys
          const keyOf = (role: Role, permissions?: ReadonlyArray<Permission>) =>
            Effect.map(keys.create(org, { name: role, role, ...(permissions && { permissions }) }), (made) => made.key)
          const requests = [
            ["PATCH", "/deals/d1", { amount: 7 }],
            ["DELETE", "/deals/d1"],
            ["DELETE", "/product-intelligence/a1"],
          ] as const
          for (const refused of [
            yield* keyOf("viewer"),
            yield* keyOf("member"),
            yield* keyOf("admin", ["deals.read"]),
          ]) {
            for (const [method, path, body] of requests) {
              const { status, json } = yield* send(refused, method, path, body)
              assert.strictEqual(status, 403)
              assert.include(json.error.message, "cannot import records")
            }
          }
          assert.strictEqual((yield* send(yield* keyOf("viewer"), "GET", "/deals/d1/stages")).status, 200)
          assert.strictEqual(
            (yield* send(yield* keyOf("viewer", ["usage.read"]), "GET", "/deals/d1/stages")).status,
            403,
          )
          assert.strictEqual((yield* send(key, "GET", "/deals/d1")).json.amount, 5)
        }),
      )

      it.effect("audits each change in its transaction, but not a request that changes nothing", () =>
        Effect.gen(function* () {
          const { org, key } = yield* tenantWithDeals
          const { scoped, sql } = yield* Database
          for (const [method, path, body] of [
            ["PATCH", "/deals/d1", { amount: 6 }],
            ["PATCH", "/deals/d1", { amount: 6 }],
            ["PATCH", "/deals/d9", { amount: 6 }],
            ["DELETE", "/product-intelligence/a1"],
            ["DELETE", "/product-intelligence/a1"],
            ["DELETE", "/deals/d1"],
          ] as const) {
            yield* send(key, method, path, body)
          }
          const acts = yield* scoped<{ action: string; target: string }>(
            org,
            sql`select action, target from audit_log where org_id = scope.org and target = any(array['d1', 'd9', 'a1'])`,
          )
          assert.sameMembers(
            acts.map(({ action, target }) => `${action} ${target}`),
            ["deal.updated d1", "association.deleted a1", "deal.deleted d1"],
          )
        }),
      )

      it.effect("waits for the upkeep of deal records, which locks the deal's stale mark and then the deal", () =>
        Effect.gen(function* () {
          const { transaction, sql } = yield* Database
          const { org, key } = yield* tenantWithDeals
          for (const [method, body, status] of [
            ["PATCH", { amount: 6 }, 200],
            ["DELETE", undefined, 204],
          ] as const) {
            yield* transaction(
              org,
              sql`insert into stale_deal_records (org_id, deal_id) values (${org}, 'd1') on conflict do nothing`,
            )
            const held = yield* Deferred.make<void>()
            const upkeep = yield* Effect.forkChild(
              transaction(
                org,
                Effect.gen(function* () {
                  yield* sql`delete from stale_deal_records where org_id = ${org} and deal_id = 'd1'`
                  yield* Deferred.succeed(held, undefined)
                  yield* lateEffect(700)
                  yield* sql`select from deals where org_id = ${org} and id = 'd1' for key share`
                }),
              ),
            )
            yield* Deferred.await(held)
            const reply = yield* send(key, method, "/deals/d1", body)
            assert.strictEqual(reply.status, status, reply.text)
            yield* Fiber.join(upkeep)
          }
        }),
      )
    })
  })
}
