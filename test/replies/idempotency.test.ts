import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { Replies } from "../../src/core/replies/Replies.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

const create = (key: string, body: object, idempotencyKey?: string) =>
  Effect.flatMap(Web, (web) =>
    web.request("/api/v1/keys", key, {
      method: "POST",
      body: JSON.stringify(body),
      headers: {
        "content-type": "application/json",
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      },
    }),
  )

for (const engine of engines) {
  describe(`Idempotency-Key on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("runs a request once and replays its reply byte for byte", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, key } = yield* web.tenant()
          const first = yield* create(key, { name: "ci", role: "member" }, "once-1")
          const second = yield* create(key, { name: "ci", role: "member" }, "once-1")
          assert.strictEqual(first.status, 201)
          assert.strictEqual(second.status, 201)
          assert.strictEqual(second.text, first.text)
          assert.isNull(first.headers.get("idempotent-replayed"))
          assert.strictEqual(second.headers.get("idempotent-replayed"), "true")
          assert.notStrictEqual(second.headers.get("x-request-id"), first.headers.get("x-request-id"))
          assert.lengthOf(yield* (yield* ApiKeys).list(org), 2)
        }),
      )

      it.effect("rejects the same key with another body", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          yield* create(key, { name: "one", role: "member" }, "reused")
          const other = yield* create(key, { name: "two", role: "member" }, "reused")
          assert.strictEqual(other.status, 409)
          assert.strictEqual(other.json.error.code, "conflict")
        }),
      )

      it.effect("is shared by all keys of its organization, and by no other organization", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const mine = yield* web.tenant()
          const other = yield* web.tenant()
          const first = yield* create(mine.key, { name: "a", role: "owner" }, "shared")
          assert.strictEqual(
            (yield* create(other.key, { name: "a", role: "owner" }, "shared")).headers.get("idempotent-replayed"),
            null,
          )
          const colleague = yield* create(first.json.key, { name: "a", role: "owner" }, "shared")
          assert.strictEqual(colleague.text, first.text)
        }),
      )

      it.effect("runs one of many concurrent requests", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const replies = yield* Effect.forEach(
            Array.from({ length: 8 }),
            () => create(key, { name: "race", role: "viewer" }, "race"),
            { concurrency: 8 },
          )
          const created = replies.filter(({ status }) => status === 201)
          assert.isAtLeast(created.length, 1)
          assert.strictEqual(new Set(created.map(({ text }) => text)).size, 1)
          assert.isTrue(replies.every(({ status }) => status === 201 || status === 409))
          assert.lengthOf(yield* (yield* ApiKeys).list(org), 2)
        }),
      )

      it.effect("stores no failed reply, so that a corrected request can be sent again", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          assert.strictEqual((yield* create(key, { name: "x" }, "mended")).status, 400)
          assert.strictEqual((yield* create(key, { name: "x", role: "viewer" }, "mended")).status, 201)
          assert.strictEqual((yield* create(key, { name: "y", role: "viewer" }, "no\u00e9")).status, 400)
          const large = { name: "x".repeat(2_000_000), role: "viewer" }
          assert.strictEqual((yield* create(key, large, "large")).status, 413)
          assert.strictEqual((yield* create(key, { name: "x", role: "viewer" }, "large")).status, 201)
        }),
      )

      it.effect("replays no reply to a key with other permissions", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const admin = yield* (yield* ApiKeys).create(org, { name: "admin", role: "admin" })
          const created = yield* create(key, { name: "o", role: "owner" }, "owners")
          assert.strictEqual(created.status, 201)
          const refused = yield* create(admin.key, { name: "o", role: "owner" }, "owners")
          assert.strictEqual(refused.status, 409)
          assert.notInclude(refused.text, created.json.key)
        }),
      )

      it.effect("replays a private view or board to no other key", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org } = yield* web.tenant()
          const keys = yield* ApiKeys
          const ada = yield* keys.create(org, { name: "ada", role: "member" })
          const ben = yield* keys.create(org, { name: "ben", role: "member" })
          for (const [path, body] of [
            ["/views", { name: "mine" }],
            ["/boards", { name: "mine" }],
          ] as const) {
            const post = (key: string) =>
              web.request(`/api/v1${path}`, key, {
                method: "POST",
                headers: { "idempotency-key": path, "content-type": "application/json" },
                body: JSON.stringify(body),
              })
            const first = yield* post(ada.key)
            assert.strictEqual(first.status, 201, first.text)
            assert.strictEqual((yield* post(ada.key)).text, first.text)
            assert.strictEqual((yield* post(ben.key)).status, 409, path)
          }
        }),
      )

      it.effect("accepts the reply of the second holder only, after the first one's lease expired", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const replies = yield* Replies
          const { transaction, sql } = yield* Database
          const claimName = Effect.map(replies.claim(org, "name"), (claim) =>
            claim._tag === "Claimed" ? { org, name: "name", epoch: claim.epoch } : assert.fail(claim._tag),
          )
          const first = yield* claimName
          assert.strictEqual((yield* replies.claim(org, "name"))._tag, "InProgress")
          yield* transaction(
            org,
            sql`update idempotent_replies set locked_until = now() - interval '1 second'
            where org_id = ${org}`,
          )
          const second = yield* claimName
          const reply = { status: 200, headers: {}, body: new Uint8Array([1]) }
          assert.isFalse(yield* replies.store(first, "first", reply))
          yield* replies.release(first)
          assert.isTrue(yield* replies.store(second, "second", reply))
          assert.deepInclude(yield* replies.claim(org, "name"), { _tag: "Answered", fingerprint: "second" })
        }),
      )

      it.effect("stores neither the key nor the reply in a form that the database alone can reveal", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const { json } = yield* create(key, { name: "x", role: "viewer" }, "sealed-key")
          const database = yield* Database
          const rows = yield* database.scoped<{ row: string }>(
            org,
            database.sql`select encode(body, 'escape') || r::text as row from idempotent_replies r where org_id = scope.org`,
          )
          assert.lengthOf(rows, 1)
          assert.notInclude(rows[0]!.row, json.key)
          assert.notInclude(rows[0]!.row, "sealed-key")
        }),
      )
    })
  })
}
