import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Redis from "effect/persistence/Redis"
import type { Caller } from "../../core/access/permissions.ts"
import { Admission, MAX_STALENESS_MS } from "../../core/access/Admission.ts"
import { type Decision, type LimitScope, windowOf } from "../../core/access/decision.ts"
import { BoundedCache } from "../../core/common/BoundedCache.ts"
import { PackageMissing } from "../../core/common/optionalPackage.ts"
import { orElseAfter } from "../../core/common/orElseAfter.ts"
import { redact, type Secret } from "../../core/common/secret.ts"
import type { Role } from "../../core/access/permissions.ts"
import { identitiesTogether } from "../../core/access/plans.ts"
import { isReported, readDatabase, Usage } from "../../core/keys/Usage.ts"
import { DatabaseUnavailable } from "../../core/ports/DatabaseUnavailable.ts"
import { Database } from "../../core/storage/Database.ts"
import { inOrganization } from "../../core/storage/inOrganization.ts"
import { NO_LIMIT } from "../../core/storage/noLimit.ts"
import { assertRedis } from "./options.ts"
import { ErrorReply, loadRedis } from "./redisPackage.ts"
import { ADMIT, ADMIT_IDENTITY, REFUND, REFUND_MONTH, TAKE_EXPORT, USAGE } from "./scripts.ts"

/** Half of the time within which a revocation takes effect; cached refusals use the other half. */
const KEY_MS = MAX_STALENESS_MS / 2

/**
 * Limits counted in Redis 7 or later (or one that speaks as it), keys in the database. One round trip to Redis a request, and one to
 * the database per key and 2.5 s. Redis must be there at the start; lost later, requests answer 503 until it is back.
 */
export const layerRedis = (options: {
  readonly url: Secret
}): Layer.Layer<Admission | Usage, DatabaseUnavailable | PackageMissing, Database> => {
  assertRedis(options)
  return Layer.unwrap(
    Effect.map(loadClient, (client) =>
      Layer.mergeAll(layerAdmission, layerUsage).pipe(Layer.provide(layerClient(client, redact(options.url)))),
    ),
  )
}

type Client = typeof import("./nodeRedis.ts")

const loadClient = Effect.tryPromise({
  try: async () => {
    await loadRedis()
    return import("./nodeRedis.ts")
  },
  catch: (cause) => cause,
}).pipe(Effect.catch((cause) => (cause instanceof PackageMissing ? Effect.fail(cause) : Effect.die(cause))))

const layerAdmission = Layer.effect(
  Admission,
  Effect.gen(function* () {
    const redis = yield* Redis.Redis
    const keyOf = yield* rememberKeys
    const database = yield* Database
    const count = redis.eval(admitScript)
    const countIdentity = redis.eval(admitIdentityScript)
    const take = redis.eval(takeScript)
    const uncount = redis.eval(refundScript)
    const uncountMonth = redis.eval(refundMonthScript)
    return yield* Admission.make(
      {
        decide: Effect.fnUntraced(function* (hash: Uint8Array) {
          const key = yield* keyOf(hash)
          return typeof key === "string" ? { outcome: key } : decide(key, yield* reachable(count(key)))
        }),
        decideIdentity: Effect.fnUntraced(function* (hash: Uint8Array, perMinute: number) {
          const key = yield* keyOf(hash)
          return typeof key === "string"
            ? { outcome: key }
            : decide(key, yield* reachable(countIdentity(key, perMinute)))
        }),
        takeExport: Effect.fnUntraced(function* (org: string) {
          const [plan] = yield* database.scoped<{ exports_per_month: number | null }>(
            org,
            database.sql`select p.exports_per_month from organizations o join plans p on p.name = o.plan
              where o.id = scope.org`,
          )
          const limit = plan === undefined ? 0 : (plan.exports_per_month ?? NO_LIMIT)
          const [taken, resetAt, retryAfterMs] = yield* reachable(take(org, limit))
          return { taken: taken === 1, limit, resetAt, retryAfterMs }
        }),
        refund: (org, ms) => Effect.asVoid(reachable(uncount(org, ms))),
        refundMonth: (org, key) => Effect.asVoid(reachable(uncountMonth(org, key))),
      },
      MAX_STALENESS_MS - KEY_MS,
    )
  }),
)

const layerUsage = Layer.effect(
  Usage,
  Effect.gen(function* () {
    const redis = yield* Redis.Redis
    const read = yield* readDatabase
    const count = redis.eval(usageScript)
    return Usage.of({
      read: Effect.fn("Usage.read")(function* (org: string) {
        const { organization, keys } = yield* read(org)
        const [windowEnd = 0, monthEnd = 0, minute_used = 0, month_used = 0, exports_used = 0, ...spent] =
          yield* reachable(
            count(
              org,
              keys.map((key) => key.id),
            ),
          )
        return {
          organization: {
            ...organization,
            minute_used,
            month_used,
            exports_used,
            window_reset_at: new Date(windowEnd).toISOString(),
            month_reset_at: new Date(monthEnd).toISOString(),
          },
          keys: keys
            .map((key, index) => ({
              ...key,
              minute_used: spent[index * 2] ?? 0,
              month_used: spent[index * 2 + 1] ?? 0,
            }))
            .filter(isReported),
        }
      }),
    })
  }).pipe(inOrganization),
)

const hashOf = (org: string) => `sightline:limits:{${org}}`

