import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { jsonArray } from "../../storage/json.ts"
import type { Selected } from "../selection/select.ts"

/** One deal as compact JSON text. Property names are literals, so that the same columns make the same statement. */
export const object = (sql: SqlClient, selected: ReadonlyArray<Selected>): Fragment =>
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

/**
 * Rows as `d`, joined with their related rows. One pass over each table reads them for all deals of the page, which costs a
 * fraction of one subquery per deal.
 */
export const withRelated = (sql: SqlClient, org: Fragment, rows: Fragment, selected: ReadonlyArray<Selected>) => {
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
