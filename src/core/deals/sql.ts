import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { insertSelected } from "../storage/recordChanges.ts"
import { utc } from "../storage/sql.ts"
import { jsonArray, jsonObject, jsonObjectOf, jsonValue } from "../storage/json.ts"
import { DEFAULT_COLUMNS_VERSION } from "./columns.ts"
import { type RowsQuery, selectRows, source } from "./rowsSql.ts"
import { type Selected, selectDefault } from "./select.ts"

export interface PageRow {
  /** A JSON array of deals in UTF-8. The reply forwards these bytes without decoding them. */
  readonly body: Uint8Array
  readonly last_id: string | null
  readonly last_value: string | null
  readonly has_more: boolean
}

const page = (sql: SqlClient, body: Fragment, { size }: RowsQuery) => sql`
  convert_to(coalesce('[' || string_agg(${body}, ',' order by d.n) filter (where d.n <= ${size}) || ']', '[]'), 'UTF8') as body,
  max(d.id) filter (where d.n = ${size}) as last_id,
  max(d.v::text) filter (where d.n = ${size}) as last_value,
  count(*) > ${size} as has_more`

/** One page with the requested columns, as JSON that PostgreSQL builds. All statements here run inside `Database.scoped`. */
export const selectPage = (sql: SqlClient, query: RowsQuery, selected: ReadonlyArray<Selected>): Fragment => {
  const rows = withRelated(sql, sql`scope.org`, selectRows(sql, query, "d.*"), selected)
  return sql`${rows.before} select ${page(sql, object(sql, rows.selected), query)} from ${rows.from}`
}

/**
 * Rows as `d`, joined with their related rows. One pass over each table reads them for all deals of the page, which costs a
 * fraction of one subquery per deal.
 */
const withRelated = (sql: SqlClient, org: Fragment, rows: Fragment, selected: ReadonlyArray<Selected>) => {
  let from = sql`page d`
  const joined = selected.map((each, n) => {
    const name = sql.literal(`related_${n}`)
    if (each.isSmallLookup) {
      from = sql`${from} left join lateral ${each.value} ${name}(value) on true`
      return { ...each, value: sql`${name}.value` }
    }
    if (each.list === undefined) return each
    const of = sql.literal(each.list.alias)
    from = sql`${from} left join (
      select ${of}.deal_id, ${sql.literal(jsonArray(each.list))} as value from ${sql.literal(each.list.from)}
      where ${of}.org_id = ${org} and ${of}.deal_id = any(array(select id from page)) group by ${of}.deal_id
    ) ${name} on ${name}.deal_id = d.id`
    return { ...each, value: sql`coalesce(${name}.value, '[]')` }
  })
  return selected.some(({ list, isSmallLookup }) => list !== undefined || isSmallLookup)
    ? { before: sql`with page as materialized (${rows})`, selected: joined, from }
    : { before: sql``, selected, from: sql`(${rows}) d` }
}

/**
 * One page of stored JSON. It renders nothing, because planning the rendering costs more than the whole page and is rarely
 * needed. If `stale`, a row has no current JSON: use `selectPage` instead.
 */
export const selectStoredPage = (sql: SqlClient, query: RowsQuery): Fragment => sql`
  select ${page(sql, sql`d.body`, query)}, coalesce(bool_or(d.body is null), false) as stale
  from (
    select r.*, (select j.body from deal_json j
      where j.org_id = scope.org and j.deal_id = r.id and j.version = ${DEFAULT_COLUMNS_VERSION}) as body
    from (${selectRows(sql, query, "d.id")}) r) d`

export const selectCount = (
  sql: SqlClient,
  conditions: ReadonlyArray<Fragment>,
  searchQuery: string | undefined,
): Fragment => sql`
  select count(*)::int as count from ${source(sql, searchQuery)}
  where ${sql.and([sql`d.org_id = scope.org`, ...conditions])}`

