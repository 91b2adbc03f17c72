import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Fragment } from "effect/sql/Statement"
import type { AuditAction } from "../audit/actions.ts"
import { recordAct } from "../audit/recordAct.ts"
import { NotFound } from "../http/errors.ts"
import { Database, type DatabaseUnavailable } from "../storage/Database.ts"
import type { Role } from "./permissions.ts"
import { utc } from "../storage/sql.ts"
import { display, type Environment, hash, makeId, makeSecret } from "./secret.ts"

/** A key as it is shown: never its secret. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly role: Role
  readonly permissions: ReadonlyArray<string> | null
  readonly display: string
  readonly requests_per_minute: number | null
  readonly created_at: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

/** `key` is the secret, shown this once. */
export interface CreatedKey extends ApiKey {
  readonly key: string
}

export interface NewKey {
  readonly name: string
  readonly role: Role
  readonly environment?: Environment | undefined
  /** Narrower than the role's; undefined: all of them. */
  readonly permissions?: ReadonlyArray<string> | undefined
  /** The key's own limit; undefined: a third of the plan's, at least 5. */
  readonly requestsPerMinute?: number | undefined
  /** ISO 8601. */
  readonly expiresAt?: string | undefined
}

/** The keys of an organization. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    readonly create: (org: string, key: NewKey) => Effect.Effect<CreatedKey, DatabaseUnavailable>
    readonly find: (org: string, id: string) => Effect.Effect<ApiKey, NotFound | DatabaseUnavailable>
    readonly list: (org: string) => Effect.Effect<ReadonlyArray<ApiKey>, DatabaseUnavailable>
    /** A new secret; the old one works for `graceSeconds` more. */
    readonly rotate: (
      org: string,
      id: string,
      graceSeconds: number,
    ) => Effect.Effect<CreatedKey, NotFound | DatabaseUnavailable>
    readonly revoke: (org: string, id: string) => Effect.Effect<ApiKey, NotFound | DatabaseUnavailable>
  }
>()("sightline/access/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const shown = sql.literal(`id, name, role, permissions, display, requests_per_minute,
        ${["created_at", "expires_at", "revoked_at"].map((at) => `${utc(at)} as ${at}`).join(", ")}`)

      const one = (org: string, statement: Fragment, action?: AuditAction) =>
        database.transaction(
          org,
          Effect.gen(function* () {
            const [key] = yield* sql<ApiKey>`${statement}`
            if (key === undefined) return yield* new NotFound({ message: "no live key has this id" })
            if (action !== undefined) yield* recordAct(sql, org, action, key.id)
            return key
          }),
        )

      return ApiKeys.of({
        create: Effect.fn("ApiKeys.create")(function* (org: string, key: NewKey) {
          const secret = yield* makeSecret(key.environment ?? "live")
          const row = {
            org_id: org,
            id: yield* makeId("key"),
            name: key.name,
            role: key.role,
            permissions: key.permissions === undefined ? null : [...key.permissions],
            display: display(secret),
            hash: yield* hash(secret),
            requests_per_minute: key.requestsPerMinute ?? null,
            expires_at: key.expiresAt ?? null,
          }
          const created = yield* database.transaction(
            org,
            Effect.gen(function* () {
              const [made] = yield* sql<ApiKey>`insert into api_keys ${sql.insert(row)} returning ${shown}`
              yield* sql`insert into api_key_usage ${sql.insert({ org_id: org, key_id: row.id })}`
              yield* recordAct(sql, org, "key.created", row.id)
              return made
            }),
          )
          if (created === undefined) return yield* Effect.die("the key was not stored")
          return { ...created, key: secret }
        }),
        find: (org, id) => one(org, sql`select ${shown} from api_keys where org_id = ${org} and id = ${id}`),
        list: (org) =>
          database.scoped<ApiKey>(
            org,
            sql`select ${shown} from api_keys where org_id = scope.org order by api_keys.created_at, id collate "C"`,
          ),
        rotate: Effect.fn("ApiKeys.rotate")(function* (org: string, id: string, graceSeconds: number) {
          const { display: old } = yield* one(
            org,
            sql`select ${shown} from api_keys where org_id = ${org} and id = ${id} and revoked_at is null`,
          )
          const secret = yield* makeSecret(old.startsWith("sl_test_") ? "test" : "live")
          const rotated = yield* one(
            org,
            sql`update api_keys set previous_hash = case when ${graceSeconds}::int > 0 then hash end,
                previous_expires_at = now() + ${graceSeconds}::int * interval '1 second',
                hash = ${yield* hash(secret)}, display = ${display(secret)}
              where org_id = ${org} and id = ${id} and revoked_at is null returning ${shown}`,
            "key.rotated",
          )
          return { ...rotated, key: secret }
        }),
        revoke: (org, id) =>
          one(
            org,
            sql`update api_keys set revoked_at = now() where org_id = ${org} and id = ${id} and revoked_at is null
              returning ${shown}`,
            "key.revoked",
          ),
      })
    }),
  )
}
