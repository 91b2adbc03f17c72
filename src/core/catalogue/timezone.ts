import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { DEFAULT_ZONE, isZone } from "../common/zone.ts"
import { nearest } from "../common/nearest.ts"
import { badRequest } from "../http/validation.ts"

/** Finds the spelling of a zone's name in the database. Fails unless the database and the runtime both know it. Null is the default. */
export const findZone = Effect.fnUntraced(function* (sql: SqlClient, given: string | null) {
  if (given === null) return DEFAULT_ZONE
  const wanted = given.trim()
  // The view reads the files of all zones, which takes some 50 ms.
  const known = (yield* sql<{ name: string }>`select name from pg_timezone_names`).map(({ name }) => name)
  const found = known.find((name) => name.toLowerCase() === wanted.toLowerCase())
  if (found !== undefined && isZone(found)) return found
  const reason =
    found === undefined
      ? `must be the IANA name of a time zone, such as Europe/Berlin; '${wanted}' is not one`
      : `must be a time zone that this server knows, too; its database knows '${wanted}', but its runtime does not`
  const near = nearest(
    wanted,
    known.filter((name) => name !== found && !LINKED.test(name)),
  ).find(isZone)
  return yield* badRequest({
    invalid: [{ field: "timezone", reason, ...(near !== undefined && { did_you_mean: near }) }],
  })
})

/** Copies of all zones with and without leap seconds. */
const LINKED = /^(?:posix|right)\//
