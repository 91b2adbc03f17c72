import { assert, describe, layer } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { layerRedis } from "../../src/adapters/limits/redis.ts"
import { Admission } from "../../src/core/access/Admission.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { migratedPostgresUrl } from "../support/engines.ts"
import { freePort } from "../support/postgres.ts"
import { untilEffect } from "../support/until.ts"
import { ownsRedis, startRedis, stopRedis } from "../support/redis.ts"
import { needs } from "../support/needs.ts"
import { layerOrganizations } from "../support/organizations.ts"

const services = Layer.mergeAll(ApiKeys.layer, layerOrganizations).pipe(
  Layer.provideMerge(Database.layer),
  Layer.provide(
    Layer.unwrap(Effect.map(Effect.orDie(migratedPostgresUrl), (url) => layerPostgres({ url: Redacted.make(url) }))),
  ),
)

const admissionOn = (port: number) => Layer.build(layerRedis({ url: Redacted.make(`redis://127.0.0.1:${port}`) }))

/** Returns the outcome, or the error's name. */
const attempt = (admission: Admission["Service"], token: string) =>
  admission.admit(token).pipe(
    Effect.map(({ outcome }): string => outcome),
    Effect.catch((error) => Effect.succeed(error._tag)),
  )

/** Runs an effect, and returns the number of its time-outs that ran out. */
const countTimeouts = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const live = yield* Clock.Clock
    let timeouts = 0
    const counting: Clock.Clock = Object.assign(Object.create(live), {
      sleep: (duration: Duration.Duration) => Effect.tap(live.sleep(duration), () => Effect.sync(() => timeouts++)),
    })
    return [yield* Effect.provideService(effect, Clock.Clock, counting), timeouts] as const
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
        const until = (expected: string) =>
          untilEffect(
            expected,
            Effect.map(attempt(admission, key), (outcome) => outcome === expected),
          )
        assert.strictEqual(yield* attempt(admission, key), "admitted")

        server.process.kill("SIGSTOP")
        // Without its time-out, the request would wait until Redis resumes.
        assert.strictEqual(yield* attempt(admission, key), "DatabaseUnavailable")
        server.process.kill("SIGCONT")
        yield* until("admitted")

        yield* Effect.promise(() => stopRedis(server.process))
        yield* until("DatabaseUnavailable")
        const [down, timeouts] = yield* countTimeouts(Effect.replicateEffect(attempt(admission, key), 10))
        assert.deepStrictEqual([...new Set(down)], ["DatabaseUnavailable"])
        assert.isBelow(timeouts, down.length, "each waits for a reconnection")
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
