import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { DEFAULT_COLUMNS_VERSION } from "../columns/columns.ts"
import type { Selected } from "../selection/select.ts"
import { object, withRelated } from "./json.ts"
import { type PageQuery, selectRows } from "./rows.ts"

export interface PageRow {
  /** A JSON array of deals in UTF-8. The reply forwards these bytes without decoding them. */
  readonly body: Uint8Array
  readonly last_id: string | null
  readonly last_value: string | null
  readonly has_more: boolean
}

const page = (sql: SqlClient, body: Fragment, { size }: PageQuery) => sql`
  convert_to(coalesce('[' || string_agg(${body}, ',' order by d.n) filter (where d.n <= ${size}) || ']', '[]'), 'UTF8') as body,
  max(d.id) filter (where d.n = ${size}) as last_id,
  max(d.v::text) filter (where d.n = ${size}) as last_value,
  count(*) > ${size} as has_more`

/** One page with the requested columns, as JSON that PostgreSQL builds. All statements here run inside `Database.scoped`. */
export const selectPage = (sql: SqlClient, query: PageQuery, selected: ReadonlyArray<Selected>): Fragment => {
  const rows = withRelated(sql, sql`scope.org`, selectRows(sql, query, "d.*"), selected)
  return sql`${rows.before} select ${page(sql, object(sql, rows.selected), query)} from ${rows.from}`
}

/**
 * One page of stored JSON. It renders nothing, because planning the rendering costs more than the whole page and is rarely
 * needed. If `stale`, a row has no current JSON: use `selectPage` instead.
 */
export const selectStoredPage = (sql: SqlClient, query: PageQuery): Fragment => sql`
  select ${page(sql, sql`d.body`, query)}, coalesce(bool_or(d.body is null), false) as stale
  from (
    select r.*, (select j.body from deal_json j
      where j.org_id = scope.org and j.deal_id = r.id and j.version = ${DEFAULT_COLUMNS_VERSION}) as body
    from (${selectRows(sql, query, "d.id")}) r) d`
