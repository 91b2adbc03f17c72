import * as Effect from "effect/Effect"

/** The parts of a wait. */
const PARTS = 10

/**
 * Ends an effect that waits for another process, which may wait for this thread in turn: behind a pooler, a statement
 * waits for transactions of the same process. Time in which the thread computes, or is not given a core, counts as one
 * part of the duration.
 */
export const orElseAfter =
  <A2, E2, R2>(durationMs: number, orElse: () => Effect.Effect<A2, E2, R2>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | A2, E | E2, R | R2> =>
    Effect.flatten(
      Effect.raceFirst(
        Effect.map(effect, (value): Effect.Effect<A | A2, E2, R2> => Effect.succeed(value)),
        Effect.as(waitPart(durationMs / PARTS), Effect.suspend(orElse)),
      ),
    )

const waitPart = (partMs: number) => Effect.repeat(Effect.sleep(partMs), { times: PARTS - 1 })
