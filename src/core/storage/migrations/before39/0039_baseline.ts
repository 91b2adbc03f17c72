import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { MIGRATIONS_TABLE } from "../baseline/migrations.ts"
import { statements } from "../support.ts"

/** Adds to the first 38 migrations what the baseline has beyond them. */
export default Effect.flatMap(SqlClient, (sql) => statements(sql, [RENAMED, ...MIGRATIONS_TABLE]))

/**
 * PostgreSQL 18 names the constraints of columns that are not null. Those of a renamed column keep its former name, on Citus for good,
 * because it renames no constraints.
 */
const RENAMED = `do $$ declare former record; begin
  for former in
    select k.conrelid::regclass as of_table, k.conname as name, format('%s_%s_not_null', c.relname, a.attname) as present
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
    where c.relnamespace = 'sightline'::regnamespace and k.contype = 'n' and to_regclass('pg_catalog.pg_dist_partition') is null
  loop
    if former.name <> former.present then
      execute format('alter table %s rename constraint %I to %I', former.of_table, former.name, former.present);
    end if;
  end loop;
end $$`
