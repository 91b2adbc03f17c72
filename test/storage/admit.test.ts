import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { hasConnection, makeAdmit } from "../../src/core/storage/admit.ts"
import { asBackground, asHeavy } from "../../src/core/storage/CurrentClass.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"

const NONE = { short: 0, heavy: 0, background: 0 }

describe("admission", () => {
  for (const size of [1, 2, 10]) {
    it.live(`of ${size} at once gets every permit back, whatever is nested, fails or is interrupted`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const random = makeRandom(seedOfRun(`admission ${size}`) + size)
          const { admit, permits } = yield* makeAdmit(size)
          let running = 0
          const pause = Effect.suspend(() => Effect.repeat(Effect.yieldNow, { times: random.below(4) }))
          const work = (depth: number): Effect.Effect<void, unknown> =>
            Effect.gen(function* () {
              running++
              if (running > size) yield* Effect.die(`${running} of ${size} run`)
              yield* Effect.ensuring(
                Effect.gen(function* () {
                  yield* pause
                  if (depth > 0)
                    yield* Effect.withFiber((fiber) => (hasConnection(fiber) ? Effect.void : Effect.die("no permit")))
                  if (random.chance(0.2)) yield* Effect.fail("failed")
                  if (random.chance(0.05)) yield* Effect.die("died")
                  yield* pause
                }),
                Effect.sync(() => void running--),
              )
            })
          /** As `serve` does: within a permit, work simply runs. */
          const serve = <A, E>(org: string, effect: Effect.Effect<A, E>) =>
            Effect.withFiber((fiber) => (hasConnection(fiber) ? effect : admit(org, effect)))
          const one = Effect.suspend(() => {
            const org = random.pick(["", "a", "b", "c"])
            const inClass = random.pick([asHeavy, asBackground, <A, E, R>(effect: Effect.Effect<A, E, R>) => effect])
            const nested = random.chance(0.3)
            return inClass(
              serve(org, nested ? Effect.andThen(pause, serve(random.pick(["a", "b"]), work(1))) : work(1)),
            )
          })
          const fibers: Array<Fiber.Fiber<unknown, unknown>> = []
          for (let n = 0; n < 400; n++) {
            fibers.push(yield* Effect.forkChild(one))
            if (random.chance(0.3)) yield* pause
            if (random.chance(0.3)) yield* Fiber.interrupt(random.pick(fibers))
          }
          const exits = yield* Effect.forEach(fibers, Fiber.await)
          assert.isAbove(exits.filter(Exit.isSuccess).length, 50)
          assert.deepStrictEqual(permits.running, NONE)
          assert.deepStrictEqual(permits.waiting, NONE)
          assert.strictEqual(running, 0)
        }),
      ),
    )
  }

  it.effect("refuses after five seconds in the line, and says how many run", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { admit, permits } = yield* makeAdmit(1)
        const gate = yield* Deferred.make<void>()
        const holder = yield* Effect.forkChild(asHeavy(admit("a", Deferred.await(gate))))
        yield* Effect.yieldNow
        const waiting = yield* Effect.forkChild(Effect.flip(asHeavy(admit("a", Effect.void))))
        const other = yield* Effect.forkChild(Effect.flip(admit("b", Effect.void)))
        yield* Effect.yieldNow
        yield* TestClock.adjust("4999 millis")
        assert.isUndefined(waiting.pollUnsafe())
        yield* TestClock.adjust("1 millis")
        const error = yield* Fiber.join(waiting)
        assert.strictEqual(error.reason, "concurrency")
        assert.strictEqual(error.limit, 1)
        assert.deepStrictEqual(error.details, { scope: "concurrency" })
        assert.match(error.message, /^1 report or question of this organization is running; at most 1 run at once/)
        assert.match((yield* Fiber.join(other)).message, /none of the requests of this organization could begin/)
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(holder)
        assert.deepStrictEqual([permits.running, permits.waiting], [NONE, NONE])
      }),
    ),
  )

  it.effect("asks for a permit anew in a fiber that outlived the one it was forked with", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { admit } = yield* makeAdmit(1)
        const after = yield* Deferred.make<void>()
        const holds = Effect.withFiber<boolean>((fiber) => Effect.succeed(hasConnection(fiber)))
        const late = yield* admit("a", Effect.forkDetach(Effect.andThen(Deferred.await(after), holds)))
        yield* Deferred.succeed(after, undefined)
        assert.isFalse(yield* Fiber.join(late))
      }),
    ),
  )
})
