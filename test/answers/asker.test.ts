import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type AskingUser, askerOf, readsDeals, readsDocuments, scopeOf } from "../../src/core/answers/Asker.ts"

describe("the asker of a host's user", () => {
  it.effect("has the role's permissions, or those that are given", () =>
    Effect.gen(function* () {
      const whole = yield* askerOf({ organization: "acme", role: "viewer" })
      assert.strictEqual(whole.organizationId, "acme")
      assert.isTrue(readsDeals(whole) && readsDocuments(whole))
      const narrow = yield* askerOf({ organization: "acme", role: "owner", permissions: ["deals.read"] })
      assert.isTrue(readsDeals(narrow))
      assert.isFalse(readsDocuments(narrow))
      assert.isUndefined(scopeOf(yield* askerOf({ organization: "acme", role: "owner", permissions: [] })))
    }),
  )

  it.effect("is refused for roles and permissions that there are not, or that the role does not have", () =>
    Effect.gen(function* () {
      const refusal = (user: Record<string, unknown>) =>
        Effect.map(
          Effect.flip(askerOf({ organization: "acme", ...user } as unknown as AskingUser)),
          (error) => error.message,
        )
      assert.match(yield* refusal({ role: "Owner" }), /role must be one of viewer, .* \(did you mean owner\?\)/)
      assert.match(yield* refusal({ role: "toString" }), /role must be one of/)
      assert.match(yield* refusal({}), /role must be one of/)
      assert.match(yield* refusal({ role: "viewer", permissions: ["keys.manage"] }), /permissions must be one of/)
      assert.match(yield* refusal({ role: "viewer", permissions: ["deals.reed"] }), /did you mean deals.read/)
    }),
  )
})
