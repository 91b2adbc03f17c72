import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { WhenFull } from "../storage/Database.ts"

/**
 * Does, until the scope closes, work that no request waits for. It begins a little after the start, each at a time of its
 * own: the first requests find the processor and the database free, and not every worker needs a connection of its own.
 * Where there is no room for what it writes, it waits for some.
 */
export const inBackground = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Random.nextIntBetween(100, 500), (milliseconds) => Effect.delay(work, milliseconds)).pipe(
    Effect.provideService(WhenFull, "waits"),
    Effect.forkScoped,
  )
