import * as Effect from "effect/Effect"
import { BoundedCache } from "../common/BoundedCache.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { Database } from "../storage/Database.ts"
import type { Identity } from "./permissions.ts"

/** The rest of the time within which a revocation takes effect belongs to the store of limits. */
const KNOWN_FOR_MS = 2_500

/** Finds identities by the ids of their rows, and knows each for 2.5 s. Null: the row was revoked. */
export const rememberIdentities = ({ sql, scoped }: Database["Service"], monotonicMs: () => number) => {
  const known = new BoundedCache<string, { readonly identity: Identity | null; readonly untilMs: number }>(10_000)
  return {
    /** Undefined: not known at present. */
    recall: (row: string): Identity | null | undefined => {
      const entry = known.get(row)
      return entry !== undefined && monotonicMs() < entry.untilMs ? entry.identity : undefined
    },
    find: Effect.fnUntraced(function* (
      org: string,
      row: string,
    ): Effect.fn.Return<Identity | null, DatabaseUnavailable> {
      const untilMs = monotonicMs() + KNOWN_FOR_MS
      const [found] = yield* scoped<Identity>(
        org,
        sql`select identity as id, name from api_keys
          where org_id = scope.org and id = ${row} and identity is not null and revoked_at is null`,
      )
      const identity = found === undefined ? null : { id: found.id, name: found.name }
      known.set(row, { identity, untilMs })
      return identity
    }),
  }
}
