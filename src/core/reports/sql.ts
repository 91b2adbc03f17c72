import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { grouped, list, lit, type ReportSql, values, where } from "./groupedSql.ts"
import { selectOthers } from "./othersSql.ts"
import type { Encoded } from "./rows.ts"

/** One group: a JSON object with the keys `k0`…, the names `n0`… and the measures `m0`…. */
export type GroupRow = Readonly<Record<string, string | number | null>>

export interface ReportRows {
  readonly total: Readonly<Record<string, number | null>> & { readonly all_deals: number; readonly valued: number }
  readonly rows: ReadonlyArray<GroupRow>
  /** The number of groups, also beyond the limit. */
  readonly groups: number
  /** The measures over the groups beyond the limit. */
  readonly others: Encoded | null
}

/** The measures over deals that count once. */
const totals = (sql: SqlClient, report: ReportSql): Fragment => {
  const { from } = grouped(sql, { ...report, dimensions: [] })
  return sql`select ${list(sql, [...values(sql, report), sql`count(*) as all_deals`, sql`count(d.amount) as valued`])}
    from ${from} where ${where(sql, report)}`
}

/** The groups, ranked: keys `k0`…, written values `w0`…, measures `m0`… and the rank `n`. Reads the totals as `total`. */
const ranked = (sql: SqlClient, report: ReportSql): Fragment => {
  const { from, keys, written } = grouped(sql, report)
  const texts = written.flatMap((value, index) =>
    value === undefined ? [] : [sql`min(${value} collate "C") as ${lit(sql, `w${index}`)}`],
  )
  const groups = sql`
    select ${list(sql, [...keys.map((key, index) => sql`${key} as ${lit(sql, `k${index}`)}`), ...texts, ...values(sql, report)])}
    from ${from} where ${where(sql, report)} group by ${lit(sql, keys.map((_, index) => index + 1).join())}`
  const conditions = report.having.flatMap(({ measure, min, max }) => [
    ...(min === undefined ? [] : [sql`${selectValue(sql, report, measure)} >= ${min}::float8`]),
    ...(max === undefined ? [] : [sql`${selectValue(sql, report, measure)} <= ${max}::float8`]),
  ])
  if (report.shown !== undefined && report.shown.dimensions.length > 0) {
    const key = lit(
      sql,
      `json_build_array(${report.shown.dimensions.map((index) => `h.k${index}::text`).join()})::text`,
    )
    conditions.push(sql`${key} = any(${[...report.shown.keys]}::text[])`)
  }
  return sql`select h.*, row_number() over (order by ${list(sql, orderBy(sql, report))}) as n
    from (${groups}) h where ${sql.and([sql`true`, ...conditions])}`
}

/** A measure of a group. A share is divided by the total. */
const selectValue = (sql: SqlClient, { measures }: ReportSql, index: number): Fragment => {
  const value = lit(sql, `h.m${index}`)
  if (!measures[index]!.isShare) return value
  const total = sql`(select ${lit(sql, `m${index}`)} from total)`
  return sql`(${value} / nullif(nullif(${total}, 0), 'infinity'))`
}

const selectName = (sql: SqlClient, { dimensions }: ReportSql, index: number): Fragment => {
  const { names, written } = dimensions[index]!
  if (names !== undefined) {
    return sql`(select n.name from ${lit(sql, names)} n where n.org_id = scope.org and n.id = ${lit(sql, `h.k${index}`)})`
  }
  return lit(sql, written === undefined ? `h.k${index}::text` : `h.w${index}`)
}

const orderBy = (sql: SqlClient, report: ReportSql): ReadonlyArray<Fragment> => [
  ...report.order.map(({ by, descending }) => {
    const direction = lit(sql, descending ? "desc nulls last" : "asc nulls last")
    if ("measure" in by) return sql`${selectValue(sql, report, by.measure)} ${direction}`
    const { names, written } = report.dimensions[by.dimension]!
    return names === undefined && written === undefined
      ? sql`${lit(sql, `h.k${by.dimension}`)} ${direction}`
      : sql`${selectName(sql, report, by.dimension)} collate "C" ${direction}`
  }),
  // Ties have an order too.
  ...report.dimensions.map((_, index) => lit(sql, `h.k${index}::text collate "C" nulls last`)),
]

/**
 * The totals and, if the report has dimensions, the first groups; with `hasOthers` also the measures over the groups beyond the limit, if there
 * are any. One row.
 */
export const selectReport = (sql: SqlClient, report: ReportSql, hasOthers: boolean): Fragment => {
  if (report.dimensions.length === 0) {
    return sql`select (select row_to_json(total) from (${totals(sql, report)}) total) as total, '[]'::json as rows, 0 as groups, null as others`
  }
  const columns = [
    ...report.dimensions.flatMap((_, index) => [
      lit(sql, `h.k${index}::text as k${index}`),
      sql`${selectName(sql, report, index)} as ${lit(sql, `n${index}`)}`,
    ]),
    ...report.measures.map((_, index) => sql`${selectValue(sql, report, index)} as ${lit(sql, `m${index}`)}`),
  ]
  const groups = sql`(select count(*) from ranked)::int`
  return sql`
    with total as materialized (${totals(sql, report)}), ranked as materialized (${ranked(sql, report)})
    select (select row_to_json(total) from total) as total, ${groups} as groups,
      (select coalesce(json_agg(row_to_json(shown) order by shown.n), '[]') from (
        select h.n, ${list(sql, columns)} from ranked h where h.n <= ${report.limit}::int) shown) as rows,
      ${hasOthers ? sql`case when ${groups} > ${report.limit}::int then (${selectOthers(sql, report)}) end` : sql`null`} as others`
}
