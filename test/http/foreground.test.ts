import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { inBackground } from "../../src/core/jobs/Background.ts"
import { Foreground } from "../../src/core/jobs/Foreground.ts"

describe("inBackground", () => {
  it.effect("starts after a short delay and stops when its scope closes", () =>
    Effect.gen(function* () {
      let looks = 0
      const scope = yield* Scope.make()
      const looking = Effect.forever(
        Effect.andThen(
          Effect.sync(() => looks++),
          Effect.sleep("1 second"), // virtual time
        ),
      )
      yield* Scope.provide(inBackground(looking), scope)
      yield* TestClock.adjust("99 millis")
      assert.strictEqual(looks, 0)
      yield* TestClock.adjust("401 millis")
      assert.strictEqual(looks, 1)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(looks, 2)
      yield* Scope.close(scope, Exit.void)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(looks, 2)
    }),
  )

  it.effect("sleeps only while a request is in flight", () =>
    Effect.gen(function* () {
      const { track, yieldToRequests } = yield* Foreground
      yield* yieldToRequests(1000)

      const reply = yield* Deferred.make<void>()
      const request = yield* Effect.forkChild(track(Deferred.await(reply)))
      yield* Effect.yieldNow
      const resting = yield* Effect.forkChild(yieldToRequests(1000))
      yield* TestClock.adjust("999 millis")
      assert.isUndefined(resting.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.isDefined(resting.pollUnsafe())

      yield* Deferred.succeed(reply, undefined)
      yield* Fiber.join(request)
      yield* yieldToRequests(1000)
    }).pipe(Effect.provide(Foreground.layer)),
  )

  it.effect("does not count a request whose client hung up", () =>
    Effect.gen(function* () {
      const { track, yieldToRequests } = yield* Foreground
      const request = yield* Effect.forkChild(track(Effect.never))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(request)
      yield* yieldToRequests(1000)
    }).pipe(Effect.provide(Foreground.layer)),
  )

  it.effect("waits until no request is in flight, up to the timeout", () =>
    Effect.gen(function* () {
      const { track, waitUntilIdle } = yield* Foreground
      yield* waitUntilIdle(1000)

      const reply = yield* Deferred.make<void>()
      const request = yield* Effect.forkChild(track(Deferred.await(reply)))
      yield* Effect.yieldNow
      const patient = yield* Effect.forkChild(waitUntilIdle(1000))
      yield* TestClock.adjust("10 millis")
      assert.isUndefined(patient.pollUnsafe())
      yield* Deferred.succeed(reply, undefined)
      yield* Fiber.join(request)
      yield* Fiber.join(patient)

      yield* Effect.forkChild(track(Effect.never))
      yield* Effect.yieldNow
      const last = yield* Effect.forkChild(waitUntilIdle(1000))
      yield* TestClock.adjust("999 millis")
      assert.isUndefined(last.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.isDefined(last.pollUnsafe())
    }).pipe(Effect.provide(Foreground.layer)),
  )
})
