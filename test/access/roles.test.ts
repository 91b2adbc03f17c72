import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { allows, covers, PERMISSION_NAMES, ROLE_NAMES, ROLES } from "../../src/core/access/permissions.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

describe("permissions", () => {
  it("grow from viewer to owner, and an owner has them all", () => {
    for (const [index, role] of ROLE_NAMES.entries()) {
      const below = ROLE_NAMES[index - 1]
      if (below !== undefined) assert.includeMembers([...ROLES[role]], [...ROLES[below]])
    }
    assert.sameMembers([...ROLES.owner], [...PERMISSION_NAMES])
  })

  it("are narrowed by a key's own list, never widened", () => {
    assert.isFalse(allows({ role: "viewer", permissions: ["keys.manage"] }, "keys.manage"))
    assert.isFalse(allows({ role: "admin", permissions: ["deals.read"] }, "keys.manage"))
    assert.isTrue(allows({ role: "admin", permissions: ["keys.manage"] }, "keys.manage"))
  })

  it("cover a key only if they include all of its permissions", () => {
    assert.isTrue(covers({ role: "admin", permissions: null }, { role: "admin", permissions: null }))
    assert.isFalse(covers({ role: "admin", permissions: null }, { role: "owner", permissions: null }))
    assert.isTrue(covers({ role: "admin", permissions: null }, { role: "owner", permissions: ["deals.read"] }))
    assert.isFalse(covers({ role: "admin", permissions: ["keys.manage"] }, { role: "viewer", permissions: null }))
  })
})

layer(layerWeb(engines[0].database), { excludeTestServices: true })("keys over HTTP", (it) => {
  const post = (key: string, path: string, body: unknown) =>
    Effect.flatMap(Web, (web) =>
      web.request(path, key, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    )

  it.effect("names the role and the action in a refusal", () =>
    Effect.gen(function* () {
      const web = yield* Web
      const { key } = yield* web.tenant({ role: "member" })
      const reply = yield* web.request("/api/v1/keys", key)
      assert.strictEqual(reply.status, 403)
      assert.deepStrictEqual(reply.json, {
        error: { code: "forbidden", message: "role 'member' cannot manage API keys" },
      })
    }),
  )

  it.effect("an admin creates, rotates and revokes keys with at most its own permissions", () =>
    Effect.gen(function* () {
      const web = yield* Web
      const { key } = yield* web.tenant({ role: "admin" })
      assert.strictEqual((yield* post(key, "/api/v1/keys", { name: "o", role: "owner" })).status, 403)
      const made = yield* post(key, "/api/v1/keys", {
        name: "v",
        role: "viewer",
        permissions: ["deals.read"],
        requests_per_minute: 7,
      })
      assert.strictEqual(made.status, 201)
      const deals = yield* web.request("/api/v1/deals", made.json.key)
      assert.strictEqual(deals.headers.get("x-ratelimit-limit"), "7")
      assert.strictEqual((yield* web.request("/api/v1/product-intelligence", made.json.key)).status, 403)

      const rotated = yield* post(key, `/api/v1/keys/${made.json.id}/rotate`, { grace_seconds: 0 })
      assert.strictEqual(rotated.status, 200)
      assert.strictEqual((yield* web.request("/api/v1/deals", rotated.json.key)).status, 200)

      const revoked = yield* web.request(`/api/v1/keys/${made.json.id}`, key, { method: "DELETE" })
      assert.strictEqual(revoked.status, 204)
      assert.strictEqual((yield* web.request("/api/v1/deals", rotated.json.key)).status, 401)
      assert.strictEqual((yield* web.request(`/api/v1/keys/${made.json.id}`, key, { method: "DELETE" })).status, 404)

      const listed = yield* web.request("/api/v1/keys", key)
      assert.notInclude(listed.text, rotated.json.key)
      assert.lengthOf(listed.json.data, 2)
    }),
  )

  it.effect("rotates without a body, and reports every bad field at once", () =>
    Effect.gen(function* () {
      const web = yield* Web
      const { key } = yield* web.tenant({ role: "owner" })
      const { json } = yield* web.request("/api/v1/keys", key)
      assert.strictEqual(
        (yield* web.request(`/api/v1/keys/${json.data[0].id}/rotate`, key, { method: "POST" })).status,
        200,
      )
      const bad = yield* post(key, "/api/v1/keys", { role: "boss", nmae: "x", expires_at: "tomorrow" })
      assert.deepStrictEqual(bad.json.error.details.missing_fields, ["name"])
      assert.deepStrictEqual(bad.json.error.details.unknown_fields, ["nmae"])
      assert.deepStrictEqual(
        bad.json.error.details.invalid_fields.map(({ field }: { field: string }) => field),
        ["nmae", "role", "expires_at"],
      )
      const stranger = ["2027-02-30T00:00:00Z", "0000-01-01T00:00:00Z", "2027-01-01T00:00:00+23:00", "2027-01-31"]
      for (const expires_at of stranger) {
        const { status, json } = yield* post(key, "/api/v1/keys", { name: "x", role: "viewer", expires_at })
        assert.deepStrictEqual([status, json.error.details.invalid_fields[0].field], [400, "expires_at"], expires_at)
      }
      const broken = yield* web.request("/api/v1/keys", key, {
        method: "POST",
        body: "{",
        headers: { "content-type": "application/json" },
      })
      assert.strictEqual(broken.status, 400)
      const other = yield* web.request("/api/v1/keys", key, {
        method: "POST",
        body: "x",
        headers: { "content-type": "text/plain" },
      })
      assert.strictEqual(other.status, 415)
      assert.strictEqual(other.json.error.code, "unsupported_media_type")
    }),
  )
})
