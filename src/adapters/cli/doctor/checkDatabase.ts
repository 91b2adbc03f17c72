import type * as PgClient from "@effect/sql-pg/PgClient"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { type Installation, installationOf } from "../../../core/storage/session.ts"
import type { DatabaseChoice } from "../../configuration/choices.ts"
import type { Configuration } from "../../configuration/configuration.ts"
import { type Check, ok, problem } from "./checks.ts"

/** Checks that the database is reachable, has a supported version, and a role subject to row-level security. */
export const checkDatabase = ({ database }: Configuration): Effect.Effect<Check> => {
  if (database.kind === "postgres") return checkPostgres(database)
  if (database.kind === "memory") return Effect.succeed(ok("database", "embedded, in memory: it ends with the process"))
  return checkEmbedded(database.directory)
}

const checkEmbedded = Effect.fnUntraced(function* (directory: string) {
  const [{ isThere }, { readSchemaNumber }] = yield* Effect.promise(() =>
    Promise.all([import("../../database/engine.ts"), import("../../database/pglite.ts")]),
  )
  if (!isThere(directory)) return ok("database", `embedded; ${directory} has no database yet: serve creates it`)
  return yield* Effect.match(readSchemaNumber(directory), {
    onSuccess: (last) => ok("database", `embedded, in ${directory}; it opens, schema at ${last}`),
    onFailure: ({ _tag, message }) =>
      _tag === "DirectoryLocked"
        ? ok("database", `embedded; not checked, because ${message.split(";")[0]}`)
        : problem("database", message, "restore the directory from a copy, or set SIGHTLINE_DATA_DIR to a new one"),
  })
})

interface Facts {
  readonly version: number
  readonly version_name: string
  readonly user: string
  readonly may_create: boolean
  readonly role_exists: boolean
  readonly role_bypasses: boolean
  readonly may_become: boolean
  readonly extensions: string | null
}

const facts = Effect.fnUntraced(function* ({ role, schema }: Installation) {
  const sql = yield* SqlClient
  const [row] = yield* sql<Facts>`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as version_name,
      current_user::text as user,
      (select rolsuper or rolcreaterole from pg_roles where rolname = current_user)
        and has_database_privilege(current_database(), 'CREATE') as may_create,
      app.rolname is not null as role_exists,
      coalesce(app.rolsuper or app.rolbypassrls, false) as role_bypasses,
      app.rolname is not null and pg_has_role(current_user, app.oid, 'MEMBER') as may_become,
      (select string_agg(concat_ws(' ', case extname when 'vector' then 'pgvector' else extname end, extversion), ' and ' order by extname desc)
        from pg_extension where extname in ('vector', 'pg_textsearch')) as extensions
    from (select 1) one left join pg_roles app on app.rolname = ${role}`
  const [found] = yield* sql<{ readonly there: boolean }>`
    select to_regclass(${`${schema}.migrations`}) is not null as there`
  const [done] = found?.there
    ? yield* sql<{ readonly last: number | null }>`select max(migration_id) as last from ${sql(schema)}.migrations`
    : []
  return { ...row!, schemaNumber: done?.last ?? undefined }
})

/** A setting of sessions that a transaction pooler refuses or ignores. */
const PROBE = "plan_cache_mode"

const isPooler = Effect.fnUntraced(function* (connection: Parameters<typeof PgClient.layer>[0]) {
  const { layer } = yield* Effect.promise(() => import("@effect/sql-pg/PgClient"))
  const value = "force_custom_plan"
  const shown = Effect.flatMap(
    SqlClient,
    (sql) => sql<{ kept: boolean }>`select current_setting(${PROBE}) = ${value} as kept`,
  )
  const exit = yield* Effect.exit(
    Effect.provide(shown, layer({ ...connection, startupParameters: { [PROBE]: value } })),
  )
  return Exit.isSuccess(exit) ? exit.value[0]?.kept === false : Cause.pretty(exit.cause).includes("startup parameter")
})

const checkPostgres = Effect.fnUntraced(function* (chosen: Extract<DatabaseChoice, { kind: "postgres" }>) {
  const { layer } = yield* Effect.promise(() => import("@effect/sql-pg/PgClient"))
  const { host } = new URL(Redacted.value(chosen.url))
  const connection = { url: chosen.url, maxConnections: 1, connectTimeout: "5 seconds", prepare: false } as const
  const installation = installationOf(chosen)
  return yield* Effect.matchEffect(Effect.provide(facts(installation), layer(connection)), {
    onSuccess: (found) =>
      Effect.map(isPooler(connection), (pooler) => judge(host, installation, { ...found, pooler }, chosen.pooled)),
    onFailure: ({ reason }) =>
      Effect.succeed(
        problem(
          "database",
          `PostgreSQL at ${host} is unreachable: ${reason.cause instanceof Error ? reason.cause.message : reason._tag}`,
          "start it, correct SIGHTLINE_DATABASE_URL, or unset it to use the embedded database",
        ),
      ),
  })
})

const judge = (
  host: string,
  { role }: Installation,
  found: Facts & { readonly schemaNumber: number | undefined; readonly pooler: boolean },
  pooled: boolean | undefined,
): Check => {
  const extensions = found.extensions === null ? "" : ` with ${found.extensions}`
  const what = `PostgreSQL ${found.version_name.split(" ")[0]}${extensions} at ${host}${found.pooler ? ", behind a transaction pooler" : ""}`
  if (found.version < 150_000) return problem("database", what, "use PostgreSQL 15 or later")
  if (found.pooler && pooled !== true) return problem("database", what, "set SIGHTLINE_DATABASE_POOLED=true")
  if (found.role_bypasses) {
    return problem(
      "database",
      `${what}: the role ${role} bypasses row-level security`,
      `alter role ${role} nosuperuser nobypassrls`,
    )
  }
  if (found.role_exists && !found.may_become) {
    return problem("database", `${what}: '${found.user}' cannot act as ${role}`, `grant ${role} to "${found.user}"`)
  }
  if (found.schemaNumber !== undefined) return ok("database", `${what}, schema at ${found.schemaNumber}`)
  return found.may_create || found.role_exists
    ? ok("database", `${what}, no schema yet: serve and migrate create it`)
    : problem(
        "database",
        `${what}: '${found.user}' cannot create the schema and the role ${role}`,
        `connect as a user with CREATEROLE and CREATE on the database, or create role ${role} nologin first`,
      )
}
