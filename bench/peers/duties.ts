import { createHash } from "node:crypto"
import type { Pool } from "pg"
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible"

export type Decision =
  | { readonly status: 200; readonly org: string; readonly headers: Record<string, string> }
  | { readonly status: 401 | 429; readonly headers: Record<string, string> }

/**
 * The duties of a service, from common parts: looks up the key's SHA-256 in a table, then charges a limit per key and one per organization
 * by rate-limiter-flexible in the same PostgreSQL. It counts no month, and does not charge its two limits together.
 */
export const makeDuties = async (pool: Pool) => {
  const limiter = (keyPrefix: string) =>
    new Promise<RateLimiterPostgres>((resolve, reject) => {
      const made: RateLimiterPostgres = new RateLimiterPostgres(
        {
          storeClient: pool,
          storeType: "pool",
          tableName: `limits_${keyPrefix}`,
          keyPrefix,
          points: 1e9,
          duration: 60,
        },
        (error?: Error) => (error ? reject(error) : resolve(made)),
      )
    })
  const [perKey, perOrganization] = [await limiter("key"), await limiter("organization")]

  return async (authorization: string | undefined): Promise<Decision> => {
    const token = authorization?.startsWith("Bearer ") ? authorization.slice(7) : ""
    const { rows } = await pool.query<{ org_id: string; id: string }>({
      name: "key",
      text: `select org_id, id from api_keys
        where hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
      values: [createHash("sha256").update(token).digest()],
    })
    const key = rows[0]
    if (key === undefined) return { status: 401, headers: { "www-authenticate": "Bearer" } }
    try {
      const left = [await perKey.consume(key.id), await perOrganization.consume(key.org_id)]
      const tightest = left[0]!.remainingPoints <= left[1]!.remainingPoints ? left[0]! : left[1]!
      return {
        status: 200,
        org: key.org_id,
        headers: {
          "x-ratelimit-limit": "1000000000",
          "x-ratelimit-remaining": String(tightest.remainingPoints),
          "x-ratelimit-reset": String(Date.now() + tightest.msBeforeNext),
        },
      }
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused
      return { status: 429, headers: { "retry-after": String(Math.ceil(refused.msBeforeNext / 1000)) } }
    }
  }
}
