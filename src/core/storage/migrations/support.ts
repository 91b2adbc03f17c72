import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { Installation, nameInstallation } from "../session.ts"

/**
 * Runs each text as a statement of its own, in order, with the names of the installation in place of the default ones. Migrations
 * create no function but those that indexes are made of: the present text of every other is in `functions/`.
 */
export const statements = (sql: SqlClient, texts: ReadonlyArray<string>) =>
  Effect.flatMap(Installation, (installation) =>
    Effect.forEach(texts.map(nameInstallation(installation)), (text) => sql.unsafe(text), { discard: true }),
  )

/** Joins the texts into one statement. The driver sends one a round trip, and a new database has hundreds of texts to run. */
export const oneStatement = (texts: ReadonlyArray<string>) =>
  `do $texts$ begin\n${texts.map((text) => `${text};\n`).join("")}end $texts$`

/**
 * Creates the extensions in `public`, where every Sightline of the database finds them, or moves them there from the own schema. Without
 * the right to create in `public`, they stay in the own schema and serve this one alone.
 */
export const EXTENSIONS = `do $$ declare
    extension record;
    home constant text := case when has_schema_privilege(to_regnamespace('public'), 'CREATE') then 'public' else 'sightline' end;
  begin
    for extension in
      select x.name, e.extnamespace::regnamespace::text as schema, pg_has_role(e.extowner, 'USAGE') as is_own
      from unnest('{pg_trgm,btree_gin}'::text[]) x(name) left join pg_extension e on e.extname = x.name
    loop
      if extension.schema is null then
        execute format('create extension %I schema %I', extension.name, home);
      elsif extension.schema = 'sightline' and home = 'public' and extension.is_own then
        execute format('alter extension %I set schema public', extension.name);
      elsif extension.schema not in ('public', 'sightline') then
        raise exception 'the extension % is in the schema %, where this installation does not look: alter extension % set schema public',
          extension.name, extension.schema, extension.name;
      end if;
    end loop;
  end $$`

/**
 * Row-level security on tables that belong to an organization: the application's role sees and writes only rows of the
 * organization named by `set_config('sightline.organization', …, true)`. `force: false` marks tables that functions of the owner read
 * across organizations (the key look-up); `FORCE_ROW_SECURITY` binds their owner too, with a policy for those functions.
 */
export const isolate = (
  tables: ReadonlyArray<string>,
  options: { readonly column?: string; readonly force?: boolean; readonly grant?: string } = {},
): ReadonlyArray<string> => {
  const { column = "org_id", force = true, grant = "select, insert, update, delete" } = options
  const own = `${column} = current_setting('sightline.organization', true)`
  return tables.flatMap((table) => [
    `alter table ${table} enable row level security${force ? ", force row level security" : ""}`,
    `create policy own_organization on ${table} using (${own}) with check (${own})`,
    `grant ${grant} on ${table} to sightline_app`,
  ])
}
