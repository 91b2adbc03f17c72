import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"

/** Pulls the beginning of a stream until `isEnough` or its end. Returns it, and the whole stream, which goes on from there. */
export const peek = Effect.fnUntraced(function* <A, E>(
  stream: Stream.Stream<A, E>,
  isEnough: (taken: ReadonlyArray<A>) => boolean,
): Effect.fn.Return<{ readonly taken: ReadonlyArray<A>; readonly whole: Stream.Stream<A, E> }, E, Scope.Scope> {
  const pull = yield* Stream.toPull(stream)
  const taken: Array<A> = []
  let isOver = false
  while (!isOver && !isEnough(taken)) {
    const read = Effect.map(pull, (next) => {
      taken.push(...next)
      return false
    })
    isOver = yield* Pull.catchDone(read, () => Effect.succeed(true)) as Effect.Effect<boolean, E>
  }
  const rest = isOver ? Stream.empty : (Stream.fromPull(Effect.succeed(pull)) as Stream.Stream<A, E>)
  return { taken, whole: Stream.concat(Stream.fromIterable(taken), rest) }
})
