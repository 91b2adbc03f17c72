import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { BoundedCache } from "../common/BoundedCache.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { NotFound } from "../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "./Database.ts"
import { CurrentChanges } from "./recordChanges.ts"

/** Another process may erase an organization meanwhile. */
const KNOWN_FOR_MS = 60_000
const MAX_KNOWN = 10_000

/** When each organization was last seen to exist, in Unix milliseconds. */
const seenBy = new WeakMap<Database["Service"], BoundedCache<string, number>>()

/**
 * Lets the methods of a service that `make` makes fail with NotFound if their first argument, an id or a caller, names no organization. Such a call
 * would otherwise read an empty workspace. See `docs/decisions/unknown-organizations.md`.
 */
export const inOrganization = <S extends object, E, R>(
  make: Effect.Effect<S, E, R>,
): Effect.Effect<S, E, R | Database> =>
  Effect.flatMap(Database, (database) => Effect.map(make, (service) => checked(database, service)))

const checked = <S extends object>(database: Database["Service"], service: S): S =>
  Object.fromEntries(
    Object.entries(service).map(([name, method]: [string, (...args: ReadonlyArray<unknown>) => unknown]) => [
      name,
      (...args: ReadonlyArray<unknown>) => {
        const result = method(...args)
        const org = organizationIn(args[0])
        if (org === undefined) return result
        const exists = requireOrganization(database, org)
        if (Effect.isEffect(result)) return Effect.andThen(exists, result)
        return Stream.isStream(result) ? Stream.unwrap(Effect.as(exists, result)) : result
      },
    ]),
  ) as S

const organizationIn = (first: unknown) =>
  typeof first === "object" && first !== null
    ? "organizationId" in first
      ? String(first.organizationId)
      : undefined
    : String(first)

/** Asks the database at most once a minute for each organization. Requests do not ask: their key or principal names one that exists. */
export const requireOrganization = (
  database: Database["Service"],
  org: string,
): Effect.Effect<void, NotFound | DatabaseUnavailable> =>
  Effect.withFiber((fiber) => {
    if (fiber.getRef(CurrentRequest).received || fiber.getRef(CurrentChanges) !== undefined) return Effect.void
    const nowMs = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
    const seen = seenBy.get(database) ?? new BoundedCache<string, number>(MAX_KNOWN)
    seenBy.set(database, seen)
    if (nowMs - (seen.get(org) ?? -Infinity) < KNOWN_FOR_MS) return Effect.void
    // PostgreSQL cannot store a NUL.
    if (org.includes("\0")) return Effect.fail(unknownOrganization(org))
    const { sql } = database
    return Effect.flatMap(
      database.scoped(org, sql`select 1 as one from organizations where id = scope.org`),
      (found) => {
        if (found.length === 0) return Effect.fail(unknownOrganization(org))
        seen.set(org, nowMs)
        return Effect.void
      },
    )
  })

/** Call it after erasing an organization, so that this process notices at once. */
export const forgetOrganization = (database: Database["Service"], org: string) => seenBy.get(database)?.delete(org)

export const unknownOrganization = (id: string) => new NotFound({ message: `no organization has the id '${id}'` })
