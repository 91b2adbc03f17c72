import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { utc } from "../storage/sql.ts"
import type { Change } from "./contract.ts"
import type { Cursor } from "./cursor.ts"

/** A row of the feed; fields that do not apply to its type are null. */
export interface ChangeRow extends Pick<Change, "type" | "id" | "action" | "changed_at"> {
  readonly sequence: string
  readonly status: string | null
  readonly deal_id: string | null
  readonly feature_id: string | null
}

export interface FeedRow {
  /** Every transaction with a lower number has committed, so its writes are visible. */
  readonly watermark: string
  /** Deletions up to this transaction are no longer kept; null: all are kept. */
  readonly horizon: string | null
  readonly changes: ReadonlyArray<ChangeRow>
}

/**
 * A transaction takes the organization's next number last and holds its lock until it commits, so a reader that sees a
 * number sees everything before it.
 */
const WATERMARK = "coalesce((select f.last + 1 from change_feeds f where f.org_id = scope.org), 0)"

interface FeedOptions {
  readonly types: ReadonlyArray<string>
  readonly size: number
  readonly until?: string | undefined
}

/** Selects `size` + 1 changes after a cursor and before the watermark. Runs inside `Database.scoped`. */
export const selectFeed = (
  sql: SqlClient,
  after: Pick<Cursor, "sequence" | "type" | "id">,
  options: FeedOptions,
): Fragment => sql`
  select ${sql.literal(WATERMARK)}::text as watermark,
    (select h.sequence::text from change_horizons h where h.org_id = scope.org) as horizon,
    coalesce((
      select json_agg(json_build_object('type', c.type, 'id', c.id, 'sequence', c.sequence::text, 'action', c.action,
        'changed_at', ${sql.literal(utc("c.changed_at"))}, 'status', coalesce(d.status, ${sql.literal(EXPORT_STATUS)}),
        'deal_id', a.deal_id, 'feature_id', a.feature_id)
        order by ${sql.literal(ORDER)})
      from (
        select c.*
        from ((${selectPage(sql, "creations", after, options)}) union all (${selectPage(sql, "later_changes", after, options)})) c
        order by ${sql.literal(ORDER)} limit ${options.size + 1}::int
      ) c
      left join documents d on c.type = 'document' and d.org_id = scope.org and d.id = c.id
      left join exports e on c.type = 'export' and e.org_id = scope.org and e.id = c.id
      left join jobs j on j.org_id = scope.org and j.id = e.job_id
      left join associations a on c.type = 'association' and a.org_id = scope.org and a.id = c.id
    ), '[]') as changes`

const ORDER = `c.sequence, c.type collate "C", c.id collate "C"`

/** Reads up to a full page from each of the two views: under row-level security, only an order within each uses its index. */
const selectPage = (
  sql: SqlClient,
  changes: "creations" | "later_changes",
  after: Pick<Cursor, "sequence" | "type" | "id">,
  { types, size, until }: FeedOptions,
): Fragment => sql`
  select c.* from ${sql.literal(changes)} c
  where c.org_id = scope.org and c.type = any(${[...types]}::text[])
    and (${sql.literal(ORDER)}) > (${after.sequence}::bigint, ${after.type}, ${after.id})
    and c.sequence < ${until ?? MAX_SEQUENCE}::bigint
  order by ${sql.literal(ORDER)} limit ${size + 1}::int`

/** The `status` of GET /deals/export/{export_id}. */
const EXPORT_STATUS = `case j.state when 'queued' then 'pending' when 'running' then 'processing'
  when 'completed' then 'completed' when 'failed' then 'failed' when 'cancelled' then 'failed' end`

const MAX_SEQUENCE = "999999999999999999"