const admitScript = Redis.script(
  (key: KeyRow) => [
    hashOf(key.org_id),
    key.key_id,
    key.requests_per_key_minute,
    key.requests_per_minute,
    key.requests_per_month,
  ],
  { lua: ADMIT, numberOfKeys: 1 },
).withReturnType<readonly [LimitScope | "", number, number, number, number]>()

const admitIdentityScript = Redis.script(
  (key: KeyRow, perMinute: number) => [
    hashOf(key.org_id),
    key.key_id,
    perMinute,
    identitiesTogether(key.requests_per_minute),
  ],
  { lua: ADMIT_IDENTITY, numberOfKeys: 1 },
).withReturnType<readonly [LimitScope | "", number, number, number, number]>()

const takeScript = Redis.script((org: string, limit: number) => [hashOf(org), limit], {
  lua: TAKE_EXPORT,
  numberOfKeys: 1,
}).withReturnType<readonly [number, number, number]>()

const refundScript = Redis.script((org: string, ms: number) => [hashOf(org), ms], {
  lua: REFUND,
  numberOfKeys: 1,
}).withReturnType<number>()

const refundMonthScript = Redis.script((org: string, key: string) => [hashOf(org), key], {
  lua: REFUND_MONTH,
  numberOfKeys: 1,
}).withReturnType<number>()

const usageScript = Redis.script((org: string, keys: ReadonlyArray<string>) => [hashOf(org), ...keys], {
  lua: USAGE,
  numberOfKeys: 1,
}).withReturnType<ReadonlyArray<number>>()

interface KeyRow {
  readonly org_id: string
  readonly key_id: string
  readonly role: Role
  readonly permissions: ReadonlyArray<string> | null
  readonly requests_per_key_minute: number
  readonly requests_per_minute: number
  readonly requests_per_month: number
  /** When the key or its grace expires; null: never. */
  readonly lives_ms: number | null
}

const MINUTE_MS = 60_000

/** Live keys by hash, or the refusal. Cached for at most `KEY_MS` from the moment of the request. */
const rememberKeys = Effect.gen(function* () {
  const database = yield* Database
  const clock = yield* Effect.clockWith(Effect.succeed)
  const scope = yield* Effect.scope
  /** When to record each key's use next. */
  const touched = new BoundedCache<string, number>(10_000)
  const known = new BoundedCache<string, { readonly key: KeyRow; readonly until: number }>(10_000)
  const monotonicMs = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  return Effect.fnUntraced(function* (hash: Uint8Array) {
    const name = String.fromCharCode(...hash)
    const asked = monotonicMs()
    const remembered = known.get(name)
    if (remembered !== undefined && asked < remembered.until) return remembered.key
    known.delete(name)
    const [key] = yield* database.unscoped<KeyRow>(database.sql`select * from key_of(${hash})`)
    if (key === undefined) {
      const [row] = yield* database.unscoped<{ refusal: "unknown" | "expired" }>(
        database.sql`select refusal_of(${hash}) as refusal`,
      )
      return row?.refusal ?? "unknown"
    }
    known.set(name, { key, until: asked + Math.min(KEY_MS, key.lives_ms ?? KEY_MS) })
    if (asked >= (touched.get(name) ?? 0)) {
      touched.set(name, asked + MINUTE_MS)
      const touch = database.unscoped(database.sql`select touch_key(${key.org_id}, ${key.key_id})::text`)
      yield* Effect.forkIn(Effect.ignore(touch), scope)
    }
    return key
  })
})

const decide = (
  key: KeyRow,
  [scope, limit, remaining, resetAt, retryAfterMs]: readonly [LimitScope | "", number, number, number, number],
): Decision => {
  const caller: Caller = {
    organizationId: key.org_id,
    keyId: key.key_id,
    role: key.role,
    permissions: key.permissions,
  }
  const window = windowOf(limit, remaining, resetAt)
  return scope === ""
    ? { outcome: "admitted", caller, window }
    : { outcome: "limited", caller, window, scope, retryAfterMs }
}

const unreachable = () =>
  new DatabaseUnavailable({ message: "the store of rate limits is unreachable; try again shortly" })

/** Refuses a request after two seconds without a reply: Redis may have counted it, but it is not admitted. */
const reachable = <A>(command: Effect.Effect<A, Redis.RedisError>): Effect.Effect<A, DatabaseUnavailable> =>
  command.pipe(
    Effect.tapError(({ cause }) =>
      cause instanceof ErrorReply ? Effect.logError("Redis refused to count", cause) : Effect.void,
    ),
    orElseAfter(2_000, () => Effect.fail(unreachable())),
    Effect.catchTag("RedisError", () => Effect.fail(unreachable())),
  )

/**
 * Fails immediately while the connection is down, and reconnects forever. A connection is dead after five seconds
 * of silence, although it is pinged every two.
 */
const layerClient = ({ layer }: Client, url: Redacted.Redacted) =>
  Layer.suspend(() => {
    let connected = false
    return layer({
      url: Redacted.value(url),
      disableOfflineQueue: true,
      pingInterval: 2_000,
      socket: {
        connectTimeout: 2_000,
        socketTimeout: 5_000,
        reconnectStrategy: (retries, cause) =>
          connected ? Math.min(50 * 2 ** retries, 1_000) : retries < 3 ? 200 : cause,
      },
    }).pipe(
      Layer.tap(() => Effect.sync(() => (connected = true))),
      Layer.catch(() => Layer.effectContext(Effect.fail(unreachable()))),
    )
  })
