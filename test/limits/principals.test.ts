import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Admission, MAX_STALENESS_MS } from "../../src/core/access/Admission.ts"
import type { Decision } from "../../src/core/access/decision.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { identityToken } from "../../src/core/access/enrol.ts"
import { isPlausible } from "../../src/core/access/secret.ts"
import { Usage } from "../../src/core/keys/Usage.ts"
import { needs } from "../support/needs.ts"
import { hasRedis } from "../support/redis.ts"
import { inOneWindow, Store, stores, tenant } from "./stores.ts"

const as = (organization: string, id: string, name = id) =>
  ({ organization, role: "member", identity: { id, name } }) as const

for (const [name, services] of Object.entries(stores)) {
  describe(`identities on ${name}`, needs("redis-server", name !== "Redis" || hasRedis), () => {
    layer(services, { excludeTestServices: true })((it) => {
      it.effect("have limits of their own each and together, and spend none of the organization's", () =>
        Effect.gen(function* () {
          const { admit, admitPrincipal, takeExport } = yield* Admission
          const { id: org, tokens } = yield* tenant("small", [{}])
          const scopeOf = Effect.map((decision: Decision) =>
            decision.outcome === "limited" ? decision.scope : decision.outcome,
          )
          const times = (count: number, word: string) => Array.from({ length: count }, () => word)
          const send = (id: string, count: number) =>
            Effect.forEach(Array.from({ length: count }), () => scopeOf(admitPrincipal(as(org, id))))
          assert.deepStrictEqual(yield* send("ada", 401), [...times(400, "admitted"), "identity"])
          assert.deepStrictEqual(yield* send("bob", 201), [...times(200, "admitted"), "organization"])
          const keyed = yield* Effect.forEach(Array.from({ length: 5 }), () => scopeOf(admit(tokens[0]!)))
          assert.deepStrictEqual(keyed, [...times(4, "admitted"), "key"])
          assert.strictEqual((yield* takeExport(org)).outcome, "taken")
          const { organization, keys } = yield* (yield* Usage).read(org)
          assert.include(organization, { minute_used: 4, month_used: 4, exports_used: 1 })
          const used = Object.fromEntries(
            keys.map((key) => [key.identity ?? "key", [key.minute_used, key.month_used, key.requests_per_minute]]),
          )
          assert.deepStrictEqual(used, { key: [4, 4, 4], ada: [400, 400, 400], bob: [200, 200, 400] })
        }).pipe(inOneWindow),
      )

      it.effect("are not known without an organization, and are again after they were revoked", () =>
        Effect.gen(function* () {
          const { admitPrincipal } = yield* Admission
          const keys = yield* ApiKeys
          const { id: org } = yield* tenant("growth", [])
          assert.deepStrictEqual(yield* admitPrincipal(as("org_none", "ada")), { outcome: "unknown" })
          const keyIdOf = Effect.fnUntraced(function* (principal: ReturnType<typeof as>) {
            const decision = yield* admitPrincipal(principal)
            return decision.outcome === "admitted" ? decision.caller.keyId : assert.fail(decision.outcome)
          })
          const first = yield* keyIdOf(as(org, "ada"))
          assert.strictEqual(yield* keyIdOf(as(org, "ada", "Ada Lovelace")), first)
          assert.deepStrictEqual(
            (yield* (yield* Usage).read(org)).keys.map(({ identity, name }) => [identity, name]),
            [["ada", "Ada Lovelace"]],
          )
          yield* keys.revokeIdentity(org, "ada")
          yield* (yield* Store).advance(MAX_STALENESS_MS)
          assert.notStrictEqual(yield* keyIdOf(as(org, "ada")), first)
          assert.strictEqual((yield* Effect.flip(keys.revokeIdentity(org, "eve")))._tag, "NotFound")
        }),
      )

      it.effect("of the same id in two organizations are two, and no token names one", () =>
        Effect.gen(function* () {
          const { admit, admitPrincipal } = yield* Admission
          const [a, b] = [yield* tenant("growth", []), yield* tenant("growth", [])]
          for (const { id: org } of [a, b]) {
            const decision = yield* admitPrincipal(as(org, "ada"))
            assert.strictEqual(decision.outcome === "admitted" && decision.caller.organizationId, org)
          }
          const token = identityToken(as(a.id, "ada"))
          assert.isFalse(isPlausible(token))
          assert.deepStrictEqual(yield* admit(token), { outcome: "malformed" })
        }),
      )

      it.effect("are no keys: no reply about keys has them, and none of their ids rotates or finds one", () =>
        Effect.gen(function* () {
          const { admitPrincipal } = yield* Admission
          const keys = yield* ApiKeys
          const { id: org } = yield* tenant("growth", [])
          const decision = yield* admitPrincipal(as(org, "ada"))
          const id = decision.outcome === "admitted" ? decision.caller.keyId : ""
          assert.deepStrictEqual(yield* keys.list(org), [])
          assert.strictEqual((yield* Effect.flip(keys.find(org, id)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(keys.rotate(org, id, 0)))._tag, "NotFound")
        }),
      )
    })
  })
}
