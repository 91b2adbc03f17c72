import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import * as Schema from "effect/Schema"
import { hasCitus, placeTables } from "./citus.ts"
import { FORCE_ROW_SECURITY, lacksRowSecurity } from "./rowSecurity.ts"
import { entrySpan } from "../telemetry/tracing.ts"
import { Installation, nameInstallation, sessionSettings } from "./session.ts"

/** A hash of the functions' texts. If the database has another one, a start recreates the functions. A test computes it. */
export const FUNCTIONS_FINGERPRINT = "ec0a4eeeeeaad298"

/** The functions differ by engine, so a database that becomes a Citus coordinator gets others. */
const fingerprint = (isCitus: boolean) => (isCitus ? `${FUNCTIONS_FINGERPRINT} on Citus` : FUNCTIONS_FINGERPRINT)

/**
 * The migrations of a new database, loaded only to run. The baseline makes every table; later ones follow it as
 * `migrations/0040_name.ts`. Databases and backups from before the baseline start with `migrations/before39`.
 */
const MIGRATIONS = {
  "0039_baseline.ts": () => import("./migrations/0039_baseline.ts"),
  "0040_plans.ts": () => import("./migrations/0040_plans.ts"),
  "0041_timezone.ts": () => import("./migrations/0041_timezone.ts"),
  "0042_export_files.ts": () => import("./migrations/0042_export_files.ts"),
  "0043_folded.ts": () => import("./migrations/0043_folded.ts"),
  "0044_import_plans.ts": () => import("./migrations/0044_import_plans.ts"),
  "0045_figures.ts": () => import("./migrations/0045_figures.ts"),
  "0046_restarted.ts": () => import("./migrations/0046_restarted.ts"),
  "0047_imports.ts": () => import("./migrations/0047_imports.ts"),
  "0048_replies.ts": () => import("./migrations/0048_replies.ts"),
  "0049_operator_audit.ts": () => import("./migrations/0049_operator_audit.ts"),
  "0050_measures.ts": () => import("./migrations/0050_measures.ts"),
  "0051_questions.ts": () => import("./migrations/0051_questions.ts"),
  "0052_grants.ts": () => import("./migrations/0052_grants.ts"),
  "0053_rubrics.ts": () => import("./migrations/0053_rubrics.ts"),
  "0054_stage_changes_by_time.ts": () => import("./migrations/0054_stage_changes_by_time.ts"),
  "0055_close_date_changes.ts": () => import("./migrations/0055_close_date_changes.ts"),
  "0056_members.ts": () => import("./migrations/0056_members.ts"),
  "0057_conversations.ts": () => import("./migrations/0057_conversations.ts"),
}

/** The number of the newest migration. */
export const LATEST = Math.max(...Object.keys(MIGRATIONS).map((name) => Number.parseInt(name)))

const BASELINE = 39

/** Effect's migrator runs this once it has made and locked the table `migrations`. */
const migrationsUpTo = (last: number, onStart: (from: number) => void) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [row] = yield* sql<{ done: number | null }>`select max(migration_id) as done from migrations`
    onStart(row?.done ?? 0)
    const isBeforeBaseline = Math.min(last, row?.done ?? BASELINE) < BASELINE
    const migrations = isBeforeBaseline
      ? { ...MIGRATIONS, ...(yield* Effect.promise(() => import("./migrations/before39/all.ts"))).BEFORE_39 }
      : MIGRATIONS
    return yield* Migrator.fromGlob(
      Object.fromEntries(Object.entries(migrations).filter(([name]) => Number.parseInt(name) <= last)),
    )
  }).pipe(
    Effect.catchTag("SqlError", (cause) =>
      Effect.fail(
        new Migrator.MigrationError({ kind: "BadState", message: "Cannot read the table migrations", cause }),
      ),
    ),
  )

/** The schema cannot become what this version needs: the login has no right to change it, or a newer version has changed it too much. */
export class CannotMigrate extends Schema.TaggedError<CannotMigrate>()("CannotMigrate", {
  what: Schema.String,
  remedy: Schema.String,
}) {
  override get message() {
    return `${this.what}: ${this.remedy}`
  }
}

interface State {
  readonly last: number
  /** Whether tables lack forced row-level security or the owner's policies. */
  readonly lacks: boolean
  /** The fingerprint of the functions. */
  readonly functions: string | null
  /** The first migration that this version does not know and cannot work with. */
  readonly breaking: number | null
}

/** Reads what the serving role may read, too, so that only the first instance of a version migrates. */
const readState = Effect.gen(function* () {
  const sql = yield* SqlClient
  const named = nameInstallation(yield* Installation)
  const isCitus = yield* hasCitus
  const [state] = yield* sql.unsafe<State>(
    named(`select coalesce(max(migration_id), 0) as last, ${lacksRowSecurity(isCitus)} as lacks,
      obj_description('sightline.migrations'::regclass, 'pg_class') as functions,
      min(migration_id) filter (where breaking and migration_id > ${LATEST}) as breaking
    from sightline.migrations`),
  )
  return { ...state!, isCitus }
})

