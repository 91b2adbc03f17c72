import * as Effect from "effect/Effect"
import { endOf, startOf } from "../common/zone.ts"
import { readZoneFor, toTimestamp } from "../storage/timeZone.ts"
import type { SearchQuery } from "./SearchIndex.ts"

/** Replaces the days of a query's scope by instants. The database stores milliseconds. */
export const inInstants = Effect.fnUntraced(function* (org: string, query: SearchQuery) {
  const { from, to } = query.scope ?? {}
  if (from === undefined && to === undefined) return query
  const zone = yield* readZoneFor(org, [from, to])
  return {
    ...query,
    scope: {
      ...query.scope,
      from: from && toTimestamp(startOf(from, zone)),
      to: to && toTimestamp(endOf(to, zone)),
    },
  }
})
