import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"

/** The requests that this process is answering: whoever asked waits for them, and nobody for work in the background. */
export class Foreground extends Context.Service<
  Foreground,
  {
    /** Counts a request while it is being answered. */
    readonly answering: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Rests for so long where requests are being answered, and not at all where there are none. */
    readonly giveWay: (milliseconds: number) => Effect.Effect<void>
    /** Waits for a moment at which no request is being answered, but no longer than `milliseconds`. */
    readonly quiet: (milliseconds: number) => Effect.Effect<void>
  }
>()("sightline/Foreground") {
  static readonly layer = Layer.sync(Foreground, () => {
    let requests = 0
    const none = Latch.makeUnsafe(true)
    const leave = Effect.sync(() => {
      if (--requests === 0) none.openUnsafe()
    })
    return Foreground.of({
      answering: (request) =>
        Effect.suspend(() => {
          requests++
          none.closeUnsafe()
          return Effect.ensuring(request, leave)
        }),
      giveWay: (milliseconds) => Effect.suspend(() => (requests === 0 ? Effect.void : Effect.sleep(milliseconds))),
      quiet: (milliseconds) =>
        Effect.suspend(() => (requests === 0 ? Effect.void : Effect.raceFirst(none.await, Effect.sleep(milliseconds)))),
    })
  })
}
