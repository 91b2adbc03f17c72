import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/**
 * Runs statements of one connection in order, and prepares each while the database runs the one before. The first failure is the
 * result: it aborts the transaction, so later ones fail too. Not interruptible: a statement that is not sent could be the `commit`,
 * and a connection must not be released with statements outstanding. The statement timeout ends it.
 */
export const inOrder = <A, E, R>(
  statements: ReadonlyArray<Effect.Effect<A, E, R>>,
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.uninterruptible(
    Effect.gen(function* () {
      const sent = yield* Effect.forEach(statements, (statement) =>
        Effect.forkChild(statement, { startImmediately: true }),
      )
      return yield* Effect.all(yield* Effect.forEach(sent, Fiber.await))
    }),
  )
