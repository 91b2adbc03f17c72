import * as Effect from "effect/Effect"
import { RateLimitExceeded } from "../http/errors/errors.ts"
import { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { asBackground } from "../storage/CurrentClass.ts"
import { Admission } from "./Admission.ts"
import type { Caller } from "./permissions.ts"

/**
 * Makes the function that gives a request back to the month if the database refused to begin it, as it does for a whole line of work. The
 * request stays charged to the minute. The reply does not wait for it.
 */
export const makeRefundRefused = Effect.gen(function* () {
  const { refundMonth } = yield* Admission
  const scope = yield* Effect.scope
  return (caller: Caller, error: unknown): Effect.Effect<void> =>
    isBusy(error) && isCharged(caller)
      ? Effect.asVoid(
          Effect.forkIn(Effect.ignore(asBackground(refundMonth(caller.organizationId, caller.keyId))), scope),
        )
      : Effect.void
})

const isBusy = (error: unknown) =>
  (error instanceof DatabaseUnavailable && error.reason === "concurrency") ||
  (error instanceof RateLimitExceeded && error.details?.["scope"] === "concurrency")

/** Requests of people and of the operator spend no month. */
const isCharged = ({ identity, sessionId, isOperator }: Caller) =>
  identity === undefined && sessionId === undefined && isOperator !== true
