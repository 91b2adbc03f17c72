import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** The longest that loops keep the event loop. */
const MAX_SLICE_MS = 10

/** When loops last let other work run. The loops of a piece of work share it: many short ones yield as often as a long one. */
export const CurrentSlice = Context.Reference<{ sinceMs: number }>("sightline/common/CurrentSlice", {
  defaultValue: () => ({ sinceMs: -Infinity }),
})

/** For a piece of work of its own: an import, an export. */
export const newSlice = Effect.sync(() => ({ sinceMs: -Infinity }))

/** Lets other work run if loops have kept the event loop for 10 ms. Cheap enough for every record of a file. */
export const yieldIfDue: Effect.Effect<void> = Effect.withFiber((fiber) => {
  const slice = fiber.getRef(CurrentSlice)
  const clock = fiber.getRef(Clock.Clock)
  if (clock.currentTimeMillisUnsafe() - slice.sinceMs < MAX_SLICE_MS) return Effect.void
  return Effect.map(Effect.yieldNow, () => void (slice.sinceMs = clock.currentTimeMillisUnsafe()))
})

/** Runs a computation that yields after each of its small steps, and lets other work run after each 10 ms of it. */
export const inSlices = <A>(steps: Generator<void, A>): Effect.Effect<A> =>
  Effect.withFiber((fiber) => {
    const slice = fiber.getRef(CurrentSlice)
    const clock = fiber.getRef(Clock.Clock)
    const run: Effect.Effect<A> = Effect.suspend(() => {
      for (;;) {
        const step = steps.next()
        if (step.done === true) return Effect.succeed(step.value)
        if (clock.currentTimeMillisUnsafe() - slice.sinceMs >= MAX_SLICE_MS) return Effect.andThen(yieldIfDue, run)
      }
    })
    return run
  })
