import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chooseRetrySeconds, MAX_ATTEMPTS } from "../../src/core/webhooks/schedule.ts"

it.effect("retries a delivery after 5 seconds, then less often, for three days", () =>
  Effect.gen(function* () {
    let total = 0
    let last = 0
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      const seconds = (yield* chooseRetrySeconds(attempt))!
      if (attempt === 1) assert.isTrue(seconds >= 4 && seconds <= 6, String(seconds))
      // The jitter of 20 % may make a wait shorter than the one before.
      assert.isAbove(seconds, last / 1.5)
      total += last = seconds
    }
    assert.isTrue(total > 0.8 * 75 * 3600 && total < 1.2 * 76 * 3600, String(total))
    assert.isUndefined(yield* chooseRetrySeconds(MAX_ATTEMPTS))
  }),
)
