import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** The statements that drop a part of a table and make it again. */
interface TablePart {
  readonly drop: string
  readonly make: string
}

/**
 * Drops the secondary indexes and foreign keys of the current schema: rows load in half the time without them. Primary and unique
 * keys stay. Returns an effect that makes them again, which fails if a row violates one.
 */
export const dropIndexes: Effect.Effect<Effect.Effect<void, SqlError>, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const run = (texts: ReadonlyArray<string>) => Effect.forEach(texts, (text) => sql.unsafe(text), { discard: true })
  const foreignKeys = yield* sql<TablePart>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
    from pg_constraint where contype = 'f' and connamespace = current_schema::regnamespace`
  const indexes = yield* sql<TablePart>`
    select format('drop index %s', oid::regclass) as drop, pg_get_indexdef(oid) as make
    from pg_class where relkind = 'i' and relnamespace = current_schema::regnamespace
      and oid not in (select conindid from pg_constraint)`
  const forced = yield* sql<{ name: string }>`
    select oid::regclass::text as name from pg_class
    where relforcerowsecurity and relnamespace = current_schema::regnamespace`
  yield* run([...foreignKeys, ...indexes].map(({ drop }) => drop))
  return run([
    ...indexes.map(({ make }) => make),
    // A foreign key is checked against the rows that the owner sees, which must be those of every organization.
    ...forced.map(({ name }) => `alter table ${name} no force row level security`),
    ...foreignKeys.map(({ make }) => make),
    ...forced.map(({ name }) => `alter table ${name} force row level security`),
  ])
})