/** The first `limit` ids, in order. */
export const selectIds =
  (limit: number) =>
  (sql: SqlClient, conditions: ReadonlyArray<Fragment>, searchQuery: string | undefined): Fragment =>
    sql`
  select d.id from ${source(sql, searchQuery)}
  where ${sql.and([sql`d.org_id = scope.org`, ...conditions])} order by d.id limit ${limit}::int`

/** The largest amount whose sum over any number of deals fits a `float8`. Imports take no larger ones than `MAX_AMOUNT`. */
const SUMMABLE = 1e290

/** The number of deals, the number that have an amount, and the sum of the amounts. */
export const selectTotals = (
  sql: SqlClient,
  conditions: ReadonlyArray<Fragment>,
  searchQuery: string | undefined,
): Fragment => sql`
  select count(*)::int as count, count(d.amount)::int as valued, 
    case when max(abs(d.amount)) > ${SUMMABLE}::float8 then null
      else coalesce(sum(d.amount) filter (where abs(d.amount) <= ${SUMMABLE}::float8), 0) end as amount
  from ${source(sql, searchQuery)} where ${sql.and([sql`d.org_id = scope.org`, ...conditions])}`

/** The reasons among these deals' drivers, with the number of deals that each helped and hurt; the most frequent first. */
export const selectDrivers = (
  sql: SqlClient,
  conditions: ReadonlyArray<Fragment>,
  searchQuery: string | undefined,
): Fragment => sql`
  select r.id, r.name, count(distinct d.id)::int as deals,
    (count(distinct d.id) filter (where x.positive))::int as helped,
    (count(distinct d.id) filter (where not x.positive))::int as hurt
  from ${source(sql, searchQuery)}
  join deal_drivers x on x.org_id = d.org_id and x.deal_id = d.id
  join reasons r on r.org_id = x.org_id and r.id = x.reason_id
  where ${sql.and([sql`d.org_id = scope.org`, ...conditions])}
  group by r.id, r.name order by deals desc, r.name collate "C", r.id collate "C"`

/** One deal; no row if it does not exist. */
export const selectOne = (sql: SqlClient, id: string, selected: ReadonlyArray<Selected>): Fragment => sql`
  select ${object(sql, selected)} as body from deals d where d.org_id = scope.org and d.id = ${id}`

const stage = (alias: string, id: string) =>
  `case when c.${id} is null then 'null' else ${jsonObject({ id: `c.${id}`, name: `${alias}.name`, category: `${alias}.category` })} end`

const STAGE_CHANGES = jsonArray({
  element: jsonObjectOf({
    changed_at: jsonValue(utc("c.changed_at")),
    status: stage("s", "status_id"),
    previous_status: stage("p", "previous_status_id"),
  }),
  order: "c.changed_at, c.n",
})

/** A deal's stage changes as a JSON array, oldest first; no row if the deal does not exist. */
export const selectStageChanges = (sql: SqlClient, id: string): Fragment => sql`
  select (select ${sql.literal(STAGE_CHANGES)} from deal_stage_changes c
    left join stages s on s.org_id = c.org_id and s.id = c.status_id
    left join stages p on p.org_id = c.org_id and p.id = c.previous_status_id
    where c.org_id = scope.org and c.deal_id = d.id) as body
  from deals d where d.org_id = scope.org and d.id = ${id}`

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

/** One deal as compact JSON text. Property names are literals, so that the same columns make the same statement. */
const object = (sql: SqlClient, selected: ReadonlyArray<Selected>): Fragment =>
  sql`('{' || ${join(
    sql,
    selected.map(({ selector, value, kind }) =>
      kind === "structured"
        ? sql`${name(sql, selector)} || coalesce(${value}, 'null')`
        : sql`${name(sql, selector)} || coalesce(to_json(${value})::text, 'null')`,
    ),
  )} || '}')`

const join = (sql: SqlClient, members: ReadonlyArray<Fragment>) =>
  members.reduce((all, member) => sql`${all} || ',' || ${member}`)

const name = (sql: SqlClient, selector: string) => sql.literal(`'${JSON.stringify(selector).replaceAll("'", "''")}:'`)
