import * as Record from "effect/Record"
import type { RequestState } from "../http/CurrentRequest.ts"
import { RateLimitExceeded, toResponse, Unauthorized } from "../http/errors/errors.ts"
import type { Decision, Refusal, RefusedDecision } from "./decision.ts"
import type { RefusedSignIns } from "./RefusedSignIns.ts"
import type { TokenFault } from "./Tokens.ts"

/** Replies to a request that was not admitted, with the limits in the headers. `token` is empty if none was sent. */
export const refuse = (
  decision: RefusedDecision,
  sent: { readonly authorization: string | undefined; readonly token: string },
  state: RequestState,
  refusedSignIns: RefusedSignIns["Service"],
) => {
  if (decision.outcome === "limited") return replyLimited(decision, state)
  const reason =
    sent.authorization === undefined
      ? "missing"
      : /^(?:$|bearer\s)/i.test(sent.token)
        ? "not_bearer"
        : (decision.outcome as Refusal)
  state.refusal = { key: reason }
  if (sent.token !== "") refusedSignIns.count(sent.token, decision.outcome, state)
  return unauthorized[reason]
}

/** Replies to a request with a host's token that does not work. No key has its prefix, so the audit log counts none. */
export const refuseToken = (fault: TokenFault | "ended", state: RequestState) => {
  state.refusal = { key: `token_${fault}` }
  return refusedTokens[fault]
}

/** The reply to an application's token at another door than `/mcp`. */
export const refuseGrant = (state: RequestState) => {
  state.refusal = { key: "token_elsewhere" }
  return elsewhere
}

/** Replies that a limit is used up. */
export const replyLimited = (
  {
    window,
    retryAfterMs,
    scope,
  }: Pick<Extract<Decision, { readonly outcome: "limited" }>, "window" | "retryAfterMs" | "scope">,
  state: RequestState,
) => {
  state.refusal = { limit: scope }
  state.rateLimit = window
  state.retryAfter = Math.ceil(retryAfterMs / 1000)
  return limited[scope]
}

const SEND = "send 'Authorization: Bearer <key>'"
const ASK = "ask an administrator of your workspace for a new one"

/** Made once, so that floods of bad keys cost little. */
const unauthorized = Record.map(
  {
    missing: `the Authorization header is missing; ${SEND}`,
    not_bearer: `the Authorization header is not of the form 'Bearer <key>'; ${SEND}`,
    malformed: "this API key is incomplete: its length or checksum is wrong; copy the whole key again",
    unknown: `this key does not exist or was revoked; ${ASK}`,
    ended: "this session has ended; sign in again",
    expired: `this key has expired, or was rotated and its grace period is over; ${ASK}`,
  } satisfies { readonly [K in Refusal | "missing" | "not_bearer"]: string },
  (message) => toResponse(new Unauthorized({ message }), { "www-authenticate": "Bearer" }),
)

const refusedTokens = Record.map(
  {
    malformed: "this token is not of this service, or was changed; get another one from the application",
    expired: "this token has expired; get another one from the application",
    ended: "this token has ended, because its holder's access was revoked; sign in to the application again",
  } satisfies { readonly [F in TokenFault | "ended"]: string },
  (message, fault) =>
    toResponse(new Unauthorized({ message, details: { reason: `token_${fault}` } }), { "www-authenticate": "Bearer" }),
)

const elsewhere = toResponse(
  new Unauthorized({
    message: "this token is of an application that was connected to /mcp, and opens nothing else; send an API key",
    details: { reason: "token_elsewhere" },
  }),
  { "www-authenticate": "Bearer" },
)

/** Made once, because a caller over its limit retries often. */
const limited = Record.map(
  {
    key: "this key has used up its requests for this minute",
    session: "this session has used up its requests for this minute",
    identity: "you have used up your requests for this minute",
    organization: "the organization has used up its requests for this minute",
    monthly: "the organization has used up its requests for this month",
    export: "the organization has used up its exports for this month",
  },
  (reason, scope) =>
    toResponse(
      new RateLimitExceeded({ message: `${reason}; retry after the time in X-RateLimit-Reset`, details: { scope } }),
    ),
)
