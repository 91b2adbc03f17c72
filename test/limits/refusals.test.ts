import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Admission, MAX_STALENESS_MS } from "../../src/core/access/Admission.ts"
import type { LimitScope } from "../../src/core/access/decision.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { makeSecret } from "../../src/core/access/secret.ts"
import { Usage } from "../../src/core/keys/Usage.ts"
import { hasRedis } from "../support/redis.ts"
import { inOneWindow, Store, stores, tenant } from "./stores.ts"
import { needs } from "../support/needs.ts"

const admit = (token: string) => Admission.use((admission) => admission.admit(token))

const refusal = Effect.fnUntraced(function* (token: string) {
  const decision = yield* admit(token)
  return decision.outcome === "limited" ? decision : assert.fail(`it was ${decision.outcome}`)
})

const admitted = Effect.fnUntraced(function* (token: string) {
  const decision = yield* admit(token)
  return decision.outcome === "admitted" ? decision : assert.fail(`it was ${decision.outcome}`)
})

const usageOf = (org: string) => Usage.use((usage) => usage.read(org))

for (const [name, services] of Object.entries(stores)) {
  describe(`refusals on ${name}`, needs("redis-server", name !== "Redis" || hasRedis), () => {
    layer(services, { excludeTestServices: true })((it) => {
      it.effect("Remaining falls by one with each request, and Reset stays the same", () =>
        Effect.gen(function* () {
          const { tokens } = yield* tenant("growth", [{}])
          const windows = yield* Effect.forEach(Array.from({ length: 20 }), () => admitted(tokens[0]!))
          assert.deepStrictEqual(
            windows.map(({ window }) => window.remaining),
            Array.from({ length: 20 }, (_, index) => 19 - index),
          )
          const { scope, window } = yield* refusal(tokens[0]!)
          assert.strictEqual(scope, "key")
          assert.strictEqual(window.resetAt % 60_000, 0)
          for (const each of windows)
            assert.deepStrictEqual(each.window, { ...each.window, limit: 20, resetAt: window.resetAt })
        }).pipe(inOneWindow),
      )

      it.effect("a key over its limit does not use up the organization's limit", () =>
        Effect.gen(function* () {
          const { id, tokens } = yield* tenant("essentials", [{}, {}])
          const [first = "", second = ""] = tokens
          for (let index = 0; index < 5; index++) yield* admitted(first)
          const before = yield* usageOf(id)
          for (let index = 0; index < 20; index++) assert.strictEqual((yield* refusal(first)).scope, "key")
          assert.deepStrictEqual(yield* usageOf(id), before)
          for (let index = 0; index < 5; index++) yield* admitted(second)
          assert.strictEqual((yield* usageOf(id)).organization.minute_used, 10)
        }).pipe(inOneWindow),
      )

      const quotas: ReadonlyArray<readonly [LimitScope, number]> = [
        ["organization", 0],
        ["monthly", 29_999],
      ]
      for (const [scope, monthUsed] of quotas) {
        it.effect(`a refusal by the limit '${scope}' charges nothing and says when to retry`, () =>
          Effect.gen(function* () {
            const { id, tokens } = yield* tenant("growth", [{ requestsPerMinute: 100 }, { requestsPerMinute: 100 }])
            const [first = "", second = ""] = tokens
            if (scope === "organization") for (let index = 0; index < 58; index++) yield* admitted(first)
            yield* admitted(first)
            yield* (yield* Store).spend(id, { monthUsed, exportsUsed: 0 })
            assert.strictEqual((yield* admitted(first)).window.remaining, 0)
            const before = yield* usageOf(id)
            for (const token of [first, second]) {
              const refused = yield* refusal(token)
              assert.strictEqual(refused.scope, scope)
              assert.strictEqual(refused.window.remaining, 0)
              const { window_reset_at, month_reset_at } = before.organization
              assert.strictEqual(
                refused.window.resetAt,
                Date.parse(scope === "organization" ? window_reset_at : month_reset_at),
              )
              assert.isAbove(refused.retryAfterMs, 0)
            }
            assert.deepStrictEqual(yield* usageOf(id), before)
          }).pipe(inOneWindow),
        )
      }

      it.effect("admits as many of 20 concurrent exports as the month has left, and says when the quota resets", () =>
        Effect.gen(function* () {
          const { id, tokens } = yield* tenant("growth", [{}])
          yield* admitted(tokens[0] ?? "")
          yield* (yield* Store).spend(id, { monthUsed: 1, exportsUsed: 193 })
          const { takeExport } = yield* Admission
          const slots = yield* Effect.forEach(Array.from({ length: 20 }), () => takeExport(id), {
            concurrency: "unbounded",
          })
          const limited = slots.filter((slot) => slot.outcome === "limited")
          assert.strictEqual(slots.length - limited.length, 7)
          const { organization } = yield* usageOf(id)
          assert.deepStrictEqual([organization.exports_used, organization.month_used], [200, 1])
          for (const { window, retryAfterMs } of limited) {
            const resetAt = Date.parse(organization.month_reset_at)
            assert.deepStrictEqual(window, { limit: 200, remaining: 0, resetAt })
            assert.isAbove(retryAfterMs, 0)
          }
        }).pipe(inOneWindow),
      )

      it.effect("a failed export is refunded once", () =>
        Effect.gen(function* () {
          const { id, tokens } = yield* tenant("growth", [{}])
          yield* admitted(tokens[0] ?? "")
          const slot = yield* (yield* Admission).takeExport(id)
          const exportsUsed = Effect.map(usageOf(id), ({ organization }) => organization.exports_used)
          assert.strictEqual(yield* exportsUsed, 1)
          if (slot.outcome !== "taken") return assert.fail("it was refused")
          for (let index = 0; index < 2; index++) {
            yield* slot.release
            assert.strictEqual(yield* exportsUsed, 0)
          }
        }).pipe(inOneWindow),
      )

      it.effect("requests without a valid key charge nothing, and a typo does not reach the store", () =>
        Effect.gen(function* () {
          const { statements } = yield* Store
          const { id, tokens } = yield* tenant("growth", [{}])
          const [token = ""] = tokens
          yield* admitted(token)
          const before = yield* usageOf(id)
          const strange = yield* makeSecret("live")
          const typo = token.slice(0, -1) + (token.endsWith("0") ? "1" : "0")
          const counted = statements()
          for (let index = 0; index < 50; index++) {
            for (const each of [strange, typo, "", "sl_live_", "Bearer"]) {
              assert.strictEqual((yield* admit(each)).outcome, each === strange ? "unknown" : "malformed")
            }
          }
          // With Redis, the key and the reason of its refusal take two statements.
          const looks = name === "Redis" ? 2 : 1
          assert.strictEqual(statements() - counted, looks, "looks the well-formed unknown key up once")
          assert.deepStrictEqual(yield* usageOf(id), before)
        }).pipe(inOneWindow),
      )

      it.effect(
        "a cached refusal costs the store nothing, and a revocation still takes effect within five seconds",
        () =>
          Effect.gen(function* () {
            const { advance, statements } = yield* Store
            const { id, keys } = yield* tenant("growth", [{ requestsPerMinute: 1 }, {}, { requestsPerMinute: 1 }])
            const [denied, busy, late] = keys
            if (denied === undefined || busy === undefined || late === undefined) return assert.fail("no keys")
            yield* admitted(denied.key)
            yield* refusal(denied.key)
            const counted = statements()
            for (let index = 0; index < 200; index++) yield* refusal(denied.key)
            assert.strictEqual(statements(), counted)

            yield* admitted(busy.key)
            yield* advance(1_000)
            yield* refusal(denied.key)
            yield* admitted(late.key)
            const apiKeys = yield* ApiKeys
            for (const key of keys) yield* apiKeys.revoke(id, key.id)
            // The last key is used just before its cache entry may expire; that must not start a second one.
            yield* advance(2_300)
            yield* admit(late.key)
            yield* advance(MAX_STALENESS_MS - 2_300)
            for (const { key } of keys) assert.strictEqual((yield* admit(key)).outcome, "unknown")
          }).pipe(inOneWindow),
      )
    })
  })
}
