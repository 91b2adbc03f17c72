import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"

/** Shared by the whole process. A spurious signal costs one poll; a missing one delays delivery by a second. */
const Signal = Context.Reference("sightline/changes/signal", { defaultValue: () => Latch.makeUnsafe(false) })

/** Wakes this process's dispatchers. Call it after the transaction commits. Other processes poll. */
export const signalChange: Effect.Effect<void> = Effect.flatMap(Signal, (latch) => Effect.asVoid(latch.open))

/** Waits for the next signal; returns at once if there was one since the last wait. */
export const awaitChangeSignal: Effect.Effect<void> = Effect.flatMap(Signal, (latch) =>
  Effect.asVoid(Effect.andThen(latch.await, latch.close)),
)
