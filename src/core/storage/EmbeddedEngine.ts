import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** A database whose statements run in this thread, so that no timer fires meanwhile. */
export interface EmbeddedEngine {
  /** Ends each statement that runs longer, in milliseconds, from the next one on; on a busy machine, once it has worked for 0.4 of that. */
  readonly setLimit: (ms: number) => void
  /** How long a statement may run, in milliseconds, by its class. */
  readonly limits: { readonly short: number; readonly heavy: number }
  /** The CPU time that this process has used, in milliseconds. */
  readonly cpuMs: () => number
}

/** The adapter of an embedded database sets it. */
export const CurrentEngine = Context.Reference<EmbeddedEngine | undefined>("sightline/storage/EmbeddedEngine", {
  defaultValue: () => undefined,
})

/** Whether statements of this fiber may take what they need of an embedded engine. */
export const IsUnlimited = Context.Reference<boolean>("sightline/storage/IsUnlimited", { defaultValue: () => false })

/** For work that is cached and that no caller can narrow. A server's limits hold. */
export const unlimitedIfEmbedded = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, IsUnlimited, true)
