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

/** Detects a hang, not slowness. */
const HANG_MS = 300_000

/** Returns the outcome, or the error's name, and the duration in milliseconds. */
const attempt = (admission: Admission["Service"], token: string) =>
  Effect.gen(function* () {
    const startedAtMs = performance.now()
    const outcome = yield* admission.admit(token).pipe(
      Effect.map((decision) => decision.outcome),
      Effect.catch((error) => Effect.succeed(error._tag)),
    )
    return { outcome, tookMs: performance.now() - startedAtMs }
  })

describe("an unavailable Redis", needs("redis-server", ownsRedis), () => {
  layer(services, { excludeTestServices: true })((it) => {
    it.effect("fails requests at once, or after two seconds if it is silent, and is used again when it returns", () =>
      Effect.gen(function* () {
        const { id } = yield* (yield* Organizations).create({ name: "Acme", plan: "enterprise" })
        const { key } = yield* (yield* ApiKeys).create(id, { name: "ci", role: "admin" })
        let server = yield* Effect.promise(() => startRedis())
        yield* Effect.addFinalizer(() => Effect.promise(() => stopRedis(server.process)))
        const admission = Context.get(yield* admissionOn(server.port), Admission)
        const until = (outcome: string) =>
          Effect.gen(function* () {
            const startedAtMs = performance.now()
            while ((yield* attempt(admission, key)).outcome !== outcome) {
              assert.isBelow(performance.now() - startedAtMs, HANG_MS)
              yield* Effect.sleep("50 millis")
            }
          })
        assert.strictEqual((yield* attempt(admission, key)).outcome, "admitted")

        server.process.kill("SIGSTOP")
        const silent = yield* attempt(admission, key)
        assert.strictEqual(silent.outcome, "DatabaseUnavailable")
        // The timeout is two seconds; without it, the request would wait until Redis resumes.
        assert.isBelow(silent.tookMs, HANG_MS)
        server.process.kill("SIGCONT")
        yield* until("admitted")

        yield* Effect.promise(() => stopRedis(server.process))
        yield* until("DatabaseUnavailable")
        // If they waited for a reconnection, each would take two seconds; a busy machine delays some, not all.
        const down = yield* Effect.replicateEffect(attempt(admission, key), 10)
        for (const { outcome } of down) assert.strictEqual(outcome, "DatabaseUnavailable")
        assert.isBelow(Math.min(...down.map(({ tookMs }) => tookMs)), 1_000)
        server = yield* Effect.promise(() => startRedis(server.port))
        yield* until("admitted")
      }),
    )

    it.effect("fails the layer with DatabaseUnavailable if it is absent at the start", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(admissionOn(yield* Effect.promise(freePort)))
        assert.strictEqual(error._tag, "DatabaseUnavailable")
      }),
    )
  })
})
