import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import type { Role } from "../../src/core/access/permissions.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

for (const engine of engines) {
  describe(`members on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      const setUp = Effect.gen(function* () {
        const web = yield* Web
        const { org } = yield* web.tenant()
        const keys = yield* ApiKeys
        const as = Effect.fnUntraced(function* (role: Role) {
          const { key } = yield* keys.create(org, { name: role, role })
          return (method: string, path = "", body?: object) =>
            web.request(`/api/v1/members${path}`, key, {
              method,
              ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
            })
        })
        return { owner: yield* as("owner"), admin: yield* as("admin"), member: yield* as("member") }
      })
      const ada = { email: "ada@example.com" }

      it.effect("are managed by callers whose role covers theirs", () =>
        Effect.gen(function* () {
          const { owner, admin, member } = yield* setUp
          const { json: added } = yield* admin("POST", "", { ...ada, role: "viewer" })
          assert.deepInclude(added, { ...ada, role: "viewer", origin: "added", name: null, last_sign_in_at: null })
          const { json: changed } = yield* owner("POST", "", { email: "ADA@Example.com", role: "owner" })
          assert.deepStrictEqual(changed, { ...added, role: "owner" })
          for (const refused of [
            yield* admin("POST", "", { email: "eve@example.com", role: "owner" }),
            yield* admin("POST", "", { ...ada, role: "viewer" }),
            yield* admin("DELETE", `/${added.id}`),
          ]) {
            assert.strictEqual(refused.status, 403)
            assert.include(refused.json.error.message, "role 'owner', which may do more than you")
            assert.include(refused.json.error.message, "of role 'viewer', 'member', 'admin'")
          }
          assert.strictEqual((yield* member("POST", "", { email: "eve@example.com", role: "viewer" })).status, 403)
          // A key is no member, and sees none without keys.manage.
          assert.deepStrictEqual((yield* member("GET")).json.data, [])
          assert.deepStrictEqual((yield* admin("GET")).json.data, [changed])
          assert.strictEqual((yield* owner("DELETE", `/${added.id}`)).status, 204)
          assert.strictEqual((yield* owner("DELETE", `/${added.id}`)).status, 404)
          assert.deepStrictEqual((yield* admin("GET")).json.data, [])
        }),
      )

      it.effect("need an address and a role", () =>
        Effect.gen(function* () {
          const { admin } = yield* setUp
          for (const body of [
            { role: "viewer" },
            ada,
            { ...ada, role: "boss" },
            ...[
              "ada",
              "ada@example",
              "a b@example.com",
              "@example.com",
              `${"a".repeat(250)}@example.com`,
              "a\0@example.com",
            ].map((email) => ({ email, role: "viewer" })),
          ]) {
            const { status, json } = yield* admin("POST", "", body)
            assert.strictEqual(status, 400, JSON.stringify(body))
            assert.match(json.error.message, /email|role/)
          }
        }),
      )

      it.effect("are added once, however many requests add them at the same time", () =>
        Effect.gen(function* () {
          const { admin } = yield* setUp
          const add = admin("POST", "", { ...ada, role: "viewer" })
          const replies = yield* Effect.all([add, add, add, add], { concurrency: "unbounded" })
          assert.deepStrictEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
          assert.strictEqual((yield* admin("GET")).json.data.length, 1)
        }),
      )
    })
  })
}
