import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { observe } from "../telemetry/family.ts"
import { requestsInFlight } from "../telemetry/metrics.ts"

/** Counts the in-flight requests of this process so that background work can yield to them. */
export class Foreground extends Context.Service<
  Foreground,
  {
    /** Counts `request` as in flight until it ends. */
    readonly track: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Sleeps for `ms` if any request is in flight. */
    readonly yieldToRequests: (ms: number) => Effect.Effect<void>
    /** Waits until no request is in flight, at most `timeoutMs`. */
    readonly waitUntilIdle: (timeoutMs: number) => Effect.Effect<void>
  }
>()("sightline/Foreground") {
  static readonly layer = Layer.effect(
    Foreground,
    Effect.gen(function* () {
      let inFlight = 0
      yield* observe(requestsInFlight({}), () => inFlight)
      const idle = Latch.makeUnsafe(true)
      const end = Effect.sync(() => {
        if (--inFlight === 0) idle.openUnsafe()
      })
      return Foreground.of({
        track: (request) =>
          Effect.suspend(() => {
            inFlight++
            idle.closeUnsafe()
            return Effect.ensuring(request, end)
          }),
        yieldToRequests: (ms) => Effect.suspend(() => (inFlight === 0 ? Effect.void : Effect.sleep(ms))),
        waitUntilIdle: (timeoutMs) =>
          Effect.suspend(() => (inFlight === 0 ? Effect.void : Effect.raceFirst(idle.await, Effect.sleep(timeoutMs)))),
      })
    }),
  )
}
