import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { utc } from "../storage/sql.ts"
import { jsonArray, jsonObject, jsonObjectOf, jsonValue } from "../storage/json.ts"
import { object } from "./rows/json.ts"
import { source } from "./rows/rows.ts"
import type { Selected } from "./selection/select.ts"

/** The number of deals that match. All statements here run inside `Database.scoped`. */
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
