import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { source } from "../deals/rowsSql.ts"
import type { Selected } from "../deals/selectors.ts"
import type { Framing } from "./csv.ts"
import type { Position } from "./page.ts"

/** Which deals are exported, and which of their columns. */
export interface Selection {
  readonly conditions: ReadonlyArray<Fragment>
  readonly searchQuery: string | undefined
  readonly selected: ReadonlyArray<Selected>
}

const ORDER = `d.created_at desc, d.id collate "C" desc`

/**
 * Every deal that `from` gives as `d`, in the order that GET /deals has unless told otherwise. Like all SQL of deals it needs
 * `scope.org`, which is a constant here that the planner sees.
 */
const rowsOf = (
  sql: SqlClient,
  org: string,
  from: Fragment,
  selected: Selection["selected"],
  row: (cells: Fragment) => Fragment,
): Fragment => {
  const joins: Array<Fragment> = []
  const cells = selected.map(({ value, instant, kind, lookup }) => {
    if (!lookup) return instant ?? (kind === "structured" ? value : sql`(${value})::text`)
    const name = sql.literal(`l${joins.length}`)
    joins.push(sql`left join lateral ${value} ${name}(v) on true`)
    return sql`${name}.v`
  })
  return sql`select deal.* from (select ${org}::text as org) scope, lateral (
    select ${row(sql.csv(cells))}
    from (${from}) d ${joins.reduce((all, join) => sql`${all} ${join}`, sql``)}
    order by ${sql.literal(ORDER)}) deal`
}

const found = (sql: SqlClient, { conditions, searchQuery }: Selection, beyond: ReadonlyArray<Fragment> = []) =>
  sql`select d.* from ${source(sql, searchQuery)} where ${sql.and([sql`d.org_id = scope.org`, ...beyond, ...conditions])}`

/** All of them as one statement, in a transaction of `org`. */
export const allOf = (
  sql: SqlClient,
  org: string,
  selection: Selection,
  framing: Exclude<Framing, "pages">,
): Fragment =>
  rowsOf(sql, org, found(sql, selection), selection.selected, (cells) =>
    framing === "copy" ? cells : sql`record_send(row(${cells})) as frame`,
  )

/**
 * A page, each row after its position, in a transaction of `org`. The deals are found first, by index; what they refer to is
 * then looked up for all of them at once.
 */
export const pageOf = (
  sql: SqlClient,
  org: string,
  selection: Selection,
  after: Position | undefined,
  size: number,
): Fragment => {
  const beyond = sql`(d.created_at, d.id collate "C") < (${after?.at ?? "infinity"}::timestamptz, ${after?.id ?? ""})`
  const page = sql`${found(sql, selection, [beyond])} order by ${sql.literal(ORDER)} limit ${size}::int`
  return rowsOf(sql, org, page, selection.selected, (cells) => sql`d.created_at, d.id, ${cells}`)
}
