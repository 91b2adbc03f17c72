import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { CurrentRequest } from "../../src/core/http/CurrentRequest.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { forgetOrganization, inOrganization } from "../../src/core/storage/inOrganization.ts"
import * as Services from "../../src/core/services.ts"
import { layer } from "../../src/core/Sightline.ts"
import { engines } from "../support/engines.ts"
import { UNLIMITED } from "../support/unlimited.ts"

/** A database that has `acme` alone, and counts what it is asked. */
const makeDatabase = () => {
  let asked = 0
  const scoped = (org: string) =>
    Effect.sync(() => {
      asked++
      return org === "acme" ? [{} as never] : []
    })
  return { layer: Layer.mock(Database)({ sql: (() => "") as never, scoped }), asked: () => asked }
}

const service = Effect.succeed({
  byId: (org: string) => Effect.succeed(org),
  byCaller: ({ organizationId }: { readonly organizationId: string }) => Effect.succeed(organizationId),
}).pipe(inOrganization)

describe("the check for an unknown organization", () => {
  it.effect("asks once a minute for each that exists, and again once it is erased", () => {
    const { layer, asked } = makeDatabase()
    return Effect.gen(function* () {
      const { byId, byCaller } = yield* service
      for (let n = 0; n < 3; n++) yield* byId("acme")
      assert.strictEqual(yield* byCaller({ organizationId: "acme" }), "acme")
      assert.strictEqual(asked(), 1)
      yield* TestClock.adjust("59 seconds")
      yield* byId("acme")
      assert.strictEqual(asked(), 1)
      yield* TestClock.adjust("1 second")
      yield* byId("acme")
      assert.strictEqual(asked(), 2)
      forgetOrganization(yield* Database, "acme")
      yield* byId("acme")
      assert.strictEqual(asked(), 3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("fails with NotFound each time, and names the id", () => {
    const { layer, asked } = makeDatabase()
    return Effect.gen(function* () {
      const { byId, byCaller } = yield* service
      for (const effect of [byId("none"), byCaller({ organizationId: "none" }), byId("none")]) {
        const error: unknown = yield* Effect.flip(effect as Effect.Effect<unknown, unknown>)
        assert.deepInclude(error, { _tag: "NotFound", message: "no organization has the id 'none'" })
      }
      assert.strictEqual(asked(), 3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("asks nothing in a request, whose key or principal names an organization", () => {
    const { layer, asked } = makeDatabase()
    return Effect.gen(function* () {
      const { byId } = yield* service
      yield* byId("acme")
      assert.strictEqual(asked(), 0)
    }).pipe(
      Effect.updateService(CurrentRequest, (state) => ({ ...state, received: true })),
      Effect.provide(layer),
    )
  })
})

/** The services that belong to no organization. */
const WITHOUT = new Set(["Background", "Metrics", "Organizations"])
/** Those whose methods take a caller or an asker. */
const BY_CALLER = new Set(["Responses", "Views"])
/** `waitForTurn` is called in a transaction, and a reading is recorded for a link. */
const OTHERS = new Set(["waitForTurn", "recordReading"])

describe("an organization that does not exist", () => {
  it.effect(
    "is NotFound to every method of every service",
    () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<never>()
        const { erase, create } = yield* Services.Organizations
        const { id } = yield* create({ name: "Gone", plan: UNLIMITED })
        for (const org of ["none", "", "a\0b", id]) {
          if (org === id) {
            yield* (yield* Services.Deals).count(org, {})
            yield* erase(org)
          }
          for (const [name, tag] of Object.entries(Services)) {
            if (!Context.isKey(tag) || WITHOUT.has(name)) continue
            const methods = Context.getUnsafe(context, tag as never) as Readonly<Record<string, Method>>
            for (const [method, call] of Object.entries(methods)) {
              if (OTHERS.has(method)) continue
              const first = BY_CALLER.has(name) ? { organizationId: org } : org
              const error: unknown = yield* Effect.scoped(Effect.flip(once(call(first, {}, {}))))
              assert.strictEqual((error as Error & { readonly _tag: string })._tag, "NotFound", `${name}.${method}`)
              assert.include((error as Error).message, `'${org}'`, `${name}.${method}`)
            }
          }
        }
      }).pipe(Effect.provide(layer({ database: engines[0].database, background: false }))),
    600_000,
  )
})

type Method = (
  ...args: ReadonlyArray<unknown>
) => Effect.Effect<unknown, unknown, Scope> | Stream.Stream<unknown, unknown>

const once = (result: ReturnType<Method>): Effect.Effect<unknown, unknown, Scope> =>
  Stream.isStream(result) ? Stream.runDrain(result) : result
