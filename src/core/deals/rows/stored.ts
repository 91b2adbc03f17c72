import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { insertSelected } from "../../storage/recordChanges.ts"
import { DEFAULT_COLUMNS_VERSION } from "../columns/columns.ts"
import { selectDefault } from "../selection/select.ts"
import { object, withRelated } from "./json.ts"

/** Renders and stores the default columns of these deals. A writer that changes what they show runs it in its transaction. */
export const renderStored = (sql: SqlClient, org: string, ids: ReadonlyArray<string>) => {
  const deals = sql`select d.* from deals d where d.org_id = ${org} and d.id = any(${[...ids]}::text[])`
  const rows = withRelated(sql, sql`${org}`, deals, selectDefault(sql))
  return insertSelected(
    sql,
    org,
    (home) => sql`
      insert into deal_json (org_id, deal_id, version, body)
      select ${home.org}, made.* from ${home.from}(select ${org}::text as org) scope, lateral (
        ${rows.before} select d.id, ${DEFAULT_COLUMNS_VERSION}::int, ${object(sql, rows.selected)} from ${rows.from}) made
      ${home.where}
      on conflict (org_id, deal_id) do update set version = excluded.version, body = excluded.body`,
  )
}

/** Deletes the stored JSON of the deals that `showing` selects, as type and id. The next read renders it. */
export const forgetStored = (sql: SqlClient, org: string, showing: Fragment) =>
  sql`delete from deal_json j using (${showing}) s(type, id) where j.org_id = ${org} and j.deal_id = s.id`
