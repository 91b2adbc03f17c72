import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { RelationName } from "../deals/filters/relations.ts"
import type { DimensionSql, OfRow } from "./dimensionSql.ts"
import { grouped, isOnRows, list, lit, measured, type ReportSql, rowSource, values, where } from "./groupedSql.ts"
import { ASSOCIATION_COUNTS } from "./measureSql.ts"

/**
 * The measures over the groups beyond the limit, as JSON, read from the groups `ranked`. A deal or association in several of them counts
 * once.
 */
export const selectOthers = (sql: SqlClient, report: ReportSql): Fragment => {
  const hits = report.having.length > 0 ? hitsByGroup(sql, report) : hitsByBounds(sql, report)
  const joins = measured(sql, report)
  const counted = sql`(select x.deal_id, ${lit(sql, ASSOCIATION_COUNTS)} from (select distinct * from hit) x group by x.deal_id) a`
  const deals =
    report.subject === "associations"
      ? sql`${counted} join deals d on d.org_id = scope.org and d.id = a.deal_id ${joins}`
      : sql`hit join deals d on d.org_id = scope.org and d.id = hit.deal_id ${joins}`
  return sql`with ${hits} select row_to_json(h) from (select ${list(sql, values(sql, report))} from ${deals}) h`
}

/** The columns of `hit`: the deal or the association, which counts once. */
const selectColumns = ({ subject }: ReportSql, deal: string, association: string) =>
  subject === "associations"
    ? `${deal} as deal_id, ${association}.association_id, ${association}.sentiment`
    : `${deal} as deal_id`

/** `having` excludes groups that are neither shown nor others, so every row is joined with the groups. */
const hitsByGroup = (sql: SqlClient, report: ReportSql): Fragment => {
  const { from, keys } = grouped(sql, { ...report, measures: [] }, true)
  const isCut = sql.and(
    keys.map((key, index) => {
      const cut = lit(sql, `cut.k${index}`)
      // Unlike `is not distinct from`, equality can be hashed.
      return sql`coalesce((${key})::text, '') = coalesce(${cut}::text, '') and ((${key}) is null) = (${cut} is null)`
    }),
  )
  return sql`hit as materialized (select distinct ${lit(sql, selectColumns(report, "d.id", "a"))}
    from ${from} join ranked cut on cut.n > ${report.limit}::int and ${isCut} where ${where(sql, report)})`
}

/**
 * A deal is in a group that is not shown if one of its combinations of values is not. The lowest and the highest value of each relation make
 * some of the combinations, which decide for most deals. Few deals are joined with all their rows.
 */
