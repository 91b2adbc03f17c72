import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Placement, PLACEMENTS } from "./placement.ts"
import { Installation, nameInstallation, sessionSettings } from "./session.ts"

/** Whether the database is the coordinator of a Citus cluster. */
export const hasCitus = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{
    found: boolean
  }>`select exists (select from pg_extension where extname = 'citus') as found`
  return row?.found === true
})

/** A table that `PLACEMENTS` puts elsewhere. */
interface Misplaced {
  readonly name: string
  readonly placement: Placement
}

/** The tables that are still on the coordinator alone. */
const misplaced = Effect.gen(function* () {
  const sql = yield* SqlClient
  const named = nameInstallation(yield* Installation)
  const local = yield* sql.unsafe<{ name: string }>(
    named(`select c.relname as name from pg_class c
      where c.relnamespace = to_regnamespace('sightline') and c.relkind = 'r'
        and not exists (select from pg_dist_partition p where p.logicalrelid = c.oid and p.partmethod in ('h', 'n')
          and (p.partmethod = 'h' or p.repmodel = 't'))`),
  )
  const isLocal = new Set(local.map(({ name }) => name))
  return Object.entries(PLACEMENTS).flatMap(([name, placement]): ReadonlyArray<Misplaced> =>
    placement !== "local" && isLocal.has(name) ? [{ name, placement }] : [],
  )
})

/**
 * Before the tables move: drops the foreign keys, each of which needs both of its tables in their places, and remembers them in the
 * table `moving_keys`, so that a failure later on loses none. Takes each table for a moment.
 */
export const prepareTables = Effect.gen(function* () {
  const { run, bound } = yield* settings
  const moving = yield* misplaced
  if (moving.length === 0) return []
  const names = moving.map(({ name }) => name)
  yield* run(letLogIn(yield* Installation))
  yield* run(`create table if not exists sightline.moving_keys (of_table text, name text primary key, definition text)`)
  const keys = yield* bound<{ readonly table: string; readonly name: string }>(
    `insert into sightline.moving_keys select t.relname, conname, pg_get_constraintdef(k.oid)
      from pg_constraint k join pg_class t on t.oid = k.conrelid where contype = 'f' and connamespace = 'sightline'::regnamespace
        and (conrelid = any($1::text[]::regclass[]) or confrelid = any($1::text[]::regclass[]))
      returning of_table as table, name`,
    [names],
  )
  for (const { table, name } of keys) yield* run(`alter table ${table} drop constraint "${name}"`)
  for (const name of names) {
    // Citus moves shards by logical replication, which takes neither unlogged tables nor row-level security that binds the owner.
    yield* run(`alter table ${name} set logged, no force row level security`)
  }
  return moving
})

/** Moves tables with their rows, in the open transaction of the owner. Until it commits, others read the tables, and writes wait. */
export const moveTables = (moving: ReadonlyArray<Misplaced>, onTable: (name: string) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const { run } = yield* settings
    if (moving.length === 0) return
    // All at once, so that no writer holds one and waits for another.
    yield* run(`lock table ${moving.map(({ name }) => name).join(", ")} in exclusive mode`)
    for (const { name, placement } of moving) {
      yield* onTable(name)
      yield* run(
        placement === "reference"
          ? `select create_reference_table('sightline.${name}')`
          : `select create_distributed_table('sightline.${name}', 'org_id', colocate_with => ${
              name === FIRST ? `'none'` : `'sightline.${FIRST}'`
            })`,
      )
    }
  })

/** The work that is left once the tables are in their places, as steps that each take one or two tables for a moment. */
export const finishTables = Effect.gen(function* () {
  const { run, bound } = yield* settings
  // The rows are in the shards now, and still in the file of the table, which Citus hides.
  const doubled = yield* bound<{ readonly name: string }>(
    `select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
      where c.relnamespace = 'sightline'::regnamespace and pg_relation_size(c.oid) > 0`,
    [],
  )
  const [left] = yield* bound<{ found: boolean }>(
    `select to_regclass('sightline.moving_keys') is not null as found`,
    [],
  )
  const keys =
    left?.found !== true
      ? []
      : yield* bound<MovingKey>(`select * from sightline.moving_keys order by of_table, name`, [])
  const truncations = doubled.map(({ name }) =>
    run(`select truncate_local_data_after_distributing_table('sightline.${name}')`),
  )
  const additions = keys.map(({ of_table, name, definition }) =>
    Effect.gen(function* () {
      if (!isLocal(of_table) && name !== NEEDS_WRITER)
        yield* run(`alter table ${of_table} add constraint "${name}" ${definition}`)
      yield* bound(`delete from sightline.moving_keys where name = $1`, [name])
    }),
  )
  return [...truncations, ...additions, ...(left?.found === true ? [run(`drop table sightline.moving_keys`)] : [])]
})

interface MovingKey {
  readonly of_table: string
  readonly name: string
  readonly definition: string
}

/** Runs statements in the installation's schema. */
const settings = Effect.gen(function* () {
  const sql = yield* SqlClient
  const installation = yield* Installation
  const named = nameInstallation(installation)
  const run = (text: string) =>
    Effect.andThen(
      sql.unsafe(`set local search_path = ${sessionSettings(installation).search_path}`),
      sql.unsafe(named(text)),
    )
  const bound = <Row extends object>(text: string, parameters: ReadonlyArray<unknown>) =>
    sql.unsafe<Row>(named(text), [...parameters])
  yield* sql.unsafe(`set local search_path = ${sessionSettings(installation).search_path}`)
  // One connection to each worker: a statement sees what the ones before it created.
  yield* sql.unsafe(`set local citus.multi_shard_modify_mode = 'sequential'`)
  return { run, bound }
})

/** With a foreign key to a reference table, a local one would become a table of Citus, with the limits of these on statements. */
const isLocal = (table: string) => PLACEMENTS[table as keyof typeof PLACEMENTS] === "local"

/** Between two reference tables Citus lets only those write one that may also write the other. Schemas check the names of plans. */
const NEEDS_WRITER = "organizations_plan_fkey"

/** The table whose shards the others share. */
const FIRST: keyof typeof PLACEMENTS = "deals"

/** Places the tables of a new database, and new tables of a distributed one. The command line moves a database with organizations. */
export const placeTables = Effect.gen(function* () {
  const sql = yield* SqlClient
  const named = nameInstallation(yield* Installation)
  const [row] = yield* sql.unsafe<{ ready: boolean }>(
    named(`select not exists (select from sightline.organizations) or exists (
      select from pg_dist_partition where logicalrelid = 'sightline.organizations'::regclass and repmodel = 't') as ready`),
  )
  if (row?.ready !== true) return
  yield* moveTables(yield* prepareTables, () => Effect.void)
  for (const step of yield* finishTables) yield* step
})

/**
 * The coordinator logs in to workers as the restricted role, whose sessions there have the settings of all engines. A function that a
 * statement calls there reads rows of the statement's own organization, so that a query within a query reads the same worker.
 */
const letLogIn = (installation: Installation) => {
  // The coordinator sends qualified names.
  const { search_path: _, ...settings } = sessionSettings(installation)
  const set = Object.entries({ ...settings, "citus.allow_nested_distributed_execution": "on" }).map(
    ([name, value]) =>
      `execute format('alter role sightline_app in database %I set ${name} = ''${value}''', current_database());`,
  )
  return `do $$ begin
    -- A role belongs to all databases of the cluster, so that another one may have altered it.
    if not (select rolcanlogin from pg_roles where rolname = 'sightline_app') then
      alter role sightline_app login;
    end if;
    ${set.join("\n    ")}
  end $$`
}
