import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Waits between attempts, as the Standard Webhooks specification proposes: three days in all. */
const RETRY_SECONDS = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]

export const MAX_ATTEMPTS = RETRY_SECONDS.length + 1

/** Pauses a webhook after all deliveries failed for this long. */
export const PAUSED_AFTER_HOURS = 24

/** Returns the seconds until the next attempt, with 20 % jitter; undefined after the last attempt. */
export const chooseRetrySeconds = Effect.fnUntraced(function* (attempts: number) {
  const wait = RETRY_SECONDS[attempts - 1]
  return wait === undefined ? undefined : wait * (0.8 + 0.4 * (yield* Random.next))
})