const hitsByBounds = (sql: SqlClient, report: ReportSql): Fragment => {
  const { dimensions, subject } = report
  /** The dimensions of each relation that is not the subject, and the others. */
  const bounded = new Map<RelationName, Array<number>>()
  const direct: Array<number> = []
  for (const [index, dimension] of dimensions.entries()) {
    if (!isOnRows(dimension) || (subject === "associations" && dimension.of === "associations")) direct.push(index)
    else bounded.set(dimension.of, [...(bounded.get(dimension.of) ?? []), index])
  }
  const base = grouped(sql, { ...report, measures: [], dimensions: direct.map((index) => dimensions[index]!) }, true)
  const shown = list(
    sql,
    dimensions.map((dimension, index) => encode(sql, dimension, lit(sql, `h.k${index}`))),
  )
  const isHidden = (values: ReadonlyArray<Fragment>) => sql`(${list(sql, values)}) not in (select * from shown)`
  const ofDirect = new Map(direct.map((index, n) => [index, encode(sql, dimensions[index]!, base.keys[n]!)]))
  const combinations = [...bounded].reduce<ReadonlyArray<ReadonlyMap<number, Fragment>>>(
    (all, [relation, indexes]) =>
      all.flatMap((before) =>
        ["lo", "hi"].map((bound) => new Map([...before, ...selectBounds(sql, relation, indexes, bound)])),
      ),
    [ofDirect],
  )
  const inOrder = (values: ReadonlyMap<number, Fragment>) => dimensions.map((_, index) => values.get(index)!)
  const from = [...bounded].reduce((before, [relation, indexes]) => {
    const alias = lit(sql, `b_${relation}`)
    return sql`${before} left join (${selectRanges(sql, report, relation, indexes)}) ${alias} on ${alias}.deal_id = d.id`
  }, base.from)
  const more = [...bounded.keys()].map((relation) => sql`coalesce(${lit(sql, `b_${relation}`)}.more, false)`)
  const columns = [
    lit(sql, selectColumns(report, "d.id", "a")),
    ...direct.map((index) => sql`${ofDirect.get(index)!} as ${lit(sql, `e${index}`)}`),
    sql`${sql.or(combinations.map((values) => isHidden(inOrder(values))))} as is_hit`,
    sql`${more.length === 0 ? sql`false` : sql.or(more)} as is_open`,
  ]
  const rows = [...bounded].reduce(
    (before, [relation, indexes]) => {
      const alias = lit(sql, `r_${relation}`)
      return sql`${before} left join (${selectValues(sql, report, relation, indexes)}) ${alias} on ${alias}.deal_id = seen.deal_id`
    },
    sql`seen`,
  )
  const ofRows = dimensions.map(({ of }, index) =>
    ofDirect.has(index) ? lit(sql, `seen.e${index}`) : lit(sql, `coalesce(r_${of}.e${index}, '')`),
  )
  const found = lit(sql, selectColumns(report, "seen.deal_id", "seen"))
  // Without segments and associations, each deal is one row.
  const isOnce = subject === "deals" && dimensions.every(({ of }) => of !== "segments")
  return sql`
    shown as materialized (select ${shown} from ranked h where h.n <= ${report.limit}::int limit ${report.limit}::int),
    seen as materialized (select ${list(sql, columns)} from ${from} where ${where(sql, report)}),
    hit as materialized (
      select ${found} from seen where is_hit ${lit(sql, isOnce ? "union all" : "union")}
      select distinct ${found} from ${rows} where not seen.is_hit and seen.is_open and ${isHidden(ofRows)})`
}

/** A key as a text that is never null. Ids are never empty. */
const encode = (sql: SqlClient, { names }: DimensionSql, key: Fragment): Fragment =>
  names === undefined ? sql`coalesce('=' || (${key})::text, '')` : sql`coalesce(${key}, '')`

/** The encoded keys of dimensions that are read from rows of a relation. */
const selectKeys = (sql: SqlClient, report: ReportSql, indexes: ReadonlyArray<number>): ReadonlyArray<Fragment> =>
  indexes.map((index) => {
    const dimension = report.dimensions[index] as OfRow
    return encode(sql, dimension, dimension.key)
  })

/** The values of each deal, each as often as it has a row with it. */
const selectValues = (
  sql: SqlClient,
  report: ReportSql,
  relation: RelationName,
  indexes: ReadonlyArray<number>,
): Fragment => {
  const values = selectKeys(sql, report, indexes).map((key, n) => sql`${key} as ${lit(sql, `e${indexes[n]}`)}`)
  return sql`select ${list(sql, [lit(sql, "x.deal_id"), ...values])} ${rowSource(sql, report, relation, indexes)}`
}

/** The lowest and the highest value of each deal, and whether it may have `more`. */
const selectRanges = (
  sql: SqlClient,
  report: ReportSql,
  relation: RelationName,
  indexes: ReadonlyArray<number>,
): Fragment => {
  const values = selectKeys(sql, report, indexes)
  const value = values.length === 1 ? values[0]! : sql`array[${list(sql, values)}]`
  return sql`select x.deal_id, min((${value}) collate "C") as lo, max((${value}) collate "C") as hi, count(*) > 2 as more
    ${rowSource(sql, report, relation, indexes)} group by x.deal_id`
}

/** The values of the dimensions at one end of a deal's range. A deal without rows has none. */
const selectBounds = (
  sql: SqlClient,
  relation: RelationName,
  indexes: ReadonlyArray<number>,
  bound: string,
): ReadonlyArray<readonly [number, Fragment]> =>
  indexes.map((index, n) => [
    index,
    sql`coalesce(${lit(sql, `b_${relation}.${bound}${indexes.length === 1 ? "" : `[${n + 1}]`}`)}, '')`,
  ])