/** Whether a newer version migrated the schema: this one serves it as it is, if it can. */
const isNewer = Effect.fnUntraced(function* ({ last, breaking }: State) {
  if (breaking === null) return last > LATEST
  return yield* new CannotMigrate({
    what: `the schema is at ${last}, and this version supports up to ${LATEST}`,
    remedy: `migration ${breaking} needs a newer Sightline`,
  })
})

/** Whether a start finds nothing to do: the schema is up to date, or newer and usable. */
export const isMigrated = Effect.gen(function* () {
  const state = yield* readState
  const isCurrent = state.last === LATEST && !state.lacks && state.functions === fingerprint(state.isCitus)
  return (yield* isNewer(state)) || isCurrent
}).pipe(
  // An error means that a role, schema, column or function is missing, so there is something to do; except if the database is unreachable.
  Effect.catchIf(
    (error) => isSqlError(error) && error.reason._tag !== "ConnectionError",
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
    let from = 0
    const loader = migrationsUpTo(last, (number) => void (from = number))
    return { applied: yield* Migrator.make({})({ loader, table: "migrations" }), from }
  })

/**
 * A statement that waits for a lock looks for deadlocks after a second, and would be the one that fails. So the migration takes all
 * tables within less, or gives them back and tries again.
 */
const LOCKING_MS = 800
const RETRY_LOCKING_MS = 500
const MAX_LOCKING_RETRIES = 300

const LOCK_TABLES = `do $$ declare tables text; begin
  select string_agg(c.oid::regclass::text, ', ' order by c.relname) into tables from pg_class c
    where c.relnamespace = to_regnamespace('sightline') and c.relkind in ('r', 'p');
  if tables is not null then
    execute 'lock table ' || tables || ' in access exclusive mode';
  end if;
end $$`

/** Whether statements of others held a table. */
const isContention = (error: unknown) => isSqlError(error) && CONTENTION.has(error.reason._tag)
const CONTENTION = new Set(["StatementTimeoutError", "LockTimeoutError", "DeadlockError"])

/**
 * Migrates the schema as the tables' owner; leaves one that a newer version migrated as it is. Instances can start at the same time: with
 * the advisory lock, one migrates, and the others wait and find nothing to do. Requests of instances that run wait for it.
 */
export const migrate = Effect.gen(function* () {
  const sql = yield* SqlClient
  const named = nameInstallation(yield* Installation)
  const run = (text: string) => sql.unsafe(named(text))
  const locked = Effect.gen(function* () {
    yield* run(`select pg_advisory_xact_lock(hashtext('sightline.migrate'))`)
    // Citus locks the shards of a table by statements of its own.
    if (yield* hasCitus) return
    yield* run(`set local statement_timeout = ${LOCKING_MS}`)
    yield* run(LOCK_TABLES)
    yield* run(`set local statement_timeout to default`)
  })
  const migrated = sql.withTransaction(
    Effect.gen(function* () {
      yield* locked
      const done = yield* createTables(LATEST)
      if (yield* isNewer(yield* readState)) return done
      yield* recreateFunctions(run)
      yield* run(FORCE_ROW_SECURITY)
      yield* run(`grant usage on schema sightline to sightline_app`)
      yield* run(`grant select on migrations to sightline_app`)
      if (yield* hasCitus) yield* placeTables
      return done
    }),
  )
  let attempts = 0
  return yield* migrated.pipe(
    Effect.tapError((error) =>
      isContention(error) && attempts++ === 0
        ? Effect.logInfo("the migration waits for statements that use the tables")
        : Effect.void,
    ),
    Effect.retry({
      while: isContention,
      schedule: Schedule.spaced(`${RETRY_LOCKING_MS} millis`),
      times: MAX_LOCKING_RETRIES,
    }),
    Effect.catchIf(isContention, () =>
      Effect.fail(
        new CannotMigrate({
          what: "statements that run for minutes hold the tables that the migration needs",
          remedy: "wait for imports and exports to end, or end what pg_stat_activity shows",
        }),
      ),
    ),
  )
}).pipe(
  // One span: hundreds of statements that nobody asked for would fill the traces.
  Effect.withTracerEnabled(false),
  Effect.tap(({ applied, from }) => Effect.annotateCurrentSpan({ from, to: applied.at(-1)?.[0] ?? from })),
  entrySpan("migrate"),
  Effect.map(({ applied }) => applied),
)

const recreateFunctions = Effect.fnUntraced(function* (run: (text: string) => Effect.Effect<unknown, SqlError>) {
  const { FUNCTIONS, FUNCTIONS_ON_CITUS } = yield* Effect.promise(() => import("./functions/all.ts"))
  const { recreate } = yield* Effect.promise(() => import("./functions/define.ts"))
  const { oneStatement } = yield* Effect.promise(() => import("./migrations/support.ts"))
  // Loads pg_trgm. Before that, only a superuser may create a function that sets one of its parameters.
  yield* run(`select similarity('', '')`)
  const isCitus = yield* hasCitus
  // Citus sends each function to its workers as a statement of its own.
  const texts = isCitus ? FUNCTIONS_ON_CITUS.flatMap(recreate) : [oneStatement(FUNCTIONS.flatMap(recreate))]
  yield* Effect.forEach(texts, run, { discard: true })
  // The comment on the schema is the fingerprint of versions before 40. They replace functions where they find another.
  yield* run(`comment on table migrations is '${fingerprint(isCitus)}'`)
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
