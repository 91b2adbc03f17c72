import * as Effect from "effect/Effect"
import type { RateLimitWindow } from "../http/CurrentRequest.ts"
import type { Caller, Role } from "./permissions.ts"
import { shownLimit } from "./plans.ts"

export type LimitScope = "key" | "session" | "identity" | "organization" | "monthly" | "export"

/** Why a key is refused. A revoked key is `unknown`; only the holder of a real key learns that it expired. A session `ended`. */
export type Refusal = "malformed" | "unknown" | "expired" | "ended"

export type Decision =
  | { readonly outcome: Refusal }
  | { readonly outcome: "admitted"; readonly caller: Caller; readonly window: RateLimitWindow }
  | {
      readonly outcome: "limited"
      readonly caller: Caller
      readonly window: RateLimitWindow
      readonly scope: LimitScope
      readonly retryAfterMs: number
    }

export type RefusedDecision = Exclude<Decision, { readonly outcome: "admitted" }>

export const MALFORMED: RefusedDecision = { outcome: "malformed" }
export const UNKNOWN: RefusedDecision = { outcome: "unknown" }

/** The reply of the SQL functions that admit a request. */
export type AdmissionRow = (
  | { readonly outcome: "unknown" | "expired" | "ended" }
  /** `restarted`: a window that a wrong clock wrote starts anew. */
  | { readonly outcome: "admitted"; readonly scope?: "restarted" | null }
  | { readonly outcome: "limited"; readonly scope: LimitScope }
) & {
  readonly org_id: string
  readonly key_id: string
  readonly session_id?: string
  /** The person of a session that no key started. */
  readonly identity?: string | null
  readonly name?: string | null
  readonly role: Role
  readonly permissions: ReadonlyArray<string> | null
  readonly limit: number
  readonly remaining: number
  readonly reset_at: number
  readonly retry_after_ms: number
}

/** The limit closest to exhaustion, as the headers say it. */
export const windowOf = (limit: number, remaining: number, resetAt: number): RateLimitWindow => ({
  limit: shownLimit(limit),
  remaining: Math.min(remaining, shownLimit(limit)),
  resetAt,
})

export const toDecision = (row: AdmissionRow | undefined): Decision => {
  if (row === undefined) return UNKNOWN
  if (row.outcome !== "admitted" && row.outcome !== "limited") return { outcome: row.outcome }
  const caller = {
    organizationId: row.org_id,
    keyId: row.key_id,
    sessionId: row.session_id,
    role: row.role,
    permissions: row.permissions,
    ...(row.identity != null && { identity: { id: row.identity, name: row.name ?? row.identity } }),
  }
  const window = windowOf(row.limit, row.remaining, row.reset_at)
  return row.outcome === "admitted"
    ? { outcome: "admitted", caller, window }
    : { outcome: "limited", caller, window, scope: row.scope, retryAfterMs: row.retry_after_ms }
}

/** The decision; logs that the database's clock was ahead when an earlier request was counted. */
export const decided = (row: AdmissionRow | undefined) =>
  row?.outcome === "admitted" && row.scope === "restarted"
    ? Effect.as(
        Effect.annotateLogs(
          Effect.logWarning(
            "the database's clock was ahead and is not any more: the limits of the organization start anew",
          ),
          { organization: row.org_id },
        ),
        toDecision(row),
      )
    : Effect.succeed(toDecision(row))
