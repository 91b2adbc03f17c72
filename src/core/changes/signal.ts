import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"

/** One for the whole process: a call too many costs a look, one too few a second. */
const Signal = Context.Reference("sightline/changes/signal", { defaultValue: () => Latch.makeUnsafe(false) })

/** Tells this process's dispatchers that something changed; for after the transaction. Other processes look by themselves. */
export const signalChange: Effect.Effect<void> = Effect.flatMap(Signal, (latch) => Effect.asVoid(latch.open))

/** Waits for the signal; one that was given since the last wait ends it at once. */
export const changeSignalled: Effect.Effect<void> = Effect.flatMap(Signal, (latch) =>
  Effect.asVoid(Effect.andThen(latch.await, latch.close)),
)
