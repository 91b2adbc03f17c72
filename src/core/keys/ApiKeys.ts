import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Fragment } from "effect/sql/Statement"
import { recordAct } from "../audit/recordAct.ts"
import { type BadRequest, type Forbidden, NotFound } from "../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import { readBounds, assertLimitWithin, assertExpiryWithin, type Bounds, inheritedLimit } from "../access/lineage.ts"
import type { Permission, Role } from "../access/permissions.ts"
import { utc } from "../storage/sql.ts"
import { makeId } from "../common/ids.ts"
import { display, type Environment, hash, makeSecret } from "../access/secret.ts"
import { assertUsable, decodeNewKey, decodeRotation } from "./newKey.ts"

/** A key without its secret. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly role: Role
  readonly permissions: ReadonlyArray<string> | null
  readonly display: string
  readonly requests_per_minute: number | null
  readonly created_at: string
  /** The key that created it; null: the operator. */
  readonly created_by: string | null
  /** Rounded down to the minute. */
  readonly last_used_at: string | null
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

/** `key` is the secret; no later reply contains it. */
export interface CreatedKey extends ApiKey {
  readonly key: string
}

export interface NewKey {
  /** 1 to 200 characters. */
  readonly name: string
  readonly role: Role
  readonly environment?: Environment | undefined
  /** A subset of the role's permissions; undefined: all of them. */
  readonly permissions?: ReadonlyArray<Permission> | undefined
  /** The key's own limit, 1 to 100,000; undefined: a third of the plan's, at least 5. */
  readonly requestsPerMinute?: number | undefined
  /** A date-time of ISO 8601 in the future, such as `2027-01-31T00:00:00Z`; undefined: never. */
  readonly expiresAt?: string | undefined
}

export interface RevokeOptions {
  /** Also revokes the keys that it created, and those that they created, and disables the webhooks of all. */
  readonly descendants?: boolean | undefined
}

/** Manages the keys of an organization. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /**
     * In a request, the new key expires no later and has no higher limit than the key that creates it. Fails with BadRequest for what
     * `POST /keys` refuses.
     */
    readonly create: (
      org: string,
      key: NewKey,
    ) => Effect.Effect<CreatedKey, BadRequest | Forbidden | NotFound | DatabaseUnavailable>
    readonly find: (org: string, id: string) => Effect.Effect<ApiKey, NotFound | DatabaseUnavailable>
    readonly list: (org: string) => Effect.Effect<ReadonlyArray<ApiKey>, NotFound | DatabaseUnavailable>
    /** Replaces the secret; the old one works for another `graceSeconds`, 0 to 2,592,000. The bounds of `create` apply. */
    readonly rotate: (
      org: string,
      id: string,
      graceSeconds: number,
    ) => Effect.Effect<CreatedKey, BadRequest | Forbidden | NotFound | DatabaseUnavailable>
    /** Ends a key: in force everywhere within 5 s. */
    readonly revoke: (
      org: string,
      id: string,
      options?: RevokeOptions,
    ) => Effect.Effect<ApiKey, NotFound | DatabaseUnavailable>
    /**
     * Ends everything that an identity of the embedding host left behind: its links, its keys with their lineage, and their
     * webhooks. The host decides whether the identity may call again.
     */
    readonly revokeIdentity: (org: string, identity: string) => Effect.Effect<void, NotFound | DatabaseUnavailable>
  }
