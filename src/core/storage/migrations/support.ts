import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * Runs each text as a statement of its own, in order. Migrations create no function but those that indexes are made of:
 * the present text of every other is in `functions/`.
 */
export const statements = (sql: SqlClient, texts: ReadonlyArray<string>) =>
  Effect.forEach(texts, (text) => sql.unsafe(text), { discard: true })

/**
 * Row-level security on tables that belong to an organization: the application's role sees and writes only rows of the
 * organization named by `set_config('sightline.organization', …, true)`. `force: false` marks tables that functions of the owner read
 * across organizations (the key look-up); `FORCE_ROW_SECURITY` binds their owner too, with a policy for those functions.
 */
export const isolate = (
  sql: SqlClient,
  tables: ReadonlyArray<string>,
  options: { readonly column?: string; readonly force?: boolean } = {},
) => {
  const own = `${options.column ?? "org_id"} = current_setting('sightline.organization', true)`
  return statements(
    sql,
    tables.flatMap((table) => [
      `alter table ${table} enable row level security`,
      ...(options.force === false ? [] : [`alter table ${table} force row level security`]),
      `create policy own_organization on ${table} using (${own}) with check (${own})`,
      `grant select, insert, update, delete on ${table} to sightline_app`,
    ]),
  )
}
