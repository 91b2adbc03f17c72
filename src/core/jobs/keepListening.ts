import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Random from "effect/Random"
import type { Listener, Notifications } from "../storage/notifications.ts"

const MIN_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000

/** Listens for ever: when the connection ends, connects again, with growing pauses while that fails. */
export const keepListening = Effect.fnUntraced(function* (
  listen: NonNullable<Notifications["listen"]>,
  listener: Listener,
): Effect.fn.Return<never> {
  let failures = 0
  const onListening = Effect.suspend(() => {
    failures = 0
    return listener.onListening
  })
  for (;;) {
    const exit = yield* Effect.exit(listen({ ...listener, onListening }))
    // A connection that ends is no trouble, but one that cannot be opened again is.
    if (Exit.isFailure(exit) && failures === 1)
      yield* Effect.logWarning(`cannot listen for due work, and polls until it can: ${Cause.pretty(exit.cause)}`)
    const pauseMs = Math.min(MIN_PAUSE_MS * 2 ** failures++, MAX_PAUSE_MS)
    yield* Effect.sleep(pauseMs * (yield* Random.nextBetween(0.75, 1.25)))
  }
})
