import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The requests that this process is answering: whoever asked waits for them, and nobody for work in the background. */
export class Foreground extends Context.Service<
  Foreground,
  {
    /** Counts a request while it is being answered. */
    readonly answering: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Rests for so long where requests are being answered, and not at all where there are none. */
    readonly giveWay: (milliseconds: number) => Effect.Effect<void>
  }
>()("sightline/Foreground") {
  static readonly layer = Layer.sync(Foreground, () => {
    let requests = 0
    const leave = Effect.sync(() => void requests--)
    return Foreground.of({
      answering: (request) =>
        Effect.suspend(() => {
          requests++
          return Effect.ensuring(request, leave)
        }),
      giveWay: (milliseconds) => Effect.suspend(() => (requests === 0 ? Effect.void : Effect.sleep(milliseconds))),
    })
  })
}
