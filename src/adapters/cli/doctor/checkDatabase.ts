import type * as PgClient from "@effect/sql-pg/PgClient"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { isMigrated, LATEST } from "../../../core/storage/migrate.ts"
import { Installation, makeInstallation } from "../../../core/storage/session.ts"
import { describeFailure } from "../../database/describeFailure.ts"
import { cannotMigrate, cannotServe, readRights, readSchemaNumber, type Refusal } from "../../database/rights.ts"
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

interface Server {
  readonly version: number
  readonly version_name: string
  readonly extensions: string | null
}

const facts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [server] = yield* sql<Server>`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as version_name,
      (select string_agg(concat_ws(' ', case extname when 'vector' then 'pgvector' else extname end, extversion), ' and ' order by extname desc)
        from pg_extension where extname in ('vector', 'pg_textsearch')) as extensions`
  const rights = yield* readRights
  return { ...server!, rights, at: yield* readSchemaNumber }
})

/** The state that a start finds, read as the role that serves. */
const migrated = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { role } = yield* Installation
  return yield* sql.withTransaction(Effect.andThen(sql`set local role ${sql(role)}`, isMigrated))
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
  const connectionTo = (url: Redacted.Redacted) =>
    ({ url, maxConnections: 1, connectTimeout: "5 seconds", prepare: false }) as const
  const connection = connectionTo(chosen.url)
  const installation = makeInstallation(chosen)
  const at = <A, E>(effect: Effect.Effect<A, E, SqlClient>, to: typeof connection) =>
    effect.pipe(Effect.provide(layer(to)), Effect.provideService(Installation, installation))

  const judge = Effect.gen(function* () {
    const found = yield* at(facts, connection)
    const behind = yield* isPooler(connection)
    const extensions = found.extensions === null ? "" : ` with ${found.extensions}`
    const what = `PostgreSQL ${found.version_name.split(" ")[0]}${extensions} at ${host}${behind ? ", behind a transaction pooler" : ""}`
    if (found.version < 150_000) return problem("database", what, "use PostgreSQL 15 or later")
    if (behind && chosen.pooled !== true) return problem("database", what, "set SIGHTLINE_DATABASE_POOLED=true")
    const refuse = (refusal: Refusal) => problem("database", `${what}: ${refusal.what}`, refusal.remedy)
    const unservable = cannotServe(found.rights, installation)
    if (unservable !== undefined) return refuse(unservable)
    if (found.at !== undefined && (yield* at(migrated, connection)))
      return ok("database", `${what}, schema at ${found.at}`)
    const migrator =
      chosen.migrationUrl === undefined ? found.rights : yield* at(readRights, connectionTo(chosen.migrationUrl))
    const unmigratable = cannotMigrate(migrator, installation, found.at)
    if (unmigratable !== undefined) return refuse(unmigratable)
    return ok(
      "database",
      found.at === undefined
        ? `${what}, no schema yet: serve and migrate create it`
        : `${what}, schema at ${found.at}: serve and migrate ${found.at === LATEST ? "complete it" : `bring it to ${LATEST}`}`,
    )
  })
  return yield* Effect.catch(judge, (error) =>
    Effect.succeed(
      error._tag === "CannotMigrate"
        ? problem("database", `PostgreSQL at ${host}: ${error.what}`, error.remedy)
        : failed(host, error),
    ),
  )
})

const failed = (host: string, error: SqlError): Check => {
  const why = describeFailure(error)
  return error.reason._tag === "ConnectionError"
    ? problem(
        "database",
        `PostgreSQL at ${host} is unreachable: ${why}`,
        "start it, correct SIGHTLINE_DATABASE_URL, or unset it to use the embedded database",
      )
    : problem(
        "database",
        `PostgreSQL at ${host} refuses: ${why}`,
        "correct SIGHTLINE_DATABASE_URL or the login's rights",
      )
}
