import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Admission } from "../../src/core/access/Admission.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { UNLIMITED } from "../support/unlimited.ts"

for (const engine of engines) {
  const services = Layer.mergeAll(ApiKeys.layer, layerOrganizations, Admission.layerDatabase).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provide(engine.database),
  )
  describe(`keys on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      it.effect("accepts the old secret of a rotated key during its grace period, and no revoked key", () =>
        Effect.gen(function* () {
          const keys = yield* ApiKeys
          const admission = yield* Admission
          const { id: org } = yield* (yield* Organizations).create({ name: "Acme", plan: UNLIMITED })
          const outcome = (secret: string) => Effect.map(admission.admit(secret), (decision) => decision.outcome)

          const made = yield* keys.create(org, { name: "ci", role: "member" })
          assert.match(made.key, /^sl_live_[0-9A-Za-z]{49}$/)
          assert.strictEqual(yield* outcome(made.key), "admitted")

          const rotated = yield* keys.rotate(org, made.id, 3600)
          assert.strictEqual(yield* outcome(made.key), "admitted")
          assert.strictEqual(yield* outcome(rotated.key), "admitted")

          const again = yield* keys.rotate(org, made.id, 0)
          assert.strictEqual(yield* outcome(rotated.key), "unknown")
          yield* keys.revoke(org, made.id)
          assert.strictEqual(yield* outcome(again.key), "unknown")
        }),
      )

      it.effect("lists only the keys of the organization", () =>
        Effect.gen(function* () {
          const keys = yield* ApiKeys
          const organizations = yield* Organizations
          const mine = yield* organizations.create({ name: "Mine", plan: UNLIMITED })
          const other = yield* organizations.create({ name: "Other", plan: UNLIMITED })
          const { id } = yield* keys.create(other.id, { name: "theirs", role: "owner" })
          assert.deepStrictEqual(yield* keys.list(mine.id), [])
          assert.strictEqual((yield* Effect.flip(keys.revoke(mine.id, id)))._tag, "NotFound")
        }),
      )
    })
  })
}
