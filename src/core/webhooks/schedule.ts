import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Seconds from a failed attempt to the next, as the Standard Webhooks specification proposes: three days in all. */
const WAITS = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]

export const MOST_ATTEMPTS = WAITS.length + 1

/** An endpoint whose every delivery fails for so long is paused. */
export const PAUSED_AFTER_HOURS = 24

/** Seconds to wait after this many failed attempts, a fifth more or less so that not all come at once; undefined: give up. */
export const waitAfter = Effect.fnUntraced(function* (attempts: number) {
  const wait = WAITS[attempts - 1]
  return wait === undefined ? undefined : wait * (0.8 + 0.4 * (yield* Random.next))
})
