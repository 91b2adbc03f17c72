import * as Effect from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { hasCitus, placeTables } from "./citus.ts"
import { FORCE_ROW_SECURITY, lacksRowSecurity } from "./rowSecurity.ts"
import { Installation, nameInstallation, sessionSettings } from "./session.ts"

/** A hash of the functions' texts. If the database has another one, a start recreates the functions. A test computes it. */
export const FUNCTIONS_FINGERPRINT = "0a1288fc5e2c60c4"

/** The functions differ by engine, so a database that becomes a Citus coordinator gets others. */
const fingerprint = (isCitus: boolean) => (isCitus ? `${FUNCTIONS_FINGERPRINT} on Citus` : FUNCTIONS_FINGERPRINT)

/** Loads a migration only to run it, which is rare. */
const lazy = (load: () => Promise<{ readonly default: Effect.Effect<void, SqlError, SqlClient> }>) =>
  Effect.flatMap(Effect.promise(load), (migration) => migration.default)

const MIGRATIONS = {
  "0001_access": lazy(() => import("./migrations/0001_access.ts")),
  "0002_workspace": lazy(() => import("./migrations/0002_workspace.ts")),
  "0003_deals": lazy(() => import("./migrations/0003_deals.ts")),
  "0004_import": lazy(() => import("./migrations/0004_import.ts")),
  "0005_blobs": lazy(() => import("./migrations/0005_blobs.ts")),
  "0006_jobs": lazy(() => import("./migrations/0006_jobs.ts")),
  "0007_library": lazy(() => import("./migrations/0007_library.ts")),
  "0008_search": lazy(() => import("./migrations/0008_search.ts")),
  "0009_answers": lazy(() => import("./migrations/0009_answers.ts")),
  "0010_exports": lazy(() => import("./migrations/0010_exports.ts")),
  "0011_changes": lazy(() => import("./migrations/0011_changes.ts")),
  "0012_webhooks": lazy(() => import("./migrations/0012_webhooks.ts")),
  "0013_embeddings": lazy(() => import("./migrations/0013_embeddings.ts")),
  "0014_upkeep": lazy(() => import("./migrations/0014_upkeep.ts")),
  "0015_search_indexes": lazy(() => import("./migrations/0015_search_indexes.ts")),
  "0016_deals": lazy(() => import("./migrations/0016_deals.ts")),
  "0017_catalogue": lazy(() => import("./migrations/0017_catalogue.ts")),
  "0018_audit": lazy(() => import("./migrations/0018_audit.ts")),
  "0019_links": lazy(() => import("./migrations/0019_links.ts")),
  "0020_operator": lazy(() => import("./migrations/0020_operator.ts")),
  "0021_document_warnings": lazy(() => import("./migrations/0021_document_warnings.ts")),
  "0022_lower_case": lazy(() => import("./migrations/0022_lower_case.ts")),
  "0023_feed": lazy(() => import("./migrations/0023_feed.ts")),
  "0024_writers": lazy(() => import("./migrations/0024_writers.ts")),
  "0025_traces": lazy(() => import("./migrations/0025_traces.ts")),
  "0026_fewer_indexes": lazy(() => import("./migrations/0026_fewer_indexes.ts")),
  "0027_extensions": lazy(() => import("./migrations/0027_extensions.ts")),
  "0028_chores": lazy(() => import("./migrations/0028_chores.ts")),
  "0029_identities": lazy(() => import("./migrations/0029_identities.ts")),
  "0030_table_rows": lazy(() => import("./migrations/0030_table_rows.ts")),
  "0031_cited_reports": lazy(() => import("./migrations/0031_cited_reports.ts")),
  "0032_attachments": lazy(() => import("./migrations/0032_attachments.ts")),
  "0033_analysis": lazy(() => import("./migrations/0033_analysis.ts")),
  "0034_sessions": lazy(() => import("./migrations/0034_sessions.ts")),
  "0035_document_versions": lazy(() => import("./migrations/0035_document_versions.ts")),
  "0036_model_analysis": lazy(() => import("./migrations/0036_model_analysis.ts")),
  "0037_views": lazy(() => import("./migrations/0037_views.ts")),
  "0038_analysis_spending": lazy(() => import("./migrations/0038_analysis_spending.ts")),
}

