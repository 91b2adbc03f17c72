import * as Effect from "effect/Effect"
import type { Fiber } from "effect/Fiber"
import type { InFlight } from "./InFlight.ts"

export interface Draining {
  /** Resolves once it has closed. */
  readonly closed: Promise<void>
  /** Waits at most this long from now, if that is sooner than before. */
  readonly within: (ms: number) => void
}

/** Calls `close` once nothing is in flight, or when the time is over. */
export const drain = (inFlight: InFlight, close: () => Promise<void>): Draining => {
  let endsAt = Infinity
  let timer: Fiber<void> | undefined
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const closed = Promise.race([inFlight.idle(), over]).then(() => {
    timer?.interruptUnsafe()
    return close()
  })
  const within = (ms: number) => {
    const at = performance.now() + ms
    if (at >= endsAt) return
    endsAt = at
    timer?.interruptUnsafe()
    timer = Effect.runFork(Effect.delay(Effect.sync(resolve), ms))
  }
  return { closed, within }
}
