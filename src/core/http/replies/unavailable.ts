import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import type { RequestState } from "../CurrentRequest.ts"
import { toResponse } from "../errors/errors.ts"

/** Replies that the database did not do it, and says in the headers whether and when another attempt may help. */
export const unavailableReply = (error: DatabaseUnavailable, state: RequestState, nowMs: number) => {
  const { reason, limit = 1, retryAfterSeconds = 1 } = error
  if (reason === "too_slow") state.retryAfter = null
  if (reason === "concurrency") {
    state.refusal = { limit: "concurrency" }
    state.rateLimit = { limit, remaining: 0, resetAt: nowMs + retryAfterSeconds * 1000 }
    state.retryAfter = retryAfterSeconds
  }
  return toResponse(error)
}
