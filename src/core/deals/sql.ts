import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { DEFAULT_COLUMNS_VERSION, type Join } from "./columns.ts"
import { type Selected, selectDefault } from "./selectors.ts"
import type { SortOrder, Sorting } from "./sorting.ts"

/** What a page is made of. The statements here run inside `Database.scoped`. */
export interface PageQuery {
  readonly conditions: ReadonlyArray<Fragment>
  readonly searchQuery: string | undefined
  readonly sorting: Sorting
  readonly size: number
  readonly offset: number
  /** Where the page before ended. */
  readonly after: { readonly value: string | null; readonly id: string } | undefined
  /** Null: the default columns, from their stored JSON. */
  readonly selected: ReadonlyArray<Selected> | null
}

export interface PageRow {
  /** A JSON array of deals, as text. */
  readonly body: string
  readonly last_id: string | null
  readonly last_value: string | null
  readonly has_more: boolean
}

const JOINS: Record<Join, string> = {
  client: "left join clients c on c.org_id = d.org_id and c.id = d.client_id",
  owner: "left join owners o on o.org_id = d.org_id and o.id = d.owner_id",
  stage: "left join stages s on s.org_id = d.org_id and s.id = d.status_id",
}

/**
 * One page as JSON, built by PostgreSQL: the page's ids first, by index, numbered from 1 within the page; then what
 * those rows are asked for.
 */
export const pageOf = (sql: SqlClient, query: PageQuery): Fragment => sql`
  select coalesce('[' || string_agg(${body(sql, query)}, ',' order by p.n) filter (where p.n <= ${query.size}) || ']', '[]') as body,
    max(p.id) filter (where p.n = ${query.size}) as last_id,
    max(p.v::text) filter (where p.n = ${query.size}) as last_value,
    count(*) > ${query.size} as has_more
  from (${numbered(sql, query)}) p
  join deals d on d.org_id = scope.org and d.id = p.id
  ${joins(sql, query)}`

export const countOf = (
  sql: SqlClient,
  conditions: ReadonlyArray<Fragment>,
  searchQuery: string | undefined,
): Fragment => sql`
  select count(*)::int as count from ${source(sql, searchQuery)}
  where ${sql.and([sql`d.org_id = scope.org`, ...conditions])}`

/** One deal, whole; no row where there is none. */
export const oneOf = (sql: SqlClient, id: string, selected: ReadonlyArray<Selected>): Fragment => sql`
  select ${object(sql, selected)} as body from deals d ${sql.literal(joinsOf(selected))}
  where d.org_id = scope.org and d.id = ${id}`

/** Renders and stores the default columns of these deals. Whoever changes what they show calls it in the same transaction. */
export const renderStored = (sql: SqlClient, org: string, ids: ReadonlyArray<string>) => {
  const selected = selectDefault(sql)
  return sql`
    insert into deal_json (org_id, deal_id, version, body)
    select d.org_id, d.id, ${DEFAULT_COLUMNS_VERSION}, ${object(sql, selected)}
    from deals d where d.org_id = ${org} and d.id = any(${[...ids]}::text[])
    on conflict (org_id, deal_id) do update set version = excluded.version, body = excluded.body`
}

/** One deal as compact JSON text. Property names are constants, so that the same columns are the same statement. */
const object = (sql: SqlClient, selected: ReadonlyArray<Selected>): Fragment =>
  sql`('{' || ${join(
    sql,
    selected.map(({ selector, value, structured }) =>
      structured
        ? sql`${name(sql, selector)} || coalesce(${value}, 'null')`
        : sql`${name(sql, selector)} || coalesce(to_json(${value})::text, 'null')`,
    ),
  )} || '}')`

const join = (sql: SqlClient, members: ReadonlyArray<Fragment>) =>
  members.reduce((all, member) => sql`${all} || ',' || ${member}`)

const name = (sql: SqlClient, selector: string) => sql.literal(`'${JSON.stringify(selector).replaceAll("'", "''")}:'`)

const body = (sql: SqlClient, query: PageQuery): Fragment =>
  query.selected === null ? sql`coalesce(j.body, ${object(sql, selectDefault(sql))})` : object(sql, query.selected)

const joins = (sql: SqlClient, query: PageQuery) =>
  query.selected === null
    ? sql`left join deal_json j on j.org_id = scope.org and j.deal_id = p.id and j.version = ${DEFAULT_COLUMNS_VERSION}`
    : sql.literal(joinsOf(query.selected))

const joinsOf = (selected: ReadonlyArray<Selected>) =>
  [...new Set(selected.flatMap((each) => each.joins))].map((join) => JOINS[join]).join("\n")

const source = (sql: SqlClient, searchQuery: string | undefined) =>
  searchQuery === undefined
    ? sql`deals d`
    : sql`deals_named_like(scope.org, ${searchQuery}) m join deals d on d.org_id = scope.org and d.id = m.id`

const numbered = (sql: SqlClient, query: PageQuery): Fragment => {
  const { sorting } = query
  const direction = sql.literal(sorting.order)
  return sql`
    select id, v,
      row_number() over (order by v ${direction} nulls last, id collate "C" ${direction}) - ${query.offset}::int as n
    from (${candidates(sql, query)}) candidate
    order by n limit ${query.size + 1}::int offset ${query.offset}::int`
}

/** The rows a page may come from: those with a value, in order, then those without. Each branch stops early. */
const candidates = (sql: SqlClient, query: PageQuery): Fragment => {
  const { sorting, after } = query
  const most = sql`limit ${query.offset + query.size + 1}::int`
  const direction = sql.literal(sorting.order)
  const column = sql.literal(sorting.sql)
  const branch = (value: Fragment, conditions: ReadonlyArray<Fragment>, order: Fragment) => sql`
    (select d.id, ${value} as v from ${source(sql, query.searchQuery)}
     where ${sql.and([sql`d.org_id = scope.org`, ...conditions, ...query.conditions])}
     order by ${order} ${most})`
  const valued = branch(
    sql`${column}`,
    [
      ...(sorting.nullable ? [sql`${column} is not null`] : []),
      ...(after !== undefined && after.value !== null
        ? [
            sql`(${column}, d.id collate "C") ${beyond(sql, sorting.order)} (${after.value}::${sql.literal(sorting.type)}, ${after.id})`,
          ]
        : []),
    ],
    sql`${column} ${direction}, d.id collate "C" ${direction}`,
  )
  if (!sorting.nullable) return valued
  const empty = branch(
    sql`null::${sql.literal(sorting.type)}`,
    [
      sql`${column} is null`,
      ...(after !== undefined && after.value === null
        ? [sql`d.id collate "C" ${beyond(sql, sorting.order)} ${after.id}`]
        : []),
    ],
    // The column is null in all of them, but named here the order is the index's, so that no row needs sorting.
    sql`${column} ${direction}, d.id collate "C" ${direction}`,
  )
  return after !== undefined && after.value === null ? empty : sql`${valued} union all ${empty}`
}

const beyond = (sql: SqlClient, order: SortOrder) => sql.literal(order === "asc" ? ">" : "<")
