import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { APPLICATION_ROLE } from "../../../core/storage/session.ts"
import type { Configuration } from "../../configuration/configuration.ts"
import { type Check, ok, problem } from "./checks.ts"

/** Checks that the database is reachable, has a supported version, and a role subject to row-level security. */
export const checkDatabase = ({ database }: Configuration): Effect.Effect<Check> => {
  if (database.kind === "postgres") return checkPostgres(database.url)
  if (database.kind === "memory") return Effect.succeed(ok("database", "embedded, in memory: it ends with the process"))
  return checkEmbedded(database.directory)
}

const checkEmbedded = Effect.fnUntraced(function* (directory: string) {
  const [{ isThere }, { countMigrations }] = yield* Effect.promise(() =>
    Promise.all([import("../../database/engine.ts"), import("../../database/pglite.ts")]),
  )
  if (!isThere(directory)) return ok("database", `embedded; ${directory} has no database yet: serve creates it`)
  return yield* Effect.match(countMigrations(directory), {
    onSuccess: (count) => ok("database", `embedded, in ${directory}; it opens, schema at ${count}`),
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

const facts = Effect.gen(function* () {
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
    from (select 1) one left join pg_roles app on app.rolname = ${APPLICATION_ROLE}`
  const [schema] = yield* sql<{ readonly there: boolean }>`
    select to_regclass('sightline.migrations') is not null as there`
  const [done] = schema?.there
    ? yield* sql<{ readonly count: number }>`select count(*)::int as count from sightline.migrations`
    : []
  return { ...row!, migrations: done?.count }
})

const checkPostgres = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const { layer } = yield* Effect.promise(() => import("@effect/sql-pg/PgClient"))
  const { host } = new URL(Redacted.value(url))
  const connected = layer({ url, maxConnections: 1, connectTimeout: "5 seconds" })
  return yield* Effect.match(Effect.provide(facts, connected), {
    onSuccess: (found) => judge(host, found),
    onFailure: ({ reason }) =>
      problem(
        "database",
        `PostgreSQL at ${host} is unreachable: ${reason.cause instanceof Error ? reason.cause.message : reason._tag}`,
        "start it, correct SIGHTLINE_DATABASE_URL, or unset it to use the embedded database",
      ),
  })
})

const judge = (host: string, found: Facts & { readonly migrations: number | undefined }): Check => {
  const extensions = found.extensions === null ? "" : ` with ${found.extensions}`
  const what = `PostgreSQL ${found.version_name.split(" ")[0]}${extensions} at ${host}`
  if (found.version < 150_000) return problem("database", what, "use PostgreSQL 15 or later")
  if (found.role_bypasses) {
    return problem(
      "database",
      `${what}: the role ${APPLICATION_ROLE} bypasses row-level security`,
      `alter role ${APPLICATION_ROLE} nosuperuser nobypassrls`,
    )
  }
  if (found.role_exists && !found.may_become) {
    return problem(
      "database",
      `${what}: '${found.user}' cannot act as ${APPLICATION_ROLE}`,
      `grant ${APPLICATION_ROLE} to "${found.user}"`,
    )
  }
  if (found.migrations !== undefined) return ok("database", `${what}, schema at ${found.migrations}`)
  return found.may_create || found.role_exists
    ? ok("database", `${what}, no schema yet: serve and migrate create it`)
    : problem(
        "database",
        `${what}: '${found.user}' cannot create the schema and the role ${APPLICATION_ROLE}`,
        `connect as a user with CREATEROLE and CREATE on the database, or create role ${APPLICATION_ROLE} nologin first`,
      )
}
