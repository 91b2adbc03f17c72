import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Admission, type LimitScope } from "../../src/core/access/Admission.ts"
import { ApiKeys } from "../../src/core/access/ApiKeys.ts"
import { makeSecret } from "../../src/core/access/secret.ts"
import { Usage } from "../../src/core/access/Usage.ts"
import { hasRedis } from "../support/redis.ts"
import { Store, stores, tenant } from "./stores.ts"
import { needs } from "../support/needs.ts"

const admit = (token: string, exports = 0) => Admission.use((admission) => admission.admit(token, { exports }))

const refusal = Effect.fnUntraced(function* (token: string, exports = 0) {
  const decision = yield* admit(token, exports)
  return decision.outcome === "limited" ? decision : assert.fail(`it was ${decision.outcome}`)
})

const admitted = Effect.fnUntraced(function* (token: string, exports = 0) {
  const decision = yield* admit(token, exports)
  return decision.outcome === "admitted" ? decision : assert.fail(`it was ${decision.outcome}`)
})

const spentBy = (org: string) => Usage.use((usage) => usage.read(org))

for (const [name, services] of Object.entries(stores)) {
  describe(`refusals on ${name}`, needs("redis-server", name !== "Redis" || hasRedis), () => {
    layer(services, { excludeTestServices: true })((it) => {
      it.effect("one caller sees Remaining fall by one each time, and one Reset", () =>
        Effect.gen(function* () {
          yield* (yield* Store).settle
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
        }),
      )

      it.effect("a key past its limit eats nothing of the organization's", () =>
        Effect.gen(function* () {
          yield* (yield* Store).settle
          const { id, tokens } = yield* tenant("essentials", [{}, {}])
          const [first = "", second = ""] = tokens
          for (let index = 0; index < 5; index++) yield* admitted(first)
          const before = yield* spentBy(id)
          for (let index = 0; index < 20; index++) assert.strictEqual((yield* refusal(first)).scope, "key")
          assert.deepStrictEqual(yield* spentBy(id), before)
          for (let index = 0; index < 5; index++) yield* admitted(second)
          assert.strictEqual((yield* spentBy(id)).organization.minute_used, 10)
        }),
      )

      const quotas: ReadonlyArray<readonly [LimitScope, number, number, number]> = [
        ["organization", 0, 0, 0],
        ["monthly", 0, 29_999, 0],
        ["export", 1, 0, 199],
      ]
      for (const [scope, exports, monthUsed, exportsUsed] of quotas) {
        it.effect(`a refusal by the limit '${scope}' consumes nothing, and says when to come back`, () =>
          Effect.gen(function* () {
            yield* (yield* Store).settle
            const { id, tokens } = yield* tenant("growth", [{ requestsPerMinute: 100 }, { requestsPerMinute: 100 }])
            const [first = "", second = ""] = tokens
            if (scope === "organization") for (let index = 0; index < 58; index++) yield* admitted(first)
            yield* admitted(first)
            yield* (yield* Store).spend(id, { monthUsed, exportsUsed })
            const last = yield* admitted(first, exports)
            assert.strictEqual(last.window.remaining === 0, scope !== "export")
            const before = yield* spentBy(id)
            for (const token of [first, second]) {
              const refused = yield* refusal(token, exports)
              assert.strictEqual(refused.scope, scope)
              assert.strictEqual(refused.window.remaining, 0)
              const { window_reset_at, month_reset_at } = before.organization
              assert.strictEqual(
                refused.window.resetAt,
                Date.parse(scope === "organization" ? window_reset_at : month_reset_at),
              )
              assert.isAbove(refused.retryAfterMs, 0)
            }
            assert.deepStrictEqual(yield* spentBy(id), before)
            if (scope === "export") yield* admitted(second)
          }),
        )
      }

      it.effect("who may not export spends no exports", () =>
        Effect.gen(function* () {
          yield* (yield* Store).settle
          const { id, tokens } = yield* tenant("growth", [
            { role: "viewer" },
            { permissions: ["deals.read"] },
            { permissions: ["deals.export"] },
          ])
          const spent = []
          for (const token of tokens) {
            yield* admitted(token, 1)
            spent.push((yield* spentBy(id)).organization.exports_used)
          }
          assert.deepStrictEqual(spent, [0, 0, 1])
        }),
      )

      it.effect("an export that is not made is taken back, in the month that it was charged to", () =>
        Effect.gen(function* () {
          yield* (yield* Store).settle
          const { id, tokens } = yield* tenant("growth", [{}])
          const { refundExport } = yield* Admission
          const { window } = yield* admitted(tokens[0] ?? "", 1)
          const spent = Effect.map(spentBy(id), ({ organization }) => organization.exports_used)
          assert.strictEqual(yield* spent, 1)
          yield* refundExport(id, { ...window, resetAt: window.resetAt - 40 * 86_400_000 })
          assert.strictEqual(yield* spent, 1)
          for (let index = 0; index < 2; index++) {
            yield* refundExport(id, window)
            assert.strictEqual(yield* spent, 0)
          }
        }),
      )

      it.effect("callers without a key consume nothing, and a typo does not reach the store", () =>
        Effect.gen(function* () {
          const { settle, statements } = yield* Store
          yield* settle
          const { id, tokens } = yield* tenant("growth", [{}])
          const [token = ""] = tokens
          yield* admitted(token)
          const before = yield* spentBy(id)
          const strange = yield* makeSecret("live")
          const typo = token.slice(0, -1) + (token.endsWith("0") ? "1" : "0")
          const counted = statements()
          for (let index = 0; index < 50; index++) {
            for (const each of [strange, typo, "", "sl_live_", "Bearer"]) {
              assert.strictEqual((yield* admit(each)).outcome, "unknown")
            }
          }
          assert.strictEqual(statements() - counted, 1, "the well-formed stranger was looked up once")
          assert.deepStrictEqual(yield* spentBy(id), before)
        }),
      )

      it.effect(
        "a known denial costs the store nothing, and a revocation is felt within five seconds all the same",
        () =>
          Effect.gen(function* () {
            const { settle, statements } = yield* Store
            yield* settle
            const { id, keys } = yield* tenant("growth", [{ requestsPerMinute: 1 }, {}, { requestsPerMinute: 1 }])
            const [denied, busy, late] = keys
            if (denied === undefined || busy === undefined || late === undefined) return assert.fail("no keys")
            yield* admitted(denied.key)
            yield* refusal(denied.key)
            const counted = statements()
            for (let index = 0; index < 200; index++) yield* refusal(denied.key)
            assert.strictEqual(statements(), counted)

            yield* admitted(busy.key)
            yield* Effect.sleep("1 second")
            yield* refusal(denied.key)
            yield* admitted(late.key)
            const apiKeys = yield* ApiKeys
            for (const key of keys) yield* apiKeys.revoke(id, key.id)
            const revoked = performance.now()
            // The last one asks when a memory of its key may be about to end: no second memory may begin.
            yield* Effect.forEach(
              [denied.key, busy.key, late.key],
              Effect.fnUntraced(function* (key) {
                if (key === late.key) yield* Effect.sleep("2300 millis")
                while ((yield* admit(key)).outcome !== "unknown") yield* Effect.sleep("50 millis")
              }),
              { concurrency: "unbounded" },
            )
            assert.isBelow(performance.now() - revoked, 5_400)
          }),
      )
    })
  })
}
