import * as Record from "effect/Record"
import type { RequestState } from "../http/CurrentRequest.ts"
import { RateLimitExceeded, toResponse, Unauthorized } from "../http/errors.ts"
import type { Decision, Refusal } from "./Admission.ts"
import type { RefusedSignIns } from "./RefusedSignIns.ts"

/** The reply to a request that is not admitted; the headers say what the limits are. `token` is empty if none was sent. */
export const refuse = (
  decision: Exclude<Decision, { readonly outcome: "admitted" }>,
  sent: { readonly authorization: string | undefined; readonly token: string },
  state: RequestState,
  refusedSignIns: RefusedSignIns["Service"],
) => {
  if (decision.outcome === "limited") return replySpent(decision, state)
  if (sent.authorization === undefined) return unauthorized.missing
  if (sent.token === "") return unauthorized.not_bearer
  refusedSignIns.count(sent.token, decision.outcome, state)
  return unauthorized[decision.outcome]
}

/** The reply where a limit is used up. */
export const replySpent = (
  {
    window,
    retryAfterMs,
    scope,
  }: Pick<Extract<Decision, { readonly outcome: "limited" }>, "window" | "retryAfterMs" | "scope">,
  state: RequestState,
) => {
  state.rateLimit = window
  state.retryAfter = Math.ceil(retryAfterMs / 1000)
  return limited[scope]
}

const SEND = "send 'Authorization: Bearer <key>'"
const ASK = "ask an administrator of your workspace for a new one"

/** Made once: the cheapest replies there are. */
const unauthorized = Record.map(
  {
    missing: `the Authorization header is missing; ${SEND}`,
    not_bearer: `the Authorization header is not of the form 'Bearer <key>'; ${SEND}`,
    malformed: "this API key is incomplete: its length or checksum is wrong; copy the whole key again",
    unknown: `this key does not exist or was revoked; ${ASK}`,
    expired: `this key has expired, or was rotated and its grace period is over; ${ASK}`,
  } satisfies { readonly [K in Refusal | "missing" | "not_bearer"]: string },
  (message) => toResponse(new Unauthorized({ message }), { "www-authenticate": "Bearer" }),
)

/** Made once: a caller who is told to wait asks often. */
const limited = Record.map(
  {
    key: "this key has used up its requests for this minute",
    organization: "the organization has used up its requests for this minute",
    monthly: "the organization has used up its requests for this month",
    export: "the organization has used up its exports for this month",
  },
  (spent, scope) =>
    toResponse(
      new RateLimitExceeded({ message: `${spent}; retry after the time in X-RateLimit-Reset`, details: { scope } }),
    ),
)
