import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Database } from "../../src/core/storage/Database.ts"
import { recordWritten } from "../../src/core/storage/recordChanges.ts"
import { engines } from "../support/engines.ts"
import { layerLibrary, layerWeb, Web } from "../support/web.ts"

const inOneHour = () => new Date(Date.now() + 3_600_000).toISOString()
const inTwoHours = () => new Date(Date.now() + 7_200_000).toISOString()

for (const engine of engines) {
  describe(`the lineage of keys on ${engine.name}`, () => {
    // The dispatcher would deliver to webhooks that the test finds behind.
    const quiet = layerWeb(engine.database, layerLibrary(), undefined, false)
    layer(quiet, { excludeTestServices: true })((it) => {
      const send = (key: string, path: string, body?: object, method = "POST", more: Record<string, string> = {}) =>
        Effect.flatMap(Web, (web) =>
          web.request(`/api/v1${path}`, key, {
            method,
            ...(body !== undefined && { body: JSON.stringify(body) }),
            headers: { ...(body !== undefined && { "content-type": "application/json" }), ...more },
          }),
        )
      const tenant = Effect.flatMap(Web, (web) => web.tenant({ plan: "enterprise", role: "owner" }))
      const makeKey = Effect.fnUntraced(function* (by: string, more: object = {}) {
        const { status, json } = yield* send(by, "/keys", { name: "child", role: "admin", ...more })
        assert.strictEqual(status, 201, JSON.stringify(json))
        return json as { id: string; key: string; [field: string]: unknown }
      })

      it.effect("an expiring key cannot create, rotate or read the secret of a key that outlives it", () =>
        Effect.gen(function* () {
          const { key: owner } = yield* tenant
          const permanent = yield* makeKey(owner)
          const end = inOneHour()
          const temporary = yield* makeKey(owner, { expires_at: end })
          const child = yield* makeKey(temporary.key)
          assert.strictEqual(child["expires_at"], end)
          assert.strictEqual(child["created_by"], temporary.id)
          const longer = yield* send(temporary.key, "/keys", { name: "x", role: "viewer", expires_at: inTwoHours() })
          assert.strictEqual(longer.status, 403)
          assert.include(longer.json.error.message, end)
          assert.strictEqual((yield* send(temporary.key, `/keys/${permanent.id}/rotate`)).status, 403)
          assert.strictEqual((yield* send(temporary.key, `/keys/${child.id}/rotate`)).status, 200)
          assert.strictEqual((yield* send(temporary.key, `/keys/${temporary.id}/rotate`)).status, 200)
          const replayed = { "idempotency-key": "once" }
          const equal = yield* makeKey(owner, { role: "owner", expires_at: end })
          const first = yield* send(owner, "/keys", { name: "y", role: "admin" }, "POST", replayed)
          assert.strictEqual(first.status, 201)
          const again = yield* send(equal.key, "/keys", { name: "y", role: "admin" }, "POST", replayed)
          assert.strictEqual(again.status, 409)
        }),
      )

      it.effect("a key with its own limit cannot create or rotate a key with a higher one", () =>
        Effect.gen(function* () {
          const { key: owner } = yield* tenant
          const fast = yield* makeKey(owner)
          const slow = yield* makeKey(owner, { requests_per_minute: 50 })
          assert.strictEqual((yield* makeKey(slow.key))["requests_per_minute"], 50)
          // A key with a higher limit than its plan creates keys with the plan's limit.
          const fastest = yield* makeKey(owner, { requests_per_minute: 250 })
          assert.isNull((yield* makeKey(fastest.key))["requests_per_minute"])
          const faster = yield* send(slow.key, "/keys", { name: "x", role: "viewer", requests_per_minute: 51 })
          assert.strictEqual(faster.status, 403)
          assert.include(faster.json.error.message, "50 requests per minute")
          assert.strictEqual((yield* send(slow.key, `/keys/${fast.id}/rotate`)).status, 403)
          assert.strictEqual((yield* send(slow.key, `/keys/${slow.id}/rotate`)).status, 200)
        }),
      )

      it.effect(
        "revoking with descendants revokes the lineage and disables its webhooks, and leaves other keys alone",
        () =>
          Effect.gen(function* () {
            const { key: owner } = yield* tenant
            const parent = yield* makeKey(owner)
            const child = yield* makeKey(parent.key)
            const rotated = (yield* send(parent.key, `/keys/${child.id}/rotate`, { grace_seconds: 0 })).json
            const grandchild = yield* makeKey(rotated.key)
            const sibling = yield* makeKey(owner)
            const hook = (yield* send(grandchild.key, "/webhooks", { url: "https://example.com/hook" })).json
            assert.strictEqual(hook.created_by, grandchild.id)
            // Without `descendants`, its lineage stays live.
            assert.strictEqual((yield* send(owner, `/keys/${parent.id}`, undefined, "DELETE")).status, 204)
            assert.strictEqual((yield* send(grandchild.key, "/keys", undefined, "GET")).status, 200)
            const whole = yield* send(owner, `/keys/${parent.id}?descendants=true`, undefined, "DELETE")
            assert.strictEqual(whole.status, 204)
            for (const { key } of [rotated, grandchild]) {
              assert.strictEqual((yield* send(key, "/keys", undefined, "GET")).status, 401)
            }
            assert.strictEqual((yield* send(sibling.key, "/keys", undefined, "GET")).status, 200)
            const stopped = (yield* send(owner, `/webhooks/${hook.id}`, undefined, "GET")).json
            assert.strictEqual(stopped.status, "disabled")
            assert.match(stopped.notice, /revoked/)
          }),
      )

      it.effect("a webhook stops when the key that set it expires, and continues after another key changes it", () =>
        Effect.gen(function* () {
          const { org, key: owner } = yield* tenant
          const { sql, transaction, unscoped } = yield* Database
          const end = inOneHour()
          const temporary = yield* makeKey(owner, { expires_at: end })
          const { json: hook } = yield* send(temporary.key, "/webhooks", { url: "https://example.com/hook" })
          assert.strictEqual(hook.expires_at, end)
          const { json: lasting } = yield* send(owner, "/webhooks", { url: "https://example.com/other" })
          assert.isNull(lasting.expires_at)
          const change = { url: "https://example.com/elsewhere" }
          assert.strictEqual((yield* send(temporary.key, `/webhooks/${lasting.id}`, change, "PATCH")).status, 403)
          assert.strictEqual((yield* send(temporary.key, `/webhooks/${lasting.id}/rotate`)).status, 403)

          yield* transaction(
            org,
            sql`insert into stages (org_id, id, name, category, position) values (${org}, 's', 'S', 'open', 1)`,
          )
          yield* transaction(
            org,
            Effect.andThen(
              sql`insert into deals (org_id, id, name, created_at, updated_at) values (${org}, 'd', 'D', now(), now())`,
              recordWritten("deal", ["d"]),
            ),
          )
          const behind = Effect.map(
            unscoped<{ org_id: string; id: string }>(sql`select * from webhooks_behind(1000)`),
            (rows) => rows.filter((row) => row.org_id === org).map((row) => row.id),
          )
          assert.sameMembers(yield* behind, [hook.id, lasting.id])
          yield* transaction(
            org,
            sql`update webhooks set expires_at = now() - interval '1 second' where id = ${hook.id}`,
          )
          assert.deepStrictEqual(yield* behind, [lasting.id])
          const extended = yield* send(owner, `/webhooks/${hook.id}`, { description: "ours" }, "PATCH")
          assert.isNull(extended.json.expires_at)
          assert.sameMembers(yield* behind, [hook.id, lasting.id])
        }),
      )

      it.effect("a key shows which key created it and when it was last used", () =>
        Effect.gen(function* () {
          const { key: owner } = yield* tenant
          const child = yield* makeKey(owner)
          assert.isNull(child["last_used_at"])
          const began = Date.now()
          yield* send(child.key, "/usage", undefined, "GET")
          const { data } = (yield* send(owner, "/keys", undefined, "GET")).json
          const [first, second] = data
          assert.isNull(first.created_by)
          assert.strictEqual(second.created_by, first.id)
          // To the minute.
          assert.isAtLeast(Date.parse(second.last_used_at), began - (began % 60_000))
          assert.isAtMost(Date.parse(second.last_used_at), Date.now())
        }),
      )

      it.effect("one 400 names both a permission beyond the role and an expiry in the past", () =>
        Effect.gen(function* () {
          const { key: owner } = yield* tenant
          const { status, json } = yield* send(owner, "/keys", {
            name: "x",
            role: "viewer",
            permissions: ["deals.read", "deals.export"],
            expires_at: "2020-01-01T00:00:00Z",
          })
          assert.strictEqual(status, 400)
          assert.deepStrictEqual(
            json.error.details.invalid_fields.map((each: { field: string }) => each.field),
            ["permissions", "expires_at"],
          )
          assert.match(json.error.message, /role 'viewer'.*deals\.export/)
        }),
      )

      it.effect("usage shows other keys only to a key with keys.manage", () =>
        Effect.gen(function* () {
          const { key: owner } = yield* tenant
          const viewer = yield* makeKey(owner, { name: "mine", role: "viewer" })
          yield* makeKey(owner, { name: "secret project" })
          const seen = yield* send(viewer.key, "/usage", undefined, "GET")
          assert.deepStrictEqual(
            seen.json.keys.map((each: { name: string }) => each.name),
            ["mine"],
          )
          assert.isAbove(seen.json.organization.requests_per_month.used, 2)
          const all = yield* send(owner, "/usage", undefined, "GET")
          assert.sameMembers(
            all.json.keys.map((each: { name: string }) => each.name),
            ["test", "mine", "secret project"],
          )
        }),
      )
    })
  })
}
