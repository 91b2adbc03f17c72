import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RateLimitWindow } from "../http/CurrentRequest.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database, WhenDiskFull } from "../storage/Database.ts"
import { BoundedCache } from "../common/BoundedCache.ts"
import {
  type AdmissionRow,
  type Decision,
  decided,
  MALFORMED,
  type RefusedDecision,
  toDecision,
  UNKNOWN,
} from "./decision.ts"
import { enrol, identityToken } from "./enrol.ts"
import { NO_LIMIT } from "../storage/noLimit.ts"
import { IDENTITIES_TIMES_PLAN, IdentityRequests, PERSON_REQUESTS_PER_MINUTE } from "./plans.ts"
import type { Identity } from "./permissions.ts"
import type { Principal } from "./principal.ts"
import { rememberIdentities } from "./rememberIdentities.ts"
import { hash, isPlausible, isSessionToken } from "./secret.ts"
import { TOKEN_PREFIX, type TokenContent } from "./tokenContent.ts"

/** One export of the organization's monthly quota: taken until released, or refused because the quota is used up. */
type ExportSlot =
  | { readonly outcome: "taken"; readonly release: Effect.Effect<void, DatabaseUnavailable> }
  | { readonly outcome: "limited"; readonly window: RateLimitWindow; readonly retryAfterMs: number }

/** An application that a person connected: it calls as the key or identity of that person, with fewer permissions. */
export interface Holder {
  readonly grant: string
  /** The hash by which the store of limits finds the key or identity. */
  readonly hash: Uint8Array
  /** Undefined: a key. */
  readonly identity: Identity | undefined
  readonly permissions: ReadonlyArray<string>
  readonly scopes: ReadonlyArray<string>
}

/** Every instance applies a revoked key or a raised plan within this time; all caches of a key together stay below it. */
export const MAX_STALENESS_MS = 5_000

/**
 * Decides whether to admit a request: identifies its key, then charges all limits or none. Caches refusals for at most
 * five seconds, so that a caller over its limit costs the store nothing, and never caches admissions. Windows follow the
 * store's clock, not this process's wall clock.
 */
