import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { DatabaseUnavailable } from "../../core/ports/DatabaseUnavailable.ts"
import { Installation } from "../../core/storage/session.ts"
import type { RunStatement, Vacuum } from "../../core/storage/Vacuum.ts"
import { readRights } from "./rights.ts"

/** Lets the restricted role vacuum an embedded database and renew its log: the engine has no processes of its own that do. */
export const grantsOf = (role: string): string => `do $$ begin
  if not pg_has_role('${role}', 'pg_maintain', 'MEMBER') then
    grant pg_checkpoint, pg_maintain to "${role}";
    grant execute on function pg_switch_wal() to "${role}";
  end if;
end $$`

interface Files {
  /** Bytes that writes may still take on the disk. */
  readonly free: () => number
  /** Counts the segments of the write-ahead log. */
  readonly segments: () => number
}

/**
 * Rows that are written before a table is vacuumed or analyzed: so many, and a part of its rows. The parts are PostgreSQL's own; it waits
 * for 50 rows, but counters of a request or job change that often.
 */
const MIN_ROWS = 500
/** The engine forgets its counts when it closes, so a larger table is vacuumed after the first write: pages that are clean cost little. */
const MIN_BYTES = 1024 * 1024
/** The old segments that an earlier version may have left, and some. */
const MAX_SWITCHES = 24

interface DueTable {
  readonly name: string
  readonly dead: boolean
}

interface Sized {
  readonly name: string
  readonly bytes: number
}

/** PGlite has no autovacuum: dead rows would stay forever, and each update of a table would make it larger. */
export const vacuumEmbedded = (sql: SqlClient, { free, segments }: Files) => {
  const due = sql<DueTable>`
    select format('%I.%I', t.schemaname, t.relname) as name, t.dead from (
      select s.schemaname, s.relname, s.n_mod_since_analyze > ${MIN_ROWS} + 0.1 * s.n_live_tup as changed,
        s.n_dead_tup > ${MIN_ROWS} + 0.2 * s.n_live_tup or s.n_ins_since_vacuum > 2 * ${MIN_ROWS} + 0.2 * s.n_live_tup
          or (s.last_vacuum is null and s.n_tup_ins + s.n_tup_upd + s.n_tup_del > 0
            and pg_relation_size(s.relid) > ${MIN_BYTES}) as dead
      from pg_stat_all_tables s where s.schemaname in (current_schema, 'pg_catalog')) t
    where t.dead or t.changed order by t.relname`

  const afterWrites = Effect.fnUntraced(function* (run: RunStatement) {
    // Otherwise the counts are up to a second old.
    yield* run(sql`select pg_stat_force_next_flush()::text`)
    const tables = yield* run<DueTable>(due)
    for (const { name, dead } of tables) yield* run(sql.literal(`${dead ? "vacuum (analyze)" : "analyze"} ${name}`))
    return tables.length
  })

  /** Tables with something in their files. An index of an empty table has one page or two. */
  const written = (tables: ReadonlyArray<string> | undefined) => sql<Sized>`
    select format('%I.%I', n.nspname, c.relname) as name, pg_total_relation_size(c.oid)::float8 as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema and c.relkind = 'r'
      and c.relname = any(coalesce(${tables === undefined ? null : [...tables]}::text[], array[c.relname::text]))
      and (pg_relation_size(c.oid) > 0 or pg_relation_size(nullif(c.reltoastrelid, 0)) > 0
        or exists (select from pg_index i where i.indrelid = c.oid and pg_relation_size(i.indexrelid) > 2 * 8192))
    order by c.relname`

  /** An analysis of an empty table keeps the commonest values of the rows that it had. */
  const clearStatistics = sql`
    select count(pg_clear_attribute_stats(n.nspname, r.relname, a.attname, false)) from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      cross join lateral (select c.oid, c.relname union all select x.oid, x.relname from pg_index i
        join pg_class x on x.oid = i.indexrelid where i.indrelid = c.oid and i.indexprs is not null) r
      join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
    where n.nspname = current_schema and c.relkind = 'r' and c.reltuples = 0`

  /** Ends the segments that have the deleted rows, which the checkpoint then removes. */
  const renewLog = Effect.fnUntraced(function* (run: RunStatement) {
    for (let n = 0; n === 0 || (segments() > 1 && n < MAX_SWITCHES); n++) {
      yield* run(sql`select pg_switch_wal()::text`)
      yield* run(sql`checkpoint`)
    }
  })

  const afterErasing = Effect.fnUntraced(function* (run: RunStatement, tables?: ReadonlyArray<string>) {
    for (const { name, bytes } of yield* run<Sized>(written(tables))) {
      // The table is written anew, and once more into the log.
      if (free() < 2 * bytes) return yield* tooLittleSpace(name, bytes)
      yield* run(sql.literal(`vacuum (full, analyze) ${name}`))
    }
    yield* run(clearStatistics)
    yield* run(sql`vacuum full pg_catalog.pg_statistic`)
    yield* renewLog(run)
  })

  return {
    afterWrites: (run) => (free() <= 0 ? Effect.succeed(0) : afterWrites(run)),
    afterErasing,
  } satisfies Vacuum
}

const tooLittleSpace = (table: string, bytes: number) =>
  new DatabaseUnavailable({
    message: `the disk has too little space to write ${table} anew, which needs ${Math.ceil((2 * bytes) / 1024 / 1024)} MiB`,
    reason: "no_space",
  })

/** Large tables take long, and a vacuum waits for another of the same table. Autovacuum does the rest. */
const MAX_VACUUM_MINUTES = 10

/** Vacuums every table as its owner, when an organization was erased: autovacuum waits for a fifth of a table's rows. */
export const vacuumServer = (asOwner: AsOwner): Vacuum => {
  const vacuumAll = Effect.gen(function* () {
    const sql = yield* SqlClient
    const { schema } = yield* Installation
    const { user, owns } = yield* readRights
    if (!owns) {
      yield* Effect.logInfo(
        `'${user}' does not own the tables, so autovacuum frees the space of the erased organization`,
      )
      return
    }
    const tables = yield* sql<{ name: string }>`
      select c.oid::regclass::text as name from pg_class c where c.relnamespace = to_regnamespace(${schema}) and c.relkind = 'r'`
    for (const { name } of tables) yield* sql.unsafe(`vacuum (analyze) ${name}`)
  })
  const limited = asOwner(vacuumAll).pipe(
    Effect.timeoutOrElse({
      duration: `${MAX_VACUUM_MINUTES} minutes`,
      orElse: () => Effect.logInfo(`autovacuum goes on: vacuuming took ${MAX_VACUUM_MINUTES} minutes`),
    }),
    Effect.catchCause((cause) => Effect.logWarning("could not vacuum after an organization was erased", cause)),
  )
  return {
    afterErasing: (_, tables) => (tables === undefined ? limited : Effect.void),
  }
}

type AsOwner = <A, E>(effect: Effect.Effect<A, E, SqlClient>) => Effect.Effect<A, E | SqlError>
