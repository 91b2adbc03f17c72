import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { Forbidden } from "../http/errors/errors.ts"
import { utc } from "../storage/sql.ts"

/** The bounds of the keys and webhooks that a key creates. */
export interface Bounds {
  readonly id: string
  /** When the key or token of the request expires, the earlier of both. */
  readonly expires_at: string | null
  /** The key's own limit; null: it has the plan's limit, which bounds nothing. */
  readonly requests_per_minute: number | null
  /** The plan's limit for a key without its own; null: none. */
  readonly plan_per_minute: number | null
}

/** Reads the bounds of the current request's key; undefined for the operator. Call it in the organization's transaction. */
export const readBounds = Effect.fnUntraced(function* (sql: SqlClient, org: string) {
  const { keyId, expires } = yield* CurrentRequest
  if (keyId === undefined) return undefined
  const [bounds] = yield* sql<Bounds>`
    select api_keys.id, ${sql.literal(utc("expires_at"))} as expires_at, api_keys.requests_per_minute,
      p.requests_per_key_minute as plan_per_minute
    from api_keys, organizations o join plans p on p.name = o.plan
    where o.id = ${org} and org_id = ${org} and api_keys.id = ${keyId}`
  if (bounds === undefined) return yield* Effect.die(`no key ${keyId}`)
  if (expires === undefined || Date.parse(bounds.expires_at ?? "") <= expires * 1000) return bounds
  return { ...bounds, expires_at: new Date(expires * 1000).toISOString() }
})

/** Fails if a key would create, change or read the secret of something that outlives it. */
export const assertExpiryWithin = Effect.fnUntraced(function* (
  bounds: Bounds | undefined,
  expiresAt: string | null,
  what: string,
) {
  const end = bounds?.expires_at ?? null
  if (end === null || (expiresAt !== null && Date.parse(expiresAt) <= Date.parse(end))) return
  return yield* new Forbidden({
    message: `this key or token expires at ${end} and cannot ${what} that works longer; use a key that does not expire earlier`,
  })
})

/** Fails if a key's limit exceeds the limit of the key that creates it. `perMinute` is its own limit, or else its plan's; null: none. */
export const assertLimitWithin = Effect.fnUntraced(function* (
  bounds: Bounds | undefined,
  perMinute: number | null,
  what: string,
) {
  const max = bounds?.requests_per_minute ?? null
  if (max === null || (perMinute ?? Infinity) <= max) return
  return yield* new Forbidden({
    message: `this key has ${max} requests per minute and cannot ${what} that has more; use a key with a higher limit`,
  })
})

/** Returns the limit of a key created without one: null (the plan's), or the creating key's limit if that is lower. */
export const inheritedLimit = (bounds: Bounds | undefined): number | null => {
  const max = bounds?.requests_per_minute ?? null
  return max !== null && bounds !== undefined && max < (bounds.plan_per_minute ?? Infinity) ? max : null
}
