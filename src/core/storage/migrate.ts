import * as Effect from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { FORCE_ROW_SECURITY, LACKS_ROW_SECURITY } from "./rowSecurity.ts"
import { APPLICATION_ROLE, SESSION_SETTINGS } from "./session.ts"

/** Changes with the texts of the functions: a start that finds another one in the database makes them anew. A test computes it. */
export const FUNCTIONS_FINGERPRINT = "ebc39a06b5ef3d71"

/** A migration is loaded where it is to be run, which is seldom. */
const later = (load: () => Promise<{ readonly default: Effect.Effect<void, SqlError, SqlClient> }>) =>
  Effect.flatMap(Effect.promise(load), (migration) => migration.default)

const MIGRATIONS = {
  "0001_access": later(() => import("./migrations/0001_access.ts")),
  "0002_workspace": later(() => import("./migrations/0002_workspace.ts")),
  "0003_deals": later(() => import("./migrations/0003_deals.ts")),
  "0004_import": later(() => import("./migrations/0004_import.ts")),
  "0005_blobs": later(() => import("./migrations/0005_blobs.ts")),
  "0006_jobs": later(() => import("./migrations/0006_jobs.ts")),
  "0007_library": later(() => import("./migrations/0007_library.ts")),
  "0008_search": later(() => import("./migrations/0008_search.ts")),
  "0009_answers": later(() => import("./migrations/0009_answers.ts")),
  "0010_exports": later(() => import("./migrations/0010_exports.ts")),
  "0011_changes": later(() => import("./migrations/0011_changes.ts")),
  "0012_webhooks": later(() => import("./migrations/0012_webhooks.ts")),
  "0013_embeddings": later(() => import("./migrations/0013_embeddings.ts")),
  "0014_upkeep": later(() => import("./migrations/0014_upkeep.ts")),
  "0015_search_indexes": later(() => import("./migrations/0015_search_indexes.ts")),
  "0016_deals": later(() => import("./migrations/0016_deals.ts")),
  "0017_catalogue": later(() => import("./migrations/0017_catalogue.ts")),
  "0018_audit": later(() => import("./migrations/0018_audit.ts")),
  "0019_links": later(() => import("./migrations/0019_links.ts")),
  "0020_operator": later(() => import("./migrations/0020_operator.ts")),
  "0021_document_warnings": later(() => import("./migrations/0021_document_warnings.ts")),
  "0022_lower_case": later(() => import("./migrations/0022_lower_case.ts")),
  "0023_feed": later(() => import("./migrations/0023_feed.ts")),
  "0024_writers": later(() => import("./migrations/0024_writers.ts")),
}

const LATEST = Math.max(...Object.keys(MIGRATIONS).map((name) => Number.parseInt(name)))

const migrations = Migrator.make({})({ loader: Migrator.fromRecord(MIGRATIONS), table: "migrations" })

/**
 * Whether nothing is left to `migrate`, asked in one statement, which the role that serves may ask: so starts every
 * instance but the first of a version.
 */
export const isMigrated = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ last: number | null; lacks: boolean; functions: string | null }>`
    select max(migration_id) as last, ${sql.literal(LACKS_ROW_SECURITY)} as lacks,
      obj_description('sightline'::regnamespace, 'pg_namespace') as functions
    from sightline.migrations`
  return (row?.last ?? 0) >= LATEST && row?.lacks === false && row.functions === FUNCTIONS_FINGERPRINT
}).pipe(
  // No role, no schema, no such function: a refusal says that there is something to do. A database out of reach says nothing.
  Effect.catchIf(
    ({ reason }) => reason._tag !== "ConnectionError",
    () => Effect.succeed(false),
  ),
)

/**
 * Brings the schema up to date as the tables' owner. The advisory lock lets any number of instances start at once: one
 * works, the others wait and find nothing to do.
 */
export const migrate = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`select pg_advisory_xact_lock(hashtext('sightline.migrate'))`
      yield* sql.unsafe(CREATE_ROLE)
      yield* sql`create schema if not exists sightline`
      yield* sql.unsafe(`set local search_path = ${SESSION_SETTINGS.search_path}`)
      const done = yield* migrations
      yield* recreateFunctions(sql)
      yield* sql.unsafe(FORCE_ROW_SECURITY)
      yield* sql.unsafe(`grant usage on schema sightline to ${APPLICATION_ROLE}`)
      yield* sql.unsafe(`grant select on migrations to ${APPLICATION_ROLE}`)
      return done
    }),
  )
})

const recreateFunctions = Effect.fnUntraced(function* (sql: SqlClient) {
  const { FUNCTIONS } = yield* Effect.promise(() => import("./functions/all.ts"))
  const { recreate } = yield* Effect.promise(() => import("./functions/define.ts"))
  // Loads pg_trgm: until then none but a superuser may create a function that sets a parameter of it.
  yield* sql`select similarity('', '')`
  yield* Effect.forEach(FUNCTIONS.flatMap(recreate), (text) => sql.unsafe(text), { discard: true })
  yield* sql.unsafe(`comment on schema sightline is '${FUNCTIONS_FINGERPRINT}'`)
})

const CREATE_ROLE = `do $$ begin
  if not exists (select from pg_roles where rolname = '${APPLICATION_ROLE}') then
    begin
      create role ${APPLICATION_ROLE} nologin;
    exception when duplicate_object or unique_violation then null;
    end;
  end if;
  -- PostgreSQL 15 knows no privilege SET apart from membership.
  if not pg_has_role(current_user, '${APPLICATION_ROLE}',
      case when current_setting('server_version_num')::int < 160000 then 'MEMBER' else 'SET' end) then
    execute format('grant ${APPLICATION_ROLE} to %I', current_user);
  end if;
end $$`