/** The number of the newest migration. */
export const LATEST = Math.max(...Object.keys(MIGRATIONS).map((name) => Number.parseInt(name)))

const migrationsUpTo = (last: number) =>
  Migrator.make({})({
    loader: Migrator.fromRecord(
      Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => Number.parseInt(name) <= last)),
    ),
    table: "migrations",
  })

/**
 * Whether the schema is up to date. One statement, which the serving role may run, so that only the first instance of a
 * version migrates.
 */
export const isMigrated = Effect.gen(function* () {
  const sql = yield* SqlClient
  const named = nameInstallation(yield* Installation)
  const isCitus = yield* hasCitus
  const [row] = yield* sql.unsafe<{ last: number | null; lacks: boolean; functions: string | null }>(
    named(`select max(migration_id) as last, ${lacksRowSecurity(isCitus)} as lacks,
      obj_description('sightline'::regnamespace, 'pg_namespace') as functions
    from sightline.migrations`),
  )
  return (row?.last ?? 0) >= LATEST && row?.lacks === false && row.functions === fingerprint(isCitus)
}).pipe(
  // An error means that a role, schema or function is missing, so there is something to do; except if the database is unreachable.
  Effect.catchIf(
    ({ reason }) => reason._tag !== "ConnectionError",
    () => Effect.succeed(false),
  ),
)

/** Runs the migrations up to `last` in the open transaction, for a backup's rows. `migrate` then completes the schema. */
export const createTables = (last: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const installation = yield* Installation
    const named = nameInstallation(installation)
    const run = (text: string) => sql.unsafe(named(text))
    yield* run(`select pg_advisory_xact_lock(hashtext('sightline.migrate'))`)
    yield* run(CREATE_ROLE)
    yield* run(CREATE_SCHEMA)
    yield* sql.unsafe(`set local search_path = ${sessionSettings(installation).search_path}`)
    return yield* migrationsUpTo(last)
  })

/**
 * Migrates the schema as the tables' owner. Instances can start at the same time: with the advisory lock, one migrates, and
 * the others wait and find nothing to do.
 */
export const migrate = Effect.gen(function* () {
  const sql = yield* SqlClient
  const named = nameInstallation(yield* Installation)
  const run = (text: string) => sql.unsafe(named(text))
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const done = yield* createTables(LATEST)
      yield* recreateFunctions(run)
      yield* run(FORCE_ROW_SECURITY)
      yield* run(`grant usage on schema sightline to sightline_app`)
      yield* run(`grant select on migrations to sightline_app`)
      if (yield* hasCitus) yield* placeTables
      return done
    }),
  )
})

const recreateFunctions = Effect.fnUntraced(function* (run: (text: string) => Effect.Effect<unknown, SqlError>) {
  const { FUNCTIONS, FUNCTIONS_ON_CITUS } = yield* Effect.promise(() => import("./functions/all.ts"))
  const { recreate } = yield* Effect.promise(() => import("./functions/define.ts"))
  // Loads pg_trgm. Before that, only a superuser may create a function that sets one of its parameters.
  yield* run(`select similarity('', '')`)
  const isCitus = yield* hasCitus
  yield* Effect.forEach((isCitus ? FUNCTIONS_ON_CITUS : FUNCTIONS).flatMap(recreate), run, { discard: true })
  yield* run(`comment on schema sightline is '${fingerprint(isCitus)}'`)
})

/** `create schema if not exists` needs the right to create one even if it exists. */
const CREATE_SCHEMA = `do $$ begin
  if to_regnamespace('sightline') is null then
    create schema sightline;
  end if;
end $$`

const CREATE_ROLE = `do $$ begin
  if not exists (select from pg_roles where rolname = 'sightline_app') then
    begin
      create role sightline_app nologin;
    exception when duplicate_object or unique_violation then null;
    end;
  end if;
  -- PostgreSQL 15 knows no privilege SET apart from membership.
  if not pg_has_role(current_user, 'sightline_app',
      case when current_setting('server_version_num')::int < 160000 then 'MEMBER' else 'SET' end) then
    execute format('grant sightline_app to %I', current_user);
  end if;
end $$`
