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

/** Moves every table to its place, in the open transaction of the owner. Until it commits, nobody else reads or writes the tables. */
export const distribute = (onTable: (name: string) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const installation = yield* Installation
    const named = nameInstallation(installation)
    const run = (text: string) => sql.unsafe(named(text))
    const moving = yield* misplaced
    if (moving.length === 0) return
    yield* sql.unsafe(`set local search_path = ${sessionSettings(installation).search_path}`)
    // One connection to each worker: a statement sees what the ones before it created.
    yield* run(`set local citus.multi_shard_modify_mode = 'sequential'`)
    yield* run(letLogIn(installation))
    // A foreign key between two tables needs both in their places.
    const keys = yield* sql.unsafe<{ readonly table: string; readonly name: string; readonly definition: string }>(
      named(`select t.relname as table, conname as name, pg_get_constraintdef(k.oid) as definition
        from pg_constraint k join pg_class t on t.oid = k.conrelid where contype = 'f' and connamespace = 'sightline'::regnamespace
          and (conrelid = any($1::text[]::regclass[]) or confrelid = any($1::text[]::regclass[]))`),
      [moving.map(({ name }) => name)],
    )
    for (const { table, name } of keys) yield* sql.unsafe(`alter table ${table} drop constraint "${name}"`)
    for (const { name, placement } of moving) {
      yield* onTable(name)
      yield* run(
        placement === "reference"
          ? `select create_reference_table('sightline.${name}')`
          : `select create_distributed_table('sightline.${name}', 'org_id', colocate_with => ${
              name === FIRST ? `'none'` : `'sightline.${FIRST}'`
            })`,
      )
      // The rows are in the shards now, and still in the file of the table, which Citus hides.
      yield* run(`select truncate_local_data_after_distributing_table('sightline.${name}')`)
    }
    for (const { table, name, definition } of keys) {
      if (!isLocal(table) && name !== NEEDS_WRITER)
        yield* sql.unsafe(`alter table ${table} add constraint "${name}" ${definition}`)
    }
  })

/** With a foreign key to a reference table, a local one would become a table of Citus, with the limits of these on statements. */
const isLocal = (table: string) => PLACEMENTS[table as keyof typeof PLACEMENTS] === "local"

/** Between two reference tables Citus lets only those write one that may also write the other. Schemas check the names of plans. */
const NEEDS_WRITER = "organizations_plan_fkey"

/** The table whose shards the others share. */
const FIRST: keyof typeof PLACEMENTS = "deals"

/** Places the tables of a new database, and new tables of a distributed one. A database with organizations is moved by `distribute` alone. */
export const placeTables = Effect.gen(function* () {
  const sql = yield* SqlClient
  const named = nameInstallation(yield* Installation)
  const [row] = yield* sql.unsafe<{ ready: boolean }>(
    named(`select not exists (select from sightline.organizations) or exists (
      select from pg_dist_partition where logicalrelid = 'sightline.organizations'::regclass and repmodel = 't') as ready`),
  )
  if (row?.ready === true) yield* distribute(() => Effect.void)
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
