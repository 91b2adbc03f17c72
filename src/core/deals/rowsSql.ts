import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { fold } from "../common/fold.ts"
import type { Position } from "./cursor.ts"
import type { Sorting } from "./sorting.ts"

/** The deals of a page. The statements in this file run inside `Database.scoped`. */
export interface RowsQuery {
  readonly conditions: ReadonlyArray<Fragment>
  readonly searchQuery: string | undefined
  readonly sorting: Sorting
  readonly size: number
  readonly offset: number
  /** The end of the previous page. */
  readonly after: Position | undefined
}

/** The `from` clause, with deals as `d`: all deals, or those with a name like `searchQuery`, with `m.similarity`. */
export const source = (sql: SqlClient, searchQuery: string | undefined) =>
  searchQuery === undefined
    ? sql`deals d`
    : sql`deals_named_like(scope.org, ${fold(searchQuery)}) m join deals d on d.org_id = scope.org and d.id = m.id`

/**
 * The rows of one page and one more, read from an index: `columns` of `d`, the sort value `v`, and the row number `n` from 1.
 */
export const rowsOf = (sql: SqlClient, query: RowsQuery, columns: "d.id" | "d.*"): Fragment =>
  query.sorting.nullable ? inTwoBranches(sql, query, columns) : inIndexOrder(sql, query, columns)

/** For a sort value that is never null: the index returns the rows in order, so nothing is sorted. */
const inIndexOrder = (sql: SqlClient, query: RowsQuery, columns: string): Fragment => {
  const { sorting, after } = query
  const order = sql.literal(`${sorting.sql} ${sorting.order}, d.id collate "C" ${sorting.order}`)
  return sql`
    select ${sql.literal(columns)}, ${sql.literal(sorting.sql)} as v, row_number() over (order by ${order}) - ${query.offset}::int as n
    from ${source(sql, query.searchQuery)}
    where ${sql.and([sql`d.org_id = scope.org`, ...(after === undefined ? [] : [beyond(sql, sorting, after)]), ...query.conditions])}
    order by ${order} limit ${query.size + 1}::int offset ${query.offset}::int`
}

/**
 * For a sort value that may be null: first the rows with a value, then as many without one as the page still lacks, often none.
 */
const inTwoBranches = (sql: SqlClient, query: RowsQuery, columns: string): Fragment => {
  const { sorting, after } = query
  const direction = sql.literal(sorting.order)
  const column = sql.literal(sorting.sql)
  const limit = query.offset + query.size + 1
  const branch = (value: Fragment, order: Fragment, conditions: ReadonlyArray<Fragment>) => sql`
    (select ${sql.literal(columns)}, ${value} as v from ${source(sql, query.searchQuery)}
     where ${sql.and([sql`d.org_id = scope.org`, ...conditions, ...query.conditions])}
     order by ${order} limit ${limit}::int)`
  const past = after === undefined ? [] : [beyond(sql, sorting, after)]
  const byId = sql`d.id collate "C" ${direction}`
  const byValue = sql`${column} ${direction}, ${byId}`
  // The column is null in every row of this branch. Ordering by it too matches the index of a column that is rarely null.
  const empty = branch(sql`null::${sql.literal(sorting.type)}`, sorting.isSparse === true ? byId : byValue, [
    sql`${column} is null`,
    ...(after?.value === null ? past : []),
  ])
  const all =
    after?.value === null
      ? empty
      : sql`with present as materialized ${branch(sql`${column}`, byValue, [sql`${column} is not null`, ...past])}
          select * from present union all
          (select * from ${empty} lacking limit ${limit}::int - (select count(*) from present))`
  return sql`
    select *, row_number() over (order by v ${direction} nulls last, id collate "C" ${direction}) - ${query.offset}::int as n
    from (${all}) candidate
    order by n limit ${query.size + 1}::int offset ${query.offset}::int`
}

/** The condition for rows after the end of the previous page. */
const beyond = (sql: SqlClient, { sql: column, type, order }: Sorting, { value, id }: Position) => {
  const comparison = sql.literal(order === "asc" ? ">" : "<")
  return value === null
    ? sql`d.id collate "C" ${comparison} ${id}`
    : sql`(${sql.literal(column)}, d.id collate "C") ${comparison} (${value}::${sql.literal(type)}, ${id})`
}
