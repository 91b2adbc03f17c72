import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { Forbidden } from "../http/errors.ts"
import { utc } from "../storage/sql.ts"

/** What bounds the keys and webhooks that a key makes. */
export interface Bounds {
  readonly id: string
  readonly expires_at: string | null
  /** The key's own limit; null: its plan's, which bounds nothing. */
  readonly requests_per_minute: number | null
  /** What a key without its own limit has. */
  readonly plan_per_minute: number
}

/** The bounds of the key that acts in this request; undefined for the operator. Runs inside the organization's transaction. */
export const actingBounds = Effect.fnUntraced(function* (sql: SqlClient, org: string) {
  const { actor } = yield* CurrentRequest
  if (actor === undefined || !("key_id" in actor)) return undefined
  const [bounds] = yield* sql<Bounds>`
    select api_keys.id, ${sql.literal(utc("expires_at"))} as expires_at, api_keys.requests_per_minute,
      p.requests_per_key_minute as plan_per_minute
    from api_keys, organizations o join plans p on p.name = o.plan
    where o.id = ${org} and org_id = ${org} and api_keys.id = ${actor.key_id}`
  return bounds ?? (yield* Effect.die(`no key ${actor.key_id}`))
})

/** Nothing that a key makes, changes or gets the secret of outlives it. */
export const assertNoLonger = Effect.fnUntraced(function* (
  bounds: Bounds | undefined,
  expiresAt: string | null,
  what: string,
) {
  const end = bounds?.expires_at ?? null
  if (end === null || (expiresAt !== null && Date.parse(expiresAt) <= Date.parse(end))) return
  return yield* new Forbidden({
    message: `this key expires at ${end} and cannot ${what} that works longer; use a key that does not expire earlier`,
  })
})

/** Nor is a key faster than the key that makes it. `perMinute`: its limit, its plan's if it has none of its own. */
export const assertNoFaster = Effect.fnUntraced(function* (
  bounds: Bounds | undefined,
  perMinute: number,
  what: string,
) {
  const most = bounds?.requests_per_minute ?? null
  if (most === null || perMinute <= most) return
  return yield* new Forbidden({
    message: `this key has ${most} requests per minute and cannot ${what} that has more; use a key with a higher limit`,
  })
})

/** The limit of a key that is made without one: its plan's, unless the key that makes it is slower. */
export const inheritedLimit = (bounds: Bounds | undefined): number | null => {
  const most = bounds?.requests_per_minute ?? null
  return most !== null && bounds !== undefined && most < bounds.plan_per_minute ? most : null
}
