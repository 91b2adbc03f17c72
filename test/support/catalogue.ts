import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { UNLIMITED } from "./unlimited.ts"

/**
 * Everything that migrations make, each query as lines of text. Columns have their position only in composite types: two ways to the same schema
 * order the columns of a table differently, so statements and backups name them.
 */
const PARTS = [
  `select concat_ws(' | ', 'relation', c.relkind, c.relname, am.amname, c.relpersistence, c.relowner::regrole, c.relacl, c.reloptions,
      t.reloptions, c.relrowsecurity, c.relforcerowsecurity, c.relreplident, obj_description(c.oid, 'pg_class'))
    from pg_class c left join pg_am am on am.oid = c.relam left join pg_class t on t.oid = c.reltoastrelid
    where c.relnamespace = 'sightline'::regnamespace`,
  `select concat_ws(' | ', 'column', c.relname, a.attname, case when c.relkind = 'c' then a.attnum end,
      format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid), a.attstorage,
      a.attcompression, coalesce(a.attstattarget, -1), a.attcollation::regcollation, a.attoptions, a.attacl, col_description(c.oid, a.attnum))
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = 'sightline'::regnamespace and a.attnum > 0 and not a.attisdropped`,
  `select concat_ws(' | ', 'constraint', conrelid::regclass, conname, contype, convalidated, connoinherit, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'sightline'::regnamespace`,
  `select concat_ws(' | ', 'index', pg_get_indexdef(indexrelid), indisprimary, indisvalid, indisclustered, indisreplident)
    from pg_index join pg_class c on c.oid = indexrelid where c.relnamespace = 'sightline'::regnamespace`,
  `select concat_ws(' | ', 'policy', polrelid::regclass, polname, polcmd, polpermissive, polroles::regrole[],
      pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
    from pg_policy join pg_class c on c.oid = polrelid where c.relnamespace = 'sightline'::regnamespace`,
  `select concat_ws(' | ', 'function', pg_get_functiondef(oid), proowner::regrole, proacl, obj_description(oid, 'pg_proc'))
    from pg_proc where pronamespace = 'sightline'::regnamespace`,
  `select concat_ws(' | ', 'trigger', pg_get_triggerdef(t.oid), t.tgenabled)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid where c.relnamespace = 'sightline'::regnamespace and not t.tgisinternal`,
  `select concat_ws(' | ', 'view', oid::regclass, pg_get_viewdef(oid)) from pg_class
    where relkind = 'v' and relnamespace = 'sightline'::regnamespace`,
  `select concat_ws(' | ', 'type', typname, typtype, typacl) from pg_type where typnamespace = 'sightline'::regnamespace`,
  `select concat_ws(' | ', 'statistics', pg_get_statisticsobjdef(oid)) from pg_statistic_ext
    where stxnamespace = 'sightline'::regnamespace`,
  `select concat_ws(' | ', 'extension', extname, extversion, extnamespace::regnamespace) from pg_extension`,
  `select concat_ws(' | ', 'schema', nspname, nspacl, obj_description(oid, 'pg_namespace')) from pg_namespace where nspname = 'sightline'`,
  `select concat_ws(' | ', 'default privileges', defaclrole::regrole, defaclobjtype, defaclacl) from pg_default_acl`,
  `select concat_ws(' | ', 'plan', to_jsonb(p)) from sightline.plans p where name <> '${UNLIMITED}'`,
]

/** Everything in the schema that a migration makes, as sorted lines. */
export const readCatalogue = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`set local search_path = sightline, public`
      const parts = yield* Effect.forEach(PARTS, (part) =>
        sql.unsafe<{ line: string }>(`select * from (${part}) x(line)`),
      )
      return parts.flatMap((rows) => rows.map(({ line }) => line)).toSorted()
    }),
  )
})
