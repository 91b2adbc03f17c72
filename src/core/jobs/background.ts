import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { WhenDiskFull } from "../storage/Database.ts"

/**
 * Runs `work` in the background until the scope closes. It starts after a random delay of 100 to 500 ms, so that workers
 * neither slow the first requests down nor each open a database connection at once. When the disk is full, its writes
 * wait for space. Its spans are hidden except below an `entrySpan`.
 */
export const inBackground = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Random.nextIntBetween(100, 500), (ms) => Effect.delay(work, ms)).pipe(
    Effect.provideService(WhenDiskFull, "wait"),
    Effect.withTracerEnabled(false),
    Effect.forkScoped,
  )