>()("sightline/keys/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const publicColumns = sql.literal(`id, name, role, permissions, display, requests_per_minute, created_by,
        ${["created_at", "expires_at", "revoked_at"].map((at) => `${utc(at)} as ${at}`).join(", ")},
        (select ${utc("to_timestamp(u.minute * 60.0)")} from api_key_usage u
          where u.org_id = api_keys.org_id and u.key_id = api_keys.id and u.minute > 0) as last_used_at`)

      const requireKey = Effect.fnUntraced(function* (org: string, statement: Fragment) {
        const [key] = yield* database.transaction(org, sql<ApiKey>`${statement}`)
        return key ?? (yield* noLiveKey)
      })

      const revoke: ApiKeys["Service"]["revoke"] = (org, id, { descendants = false } = {}) =>
        database.transaction(
          org,
          Effect.gen(function* () {
            const [found] = yield* sql`select from api_keys where org_id = ${org} and id = ${id}
                and (revoked_at is null or ${descendants}::boolean)`
            if (found === undefined) return yield* noLiveKey
            const line = yield* sql<{ id: string; live: boolean }>`
                with recursive line as (
                  select id, revoked_at is null as live from api_keys where org_id = ${org} and id = ${id}
                  union
                  select k.id, k.revoked_at is null from line join api_keys k on k.org_id = ${org} and k.created_by = line.id
                  where ${descendants}::boolean
                ) select id, live from line`
            const live = line.filter((key) => key.live).map((key) => key.id)
            yield* sql`update api_keys set revoked_at = now() where org_id = ${org} and id = any(${live}::text[])`
            yield* sql`delete from conversations where org_id = ${org} and key_id = any(${live}::text[])`
            if (descendants) {
              yield* sql`update webhooks set status = 'disabled', updated_at = now(),
                    notice = 'the key that made it was revoked with its descendants; enable it to send again'
                  where org_id = ${org} and created_by = any(${line.map((key) => key.id)}::text[])`
            }
            for (const key of live) {
              yield* recordAct(sql, org, "key.revoked", key, key === id ? null : { descendant_of: id })
            }
            const [key] = yield* sql<ApiKey>`select ${publicColumns} from api_keys where org_id = ${org} and id = ${id}`
            return key ?? (yield* noLiveKey)
          }),
        )

      return ApiKeys.of({
        revoke,
        revokeIdentity: Effect.fnUntraced(function* (org: string, identity: string) {
          const [row] = yield* database.scoped<{ id: string }>(
            org,
            sql`select id from api_keys where org_id = scope.org and identity = ${identity} and revoked_at is null`,
          )
          if (row === undefined) return yield* new NotFound({ message: "no identity of this organization has this id" })
          yield* revoke(org, row.id, { descendants: true })
        }),
        create: Effect.fn("ApiKeys.create")(function* (org: string, given: NewKey) {
          const key = yield* decodeNewKey(given)
          yield* assertUsable(key, { expiresAt: key.expiresAt })
          const secret = yield* makeSecret(key.environment ?? "live")
          const [id, digest] = [yield* makeId("key"), yield* hash(secret)]
          const row = (bounds: Bounds | undefined) => ({
            org_id: org,
            id,
            name: key.name,
            role: key.role,
            permissions: key.permissions === undefined ? null : [...key.permissions],
            display: display(secret),
            hash: digest,
            created_by: bounds?.id ?? null,
            requests_per_minute: key.requestsPerMinute ?? inheritedLimit(bounds),
            expires_at: key.expiresAt ?? bounds?.expires_at ?? null,
          })
          const created = yield* database.transaction(
            org,
            Effect.gen(function* () {
              const bounds = yield* readBounds(sql, org)
              const bound = row(bounds)
              yield* assertExpiryWithin(bounds, bound.expires_at, "make a key")
              yield* assertLimitWithin(bounds, bound.requests_per_minute ?? 0, "make a key")
              const [made] = yield* sql<ApiKey>`insert into api_keys ${sql.insert(bound)} returning ${publicColumns}`
              yield* sql`insert into api_key_usage ${sql.insert({ org_id: org, key_id: id })}`
              yield* recordAct(sql, org, "key.created", id)
              return made
            }),
          )
          if (created === undefined) return yield* Effect.die("the key was not stored")
          return { ...created, key: secret }
        }),
        find: (org, id) =>
          requireKey(
            org,
            sql`select ${publicColumns} from api_keys where org_id = ${org} and id = ${id} and identity is null`,
          ),
        list: (org) =>
          database.scoped<ApiKey>(
            org,
            sql`select ${publicColumns} from api_keys where org_id = scope.org and identity is null
              order by api_keys.created_at, id collate "C"`,
          ),
        rotate: Effect.fn("ApiKeys.rotate")(function* (org: string, id: string, graceSeconds: number) {
          yield* decodeRotation({ graceSeconds })
          const live = sql`org_id = ${org} and id = ${id} and identity is null and revoked_at is null`
          const { display: old } = yield* requireKey(org, sql`select ${publicColumns} from api_keys where ${live}`)
          const secret = yield* makeSecret(old.startsWith("sl_test_") ? "test" : "live")
          const digest = yield* hash(secret)
          const rotated = yield* database.transaction(
            org,
            Effect.gen(function* () {
              const [limits] = yield* sql<{ expires_at: string | null; per_minute: number | null }>`
                select ${sql.literal(utc("expires_at"))} as expires_at,
                  coalesce(api_keys.requests_per_minute, p.requests_per_key_minute) as per_minute
                from api_keys, organizations o join plans p on p.name = o.plan
                where o.id = ${org} and org_id = ${org} and api_keys.id = ${id} and revoked_at is null for update of api_keys`
              if (limits === undefined) return yield* noLiveKey
              const bounds = yield* readBounds(sql, org)
              if (bounds?.id !== id) {
                yield* assertExpiryWithin(bounds, limits.expires_at, "rotate a key")
                yield* assertLimitWithin(bounds, limits.per_minute, "rotate a key")
              }
              const [key] = yield* sql<ApiKey>`
                update api_keys set previous_hash = case when ${graceSeconds}::int > 0 then hash end,
                  previous_expires_at = now() + ${graceSeconds}::int * interval '1 second',
                  hash = ${digest}, display = ${display(secret)}
                where ${live} returning ${publicColumns}`
              if (key === undefined) return yield* noLiveKey
              yield* recordAct(sql, org, "key.rotated", id)
              return key
            }),
          )
          return { ...rotated, key: secret }
        }),
      })
    }).pipe(inOrganization),
  )
}

const noLiveKey = new NotFound({ message: "no live key has this id" })
