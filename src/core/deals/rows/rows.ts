import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { fold } from "../../common/fold.ts"
import type { Position } from "./cursor.ts"
import type { Sorting } from "../columns/sorting.ts"

/** The deals of a page. The statements in this file run inside `Database.scoped`. */
export interface PageQuery {
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
export const selectRows = (sql: SqlClient, query: PageQuery, columns: "d.id" | "d.*"): Fragment => {
  if (query.searchQuery === undefined) return inOrder(sql, query, columns)
  const ids = foundFirst(sql, query, query.searchQuery)
  // Sorting the whole rows of a common word spills to disk.
  return columns === "d.id"
    ? ids
    : sql`select d.*, r.v, r.n from (${ids}) r join deals d on d.org_id = scope.org and d.id = r.id`
}

const inOrder = (sql: SqlClient, query: PageQuery, columns: "d.id" | "d.*"): Fragment =>
  query.sorting.nullable ? inTwoBranches(sql, query, columns) : inIndexOrder(sql, query, columns)

/**
 * Deals, from the first in order, whose names a search compares before it asks the index of names for all that match. A common word
 * fills its page among them; a rare one costs a few milliseconds more.
 */
const MAX_COMPARED = 1000

/** The ids of a search in another order than by similarity. */
const foundFirst = (sql: SqlClient, query: PageQuery, searchQuery: string): Fragment => {
  const { sorting, size, offset, after } = query
  const all = inOrder(sql, query, "d.id")
  if (sorting.sort === "similarity" || offset > 0 || after !== undefined) return all
  const direction = sql.literal(sorting.order)
  const column = sql.literal(sorting.sql)
  const conditions = [
    sql`d.org_id = scope.org`,
    ...(sorting.nullable ? [sql`${column} is not null`] : []),
    ...query.conditions,
  ]
  return sql`
    with compared as materialized (
      select c.id, c.v, row_number() over (order by c.v ${direction}, c.id collate "C" ${direction}) as n
      from (
        select d.id, ${column} as v, fold_name(coalesce(d.folded, d.name)) as name from deals d
        where ${sql.and(conditions)}
        order by ${column} ${direction}, d.id collate "C" ${direction} limit ${MAX_COMPARED}::int) c
      where ${isNamedLike(sql, searchQuery)}
      order by n limit ${size + 1}::int)
    select id, v, n from compared where (select count(*) from compared) > ${size}::int
    union all
    select id, v, n from (${all}) found where (select count(*) from compared) <= ${size}::int`
}

/** Whether the folded name `c.name` is one that `deals_named_like` finds. */
const isNamedLike = (sql: SqlClient, searchQuery: string) => {
  const query = sql`fold_name(${fold(searchQuery)})`
  return sql`(position(${query} in c.name) > 0 or word_similarity(${query}, c.name) >= 0.5)`
}

/** For a sort value that is never null: the index returns the rows in order, so nothing is sorted. */
const inIndexOrder = (sql: SqlClient, query: PageQuery, columns: string): Fragment => {
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
const inTwoBranches = (sql: SqlClient, query: PageQuery, columns: string): Fragment => {
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
