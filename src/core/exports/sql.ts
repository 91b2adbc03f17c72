import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { source } from "../deals/rowsSql.ts"
import type { Selected } from "../deals/selectors.ts"
import type { Framing } from "./csv.ts"

/** Which deals are exported, and which of their columns. */
export interface Selection {
  readonly conditions: ReadonlyArray<Fragment>
  readonly searchQuery: string | undefined
  readonly selected: ReadonlyArray<Selected>
}

/** Where the page before ended. */
export interface Position {
  readonly at: string
  readonly id: string
}

/**
 * Every deal of a selection, in the order that GET /deals has unless told otherwise: as cells, or as one `frame` a row.
 * Like all SQL of deals it needs `scope.org`.
 */
const rowsOf = (
  sql: SqlClient,
  { conditions, searchQuery, selected }: Selection,
  framing: Framing,
  page?: { readonly after: Position | undefined; readonly size: number },
): Fragment => {
  const joins: Array<Fragment> = []
  const cells = selected.map(({ value, instant, kind, lookup }) => {
    if (!lookup) return instant ?? (kind === "structured" ? value : sql`(${value})::text`)
    const name = sql.literal(`l${joins.length}`)
    joins.push(sql`left join lateral ${value} ${name}(v) on true`)
    return sql`${name}.v`
  })
  const frame = framing === "records" ? sql`record_send(row(${sql.csv(cells)})) as frame` : sql.csv(cells)
  return sql`
    select ${frame}
    from ${source(sql, searchQuery)} ${joins.reduce((all, join) => sql`${all} ${join}`, sql``)}
    where ${beyond(sql, conditions, page?.after)}
    order by ${sql.literal(ORDER)}
    ${page === undefined ? sql`` : sql`limit ${page.size}::int`}`
}

const ORDER = `d.created_at desc, d.id collate "C" desc`

const beyond = (sql: SqlClient, conditions: Selection["conditions"], after: Position | undefined) =>
  sql.and([
    sql`d.org_id = scope.org`,
    ...(after === undefined ? [] : [sql`(d.created_at, d.id collate "C") < (${after.at}::timestamptz, ${after.id})`]),
    ...conditions,
  ])

const within = (sql: SqlClient, org: string, rows: Fragment) =>
  sql`select deal.* from (select ${org}::text as org) scope, lateral (${rows}) deal`

/** Where a page of `size` ends, in a transaction of `org`; no row where there are fewer. */
export const endOf = (
  sql: SqlClient,
  org: string,
  { conditions, searchQuery }: Selection,
  after: Position | undefined,
  size: number,
) =>
  sql<Position>`${within(
    sql,
    org,
    sql`select d.created_at::text as at, d.id from ${source(sql, searchQuery)} where ${beyond(sql, conditions, after)}
      order by ${sql.literal(ORDER)} offset ${size - 1}::int limit 1`,
  )}`

/** A page, in a transaction of `org`. */
export const pageOf = (
  sql: SqlClient,
  org: string,
  selection: Selection,
  after: Position | undefined,
  size: number,
): Fragment => within(sql, org, rowsOf(sql, selection, "rows", { after, size }))

/** All of them as one statement, in a transaction of `org`. The organization is a constant here, which the planner sees. */
export const allOf = (sql: SqlClient, org: string, selection: Selection, framing: Framing): Fragment =>
  within(sql, org, rowsOf(sql, selection, framing))
