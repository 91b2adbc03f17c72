import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RateLimitWindow } from "../http/CurrentRequest.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { BoundedCache } from "../common/BoundedCache.ts"
import type { Caller, Role } from "./permissions.ts"
import { hash, isPlausible } from "./secret.ts"

export type LimitScope = "key" | "organization" | "monthly" | "export"

/** Why a key is not let in. A revoked key is unknown; only the holder of a real key learns that it expired. */
export type Refusal = "malformed" | "unknown" | "expired"

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

/** One export of the organization's month: taken, until it is given back; or the quota is used up. */
export type ExportSlot =
  | { readonly outcome: "taken"; readonly giveBack: Effect.Effect<void, DatabaseUnavailable> }
  | { readonly outcome: "limited"; readonly window: RateLimitWindow; readonly retryAfterMs: number }

/** Revoking a key, or raising a plan, is felt within this time on every instance: all memories of it together. */
export const REMEMBER_MS = 5_000

/**
 * Decides whether a request may pass: who its key is, and whether every limit has room. All limits are charged, or none.
 * Admissions are never remembered; refusals are, for at most five seconds, so that a caller who is told to wait costs
 * the store nothing. Time is the store's: this process's wall clock plays no part.
 */
export class Admission extends Context.Service<
  Admission,
  {
    readonly admit: (token: string) => Effect.Effect<Decision, DatabaseUnavailable>
    /** For an export that is about to be made: one that turns out invalid never holds a slot that a valid one needs. */
    readonly takeExport: (org: string) => Effect.Effect<ExportSlot, DatabaseUnavailable>
  }
>()("sightline/access/Admission") {
  /** Around any store: shape, hashing, and the memory of refusals. A store that remembers keys leaves it less time. */
  static readonly make = Effect.fnUntraced(function* ({ decide, takeExport, refund }: Store, rememberMs = REMEMBER_MS) {
    const clock = yield* Effect.clockWith(Effect.succeed)
    const hashes = new BoundedCache<string, Uint8Array>(10_000)
    const refusals = new BoundedCache<
      string,
      { readonly decision: Decision; readonly until: number; readonly seen: number }
    >(10_000)
    const monotonicMs = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

    const ask = Effect.fnUntraced(function* (token: string) {
      let digest = hashes.get(token)
      if (digest === undefined) {
        digest = yield* hash(token)
        hashes.set(token, digest)
      }
      // The store may wait before it answers; what it knew of the key is as old as the question.
      const asked = monotonicMs()
      const decision = yield* decide(digest)
      if (decision.outcome === "admitted") return decision
      const lasts = decision.outcome === "limited" ? Math.min(decision.retryAfterMs, rememberMs) : rememberMs
      refusals.set(token, { decision, until: asked + lasts, seen: monotonicMs() })
      if (decision.outcome !== "limited") hashes.delete(token)
      return decision
    })

    const refused = (token: string): Decision | undefined => {
      const refusal = refusals.get(token)
      if (refusal === undefined) return undefined
      const now = monotonicMs()
      if (now >= refusal.until) {
        refusals.delete(token)
        return undefined
      }
      const { decision } = refusal
      return decision.outcome === "limited"
        ? { ...decision, retryAfterMs: Math.max(decision.retryAfterMs - (now - refusal.seen), 1) }
        : decision
    }

    return Admission.of({
      admit: (token) => {
        if (!isPlausible(token)) return Effect.succeed(MALFORMED)
        const known = refused(token)
        return known !== undefined ? Effect.succeed(known) : ask(token)
      },
      takeExport: (org) =>
        Effect.map(takeExport(org), ({ taken, limit, resetAt, retryAfterMs }): ExportSlot =>
          taken
            ? // A millisecond before the month ends is within the month that was charged.
              { outcome: "taken", giveBack: refund(org, resetAt - 1) }
            : { outcome: "limited", window: { limit, remaining: 0, resetAt }, retryAfterMs },
        ),
    })
  })

  /** Keys and counters in the database, decided by its function `admit` in one statement. */
  static readonly layerDatabase = Layer.effect(
    Admission,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      return yield* Admission.make({
        decide: (digest) =>
          Effect.map(database.unscoped<AdmissionRow>(sql`select * from admit(${digest})`), ([row]) => toDecision(row)),
        takeExport: Effect.fnUntraced(function* (org) {
          const [row] = yield* database.scoped<Taken>(org, sql`select * from take_export(scope.org)`)
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
      })
    }),
  )
}

interface Taken {
  readonly taken: boolean
  readonly limit: number
  /** The end of the month that was charged, or that is used up. */
  readonly resetAt: number
  readonly retryAfterMs: number
}

/** Where requests are counted. `ms`: since 1970, within the month that is meant. */
interface Store {
  readonly decide: (hash: Uint8Array) => Effect.Effect<Decision, DatabaseUnavailable>
  readonly takeExport: (org: string) => Effect.Effect<Taken, DatabaseUnavailable>
  readonly refund: (org: string, ms: number) => Effect.Effect<void, DatabaseUnavailable>
}

const MALFORMED: Decision = { outcome: "malformed" }
const UNKNOWN: Decision = { outcome: "unknown" }

interface AdmissionRow {
  readonly outcome: "unknown" | "expired" | "admitted" | "limited"
  readonly org_id: string
  readonly key_id: string
  readonly role: Role
  readonly permissions: ReadonlyArray<string> | null
  readonly scope: LimitScope
  readonly limit: number
  readonly remaining: number
  readonly reset_at: number
  readonly retry_after_ms: number
}

const toDecision = (row: AdmissionRow | undefined): Decision => {
  if (row === undefined) return UNKNOWN
  if (row.outcome === "unknown" || row.outcome === "expired") return { outcome: row.outcome }
  const caller = { organizationId: row.org_id, keyId: row.key_id, role: row.role, permissions: row.permissions }
  const window = { limit: row.limit, remaining: row.remaining, resetAt: row.reset_at }
  return row.outcome === "admitted"
    ? { outcome: "admitted", caller, window }
    : { outcome: "limited", caller, window, scope: row.scope, retryAfterMs: row.retry_after_ms }
}
