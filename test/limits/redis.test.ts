import { assert, describe, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { layerRedis } from "../../src/adapters/limits/redis.ts"
import { Admission } from "../../src/core/access/Admission.ts"
import { ApiKeys } from "../../src/core/access/ApiKeys.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/workspace/Organizations.ts"
import { freshPostgresUrl } from "../support/engines.ts"
import { freePort } from "../support/postgres.ts"
import { ownsRedis, startRedis, stopRedis } from "../support/redis.ts"
import { needs } from "../support/needs.ts"

const services = Layer.mergeAll(ApiKeys.layer, Organizations.layer).pipe(
  Layer.provideMerge(Database.layer),
  Layer.provide(
    Layer.unwrap(Effect.map(Effect.orDie(freshPostgresUrl), (url) => layerPostgres({ url: Redacted.make(url) }))),
  ),
)

const admissionOn = (port: number) => Layer.build(layerRedis({ url: Redacted.make(`redis://127.0.0.1:${port}`) }))

/** A bound for a hang, not for slowness. */
const HANG_MS = 300_000

/** The outcome, or the error's name; and how long it took. */
const attempt = (admission: Admission["Service"], token: string) =>
  Effect.gen(function* () {
    const began = performance.now()
    const outcome = yield* admission.admit(token).pipe(
      Effect.map((decision) => decision.outcome),
      Effect.catch((error) => Effect.succeed(error._tag)),
    )
    return { outcome, took: performance.now() - began }
  })

describe("a Redis in trouble", needs("redis-server", ownsRedis), () => {
  layer(services, { excludeTestServices: true })((it) => {
    it.effect(
      "is told to the caller at once, or within two seconds when it is silent; and is used again when it is back",
      () =>
        Effect.gen(function* () {
          const { id } = yield* (yield* Organizations).create({ name: "Acme", plan: "enterprise" })
          const { key } = yield* (yield* ApiKeys).create(id, { name: "ci", role: "admin" })
          let server = yield* Effect.promise(() => startRedis())
          yield* Effect.addFinalizer(() => Effect.promise(() => stopRedis(server.process)))
          const admission = Context.get(yield* admissionOn(server.port), Admission)
          const until = (outcome: string) =>
            Effect.gen(function* () {
              const began = performance.now()
              while ((yield* attempt(admission, key)).outcome !== outcome) {
                assert.isBelow(performance.now() - began, HANG_MS)
                yield* Effect.sleep("50 millis")
              }
            })
          assert.strictEqual((yield* attempt(admission, key)).outcome, "admitted")

          server.process.kill("SIGSTOP")
          const silent = yield* attempt(admission, key)
          assert.strictEqual(silent.outcome, "DatabaseUnavailable")
          // The bound is two seconds; without it Redis would be waited for until it goes on.
          assert.isBelow(silent.took, HANG_MS)
          server.process.kill("SIGCONT")
          yield* until("admitted")

          yield* Effect.promise(() => stopRedis(server.process))
          yield* until("DatabaseUnavailable")
          // Waiting for a reconnection would take each of them two seconds: a busy machine may delay some, not all.
          const down = yield* Effect.replicateEffect(attempt(admission, key), 10)
          for (const { outcome } of down) assert.strictEqual(outcome, "DatabaseUnavailable")
          assert.isBelow(Math.min(...down.map(({ took }) => took)), 1_000)
          server = yield* Effect.promise(() => startRedis(server.port))
          yield* until("admitted")
        }),
    )

    it.effect("that is not there at the start fails the layer by name", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(admissionOn(yield* Effect.promise(freePort)))
        assert.strictEqual(error._tag, "DatabaseUnavailable")
      }),
    )
  })
})
