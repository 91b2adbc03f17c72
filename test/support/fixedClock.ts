import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Runs an effect at a fixed time. Sleeps still take real time. */
export const atTime =
  (iso: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.Clock, (live) => {
      const now = Date.parse(iso)
      const fixed: Clock.Clock = Object.assign(Object.create(live), {
        currentTimeMillisUnsafe: () => now,
        currentTimeMillis: Effect.succeed(now),
      })
      return Effect.provideService(effect, Clock.Clock, fixed)
    })
