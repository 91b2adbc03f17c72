import { assert, describe, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { RefusedSignIns } from "../../src/core/access/RefusedSignIns.ts"
import { makeSecret } from "../../src/core/access/secret.ts"
import type { RequestState } from "../../src/core/http/CurrentRequest.ts"
import { Background } from "../../src/core/jobs/Background.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { untilEffect } from "../support/until.ts"
import { layerWeb, Web } from "../support/web.ts"

for (const engine of engines) {
  describe(`a refused key on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      const refusal = Effect.fnUntraced(function* (authorization: string, path = "/api/v1/deals") {
        const web = yield* Web
        const reply = yield* web.request(path, "", {
          headers: { authorization, "content-type": "application/json" },
          ...(path === "/mcp" && { method: "POST", body: "{}" }),
        })
        assert.strictEqual(reply.status, 401)
        assert.strictEqual(reply.headers.get("www-authenticate"), "Bearer")
        return reply.json.error.message as string
      })

      it.effect(
        "gets a reason for a wrong form, checksum or expiry; a revoked key gets the same as an unknown one",
        () =>
          Effect.gen(function* () {
            const keys = yield* ApiKeys
            const { org } = yield* (yield* Web).tenant()
            const expired = yield* keys.create(org, { name: "e", role: "viewer" })
            const revoked = yield* keys.create(org, { name: "r", role: "viewer" })
            yield* keys.revoke(org, revoked.id)
            const both = yield* keys.create(org, { name: "b", role: "viewer" })
            const database = yield* Database
            for (const { id } of [expired, both]) {
              const expire = database.sql`update api_keys set expires_at = '2020-01-01' where org_id = ${org} and id = ${id}`
              yield* database.transaction(org, expire)
            }
            yield* keys.revoke(org, both.id)
            const live = yield* keys.create(org, { name: "l", role: "viewer" })
            const rotated = yield* keys.rotate(org, live.id, 0)
            const unknown = yield* makeSecret("live")
            for (const path of ["/api/v1/deals", "/mcp"]) {
              const reasonFor = (token: string) => refusal(`Bearer ${token}`, path)
              assert.match(yield* refusal(`Basic ${btoa("a:b")}`, path), /not of the form 'Bearer <key>'/)
              assert.match(yield* reasonFor(`${live.key.slice(0, -1)}_`), /checksum/)
              assert.match(yield* reasonFor("short"), /checksum/)
              assert.match(yield* reasonFor(expired.key), /expired/)
              const unknownReason = yield* reasonFor(unknown)
              assert.match(unknownReason, /does not exist or was revoked/)
              assert.strictEqual(yield* reasonFor(revoked.key), unknownReason)
              assert.strictEqual(yield* reasonFor(both.key), unknownReason)
              assert.strictEqual(yield* reasonFor(live.key), unknownReason)
              assert.strictEqual(yield* reasonFor("a-key-of-another-kind"), unknownReason)
            }
            assert.notStrictEqual(rotated.key, live.key)
          }),
      )

      it.effect("is written to the audit log also after a flood of keys with other prefixes", () =>
        Effect.gen(function* () {
          const { sql, scoped } = yield* Database
          const { org } = yield* (yield* Web).tenant()
          const revoked = yield* (yield* ApiKeys).create(org, { name: "r", role: "viewer" })
          const refused = Context.get(
            yield* Layer.build(
              RefusedSignIns.layer.pipe(
                Layer.provide(
                  Layer.succeed(Background, { chore: () => Effect.void } as unknown as Background["Service"]),
                ),
                Layer.provide(Layer.succeed(Database, yield* Database)),
              ),
            ),
            RefusedSignIns,
          )
          const request = { id: "request", address: "192.0.2.1" } as RequestState
          const prefixed = (n: number) => `sl_live_${String(n).padStart(4, "0")}`
          const flood = (from: number) => {
            for (let n = from; n < from + 1_000; n++) refused.count(prefixed(n), "unknown", request)
          }
          flood(0)
          // Those that come before the first thousand are written are counted.
          for (let n = 0; n < 7; n++) refused.count(prefixed(8_000 + n), "unknown", request)
          const entries = scoped<{ target: string; details: unknown }>(
            org,
            sql`select target, details from audit_log where org_id = scope.org and action = 'sign_in.refused'`,
          )
          const [entry] = yield* untilEffect(
            "the key of the organization is in the audit log",
            Effect.gen(function* () {
              refused.count(revoked.key, "unknown", request)
              flood(1_000)
              const found = yield* entries
              return found.length > 0 && found
            }),
          )
          assert.strictEqual(entry?.target, revoked.display)
          assert.deepInclude(entry?.details, { reason: "unknown" })
        }),
      )

      it.effect("adds one audit entry per minute, for the organization that has a key with its prefix", () =>
        Effect.gen(function* () {
          const keys = yield* ApiKeys
          const { sql, scoped } = yield* Database
          const [mine, other] = [yield* (yield* Web).tenant(), yield* (yield* Web).tenant()]
          const revoked = yield* keys.create(mine.org, { name: "r", role: "viewer" })
          yield* keys.revoke(mine.org, revoked.id)
          const database = Layer.succeed(SqlClient, sql)
          const { handler, dispose } = yield* Effect.promise(() => Sightline.open({ database }))
          const send = Effect.fnUntraced(function* (token: string) {
            const request = new Request("http://localhost/api/v1/deals", {
              headers: { authorization: `Bearer ${token}` },
            })
            assert.strictEqual((yield* Effect.promise(() => handler(request))).status, 401)
          })
          for (let n = 0; n < 20; n++) yield* send(revoked.key)
          for (let n = 0; n < 20; n++) yield* send(yield* makeSecret("live"))
          yield* Effect.promise(() => dispose())
          const entries = (org: string) =>
            scoped<Record<string, unknown>>(
              org,
              sql`select target, actor, details from audit_log where org_id = scope.org and action = 'sign_in.refused'`,
            )
          assert.deepStrictEqual(yield* entries(mine.org), [
            { target: revoked.display, actor: null, details: { reason: "unknown", attempts: 20 } },
          ])
          assert.deepStrictEqual(yield* entries(other.org), [])
        }),
      )
    })
  })
}