export class Admission extends Context.Service<
  Admission,
  {
    readonly admit: (token: string) => Effect.Effect<Decision, DatabaseUnavailable>
    /** The decision of `admit` where the token's shape or the cache refuses it; it costs no more than a look-up in memory. */
    readonly findRefusal: (token: string) => RefusedDecision | undefined
    /** Admits an identity of the embedding host within limits of its own. `unknown`: its organization does not exist. */
    readonly admitPrincipal: (principal: Principal) => Effect.Effect<Decision, DatabaseUnavailable>
    /** Admits the holder of a host's token within the limits of its identity. `unknown`: the identity's row was revoked. */
    readonly admitToken: (token: TokenContent) => Effect.Effect<Decision, DatabaseUnavailable>
    /** Admits a connected application within the limits of the person who connected it. */
    readonly admitHolder: (holder: Holder) => Effect.Effect<Decision, DatabaseUnavailable>
    /** Call it only once the export is known to be valid, so that no invalid request holds a slot. */
    readonly takeExport: (org: string) => Effect.Effect<ExportSlot, DatabaseUnavailable>
    /** Gives a request back to the month of a key and its organization; it stays charged to the minute. */
    readonly refundMonth: (org: string, key: string) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("sightline/access/Admission") {
  /**
   * Adds the key's shape check, hashing and the cache of refusals to a store. A store that caches keys itself passes a
   * shorter `refusalCacheMs`.
   */
  static readonly make = Effect.fnUntraced(function* (
    { decide, decideIdentity, takeExport, refund, refundMonth }: Store,
    refusalCacheMs = MAX_STALENESS_MS,
  ) {
    const clock = yield* Effect.clockWith(Effect.succeed)
    const database = yield* Database
    const identityLimit = (yield* IdentityRequests) ?? NO_LIMIT
    const hashes = new BoundedCache<string, Uint8Array>(10_000)
    const refusals = new BoundedCache<
      string,
      { readonly decision: RefusedDecision; readonly untilMs: number; readonly decidedAtMs: number }
    >(10_000)
    /** Sessions are counted in the database, whichever store counts keys. */
    const decideSession = (digest: Uint8Array) =>
      Effect.map(
        database.unscoped<AdmissionRow>(
          database.sql`select * from admit_session(${digest}, ${PERSON_REQUESTS_PER_MINUTE})`,
        ),
        ([row]) => toDecision(row),
      )
    const monotonicMs = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

    const decideKey = (token: string, digest: Uint8Array) =>
      isSessionToken(token) ? decideSession(digest) : decide(digest)
    const decideUncached = Effect.fnUntraced(function* (
      token: string,
      decideOne: (token: string, digest: Uint8Array) => Effect.Effect<Decision, DatabaseUnavailable> = decideKey,
    ) {
      let digest = hashes.get(token)
      if (digest === undefined) {
        digest = yield* hash(token)
        hashes.set(token, digest)
      }
      const decision = yield* rememberRefusal(token, decideOne(token, digest))
      if (decision.outcome !== "admitted" && decision.outcome !== "limited") hashes.delete(token)
      return decision
    })

    const rememberRefusal = Effect.fnUntraced(function* (
      name: string,
      decide: Effect.Effect<Decision, DatabaseUnavailable>,
    ) {
      // The cache time starts before the question: the store may wait after it reads the key.
      const askedAtMs = monotonicMs()
      const decision = yield* decide
      if (decision.outcome === "admitted") return decision
      const cacheMs = decision.outcome === "limited" ? Math.min(decision.retryAfterMs, refusalCacheMs) : refusalCacheMs
      refusals.set(name, { decision, untilMs: askedAtMs + cacheMs, decidedAtMs: monotonicMs() })
      return decision
    })

    const findCachedRefusal = (token: string): RefusedDecision | undefined => {
      const refusal = refusals.get(token)
      if (refusal === undefined) return undefined
      const nowMs = monotonicMs()
      if (nowMs >= refusal.untilMs) {
        refusals.delete(token)
        return undefined
      }
      const { decision } = refusal
      return decision.outcome === "limited"
        ? { ...decision, retryAfterMs: Math.max(decision.retryAfterMs - (nowMs - refusal.decidedAtMs), 1) }
        : decision
    }

    /** The name and role of each identity that this process enrolled, by its token. */
    const enrolled = new BoundedCache<string, string>(10_000)
    const decidePrincipal = (_: string, digest: Uint8Array) => decideIdentity(digest, identityLimit)
    const admitPrincipal = Effect.fnUntraced(function* (principal: Principal) {
      const token = identityToken(principal)
      const { role, identity } = principal
      const known = findCachedRefusal(token)
      if (known?.outcome === "limited") return toPrincipal(principal, known)
      const entry = JSON.stringify([role, identity.name])
      if (enrolled.get(token) === entry) {
        const decision = yield* decideUncached(token, decidePrincipal)
        if (decision.outcome === "admitted" || decision.outcome === "limited") return toPrincipal(principal, decision)
        // Another process revoked the identity.
        enrolled.delete(token)
      }
      if ((yield* enrol(database, principal)) === undefined) return UNKNOWN
      enrolled.set(token, entry)
      return toPrincipal(principal, yield* decideUncached(token, decidePrincipal))
    })

    const { recall, find } = rememberIdentities(database, monotonicMs)
    const admitToken = Effect.fnUntraced(function* ({ row, identityHash, role, permissions }: TokenContent) {
      const seen = recall(row)
      if (seen === null) return UNKNOWN
      const name = `${TOKEN_PREFIX}\0${row}`
      const known = findCachedRefusal(name)
      const decision =
        known?.outcome === "limited" ? known : yield* rememberRefusal(name, decideIdentity(identityHash, identityLimit))
      if (decision.outcome !== "admitted" && decision.outcome !== "limited") return UNKNOWN
      const { caller } = decision
      // The store charged the identity's present row, which may be another one.
      const identity = seen !== undefined && caller.keyId === row ? seen : yield* find(caller.organizationId, row)
      if (identity === null) return UNKNOWN
      return { ...decision, caller: { ...caller, keyId: row, role, permissions, identity } }
    })

    const admitHolder = Effect.fnUntraced(function* ({ grant, hash, identity, permissions, scopes }: Holder) {
      const name = `grant\0${grant}`
      const known = findCachedRefusal(name)
      const decision =
        known?.outcome === "limited"
          ? known
          : yield* rememberRefusal(name, identity === undefined ? decide(hash) : decideIdentity(hash, identityLimit))
      if (decision.outcome !== "admitted" && decision.outcome !== "limited") return decision
      const { caller } = decision
      const both = permissions.filter((each) => caller.permissions?.includes(each) ?? true)
      return { ...decision, caller: { ...caller, permissions: both, identity, scopes } }
    })

    // Only plausible tokens are cached.
    const findRefusal = (token: string) => findCachedRefusal(token) ?? (isPlausible(token) ? undefined : MALFORMED)

    return Admission.of({
      admitPrincipal,
      admitToken,
      admitHolder,
      refundMonth,
      findRefusal,
      admit: (token) => {
        const known = findRefusal(token)
        return known !== undefined ? Effect.succeed(known) : decideUncached(token)
      },
      takeExport: (org) =>
        Effect.map(takeExport(org), ({ taken, limit, resetAt, retryAfterMs }): ExportSlot =>
          taken
            ? // One millisecond before the end lies in the month that was charged.
              { outcome: "taken", release: refund(org, resetAt - 1) }
            : { outcome: "limited", window: { limit, remaining: 0, resetAt }, retryAfterMs },
        ),
    })
  })

  /** Keeps keys and counters in the database; its function `admit` decides in one statement. */
  static readonly layerDatabase = Layer.effect(
    Admission,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      return yield* Admission.make({
        decide: (digest) =>
          Effect.flatMap(database.unscoped<AdmissionRow>(sql`select * from admit(${digest})`), ([row]) => decided(row)),
        decideIdentity: (digest, perMinute) =>
          Effect.flatMap(
            database.unscoped<AdmissionRow>(sql`select * from admit_identity(${digest}, ${perMinute}::int,
              ${PERSON_REQUESTS_PER_MINUTE}, ${IDENTITIES_TIMES_PLAN})`),
            ([row]) => decided(row),
          ),
        takeExport: Effect.fnUntraced(function* (org) {
          const [row] = yield* database.scoped<ExportCharge>(org, sql`select * from take_export(scope.org)`)
          return row ?? (yield* Effect.die("the organization is gone"))
        }),
        refund: (org, ms) =>
          Effect.asVoid(
            database.transaction(
              org,
              sql`update organization_usage set exports_used = exports_used - 1
                where org_id = ${org} and month = month_of(${ms}::float8::bigint) and exports_used > 0`,
            ),
          ),
        refundMonth: (org, key) => {
          const ofThisMonth = sql`month = month_of(clock_ms()) and month_used > 0`
          const refundAll = Effect.andThen(
            // As `admit` does: the organization first.
            sql`update organization_usage set month_used = month_used - 1 where org_id = ${org} and ${ofThisMonth}`,
            sql`update api_key_usage set month_used = month_used - 1
              where org_id = ${org} and key_id = ${key} and ${ofThisMonth}`,
          )
          return Effect.asVoid(Effect.provideService(database.transaction(org, refundAll), WhenDiskFull, "proceed"))
        },
      })
    }),
  )
}

interface ExportCharge {
  readonly taken: boolean
  readonly limit: number
  /** The end of the charged or used-up month, in Unix milliseconds. */
  readonly resetAt: number
  readonly retryAfterMs: number
}

/** Counts requests and exports. `ms` is a time within the month to refund, in Unix milliseconds. */
interface Store {
  readonly decide: (hash: Uint8Array) => Effect.Effect<Decision, DatabaseUnavailable>
  /** Charges the identity's own window and that of all identities of its organization. */
  readonly decideIdentity: (hash: Uint8Array, perMinute: number) => Effect.Effect<Decision, DatabaseUnavailable>
  readonly takeExport: (org: string) => Effect.Effect<ExportCharge, DatabaseUnavailable>
  readonly refund: (org: string, ms: number) => Effect.Effect<void, DatabaseUnavailable>
  readonly refundMonth: Admission["Service"]["refundMonth"]
}

/** The host, not the stored row, says what an identity may do. */
const toPrincipal = ({ role, permissions, identity }: Principal, decision: Decision): Decision => {
  if (decision.outcome !== "admitted" && decision.outcome !== "limited") return decision
  return { ...decision, caller: { ...decision.caller, role, permissions: permissions ?? null, identity } }
}
