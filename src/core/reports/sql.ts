import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { matchingRows, onlyOf, type RelationName, RELATIONS, type RowFilters } from "../deals/relations.ts"
import { source } from "../deals/rowsSql.ts"
import type { DimensionSql, OfRow } from "./dimensionSql.ts"
import { ASSOCIATION_COUNTS } from "./measureSql.ts"
import type { Subject } from "./measures.ts"

/** A measure over a group, as `measureSql` makes it. */
export interface Computed {
  readonly name: string
  readonly sql: Fragment
  readonly needsStage: boolean
  /** The value is divided by that of all deals. */
  readonly isShare: boolean
}

export interface Order {
  /** The index of a measure or dimension. */
  readonly by: { readonly measure: number } | { readonly dimension: number }
  readonly descending: boolean
}

/** The computation of a report, and its deals. All statements here run inside `Database.scoped`. */
export interface ReportSql {
  readonly subject: Subject
  readonly dimensions: ReadonlyArray<DimensionSql>
  readonly measures: ReadonlyArray<Computed>
  readonly conditions: ReadonlyArray<Fragment>
  readonly searchQuery: string | undefined
  /** The filters on rows of the deals, which bind their groups too. */
  readonly rowFilters: ReadonlyMap<RelationName, RowFilters>
  /** The tags to which a filter limits groups by tag. */
  readonly tags: ReadonlyArray<string> | undefined
  /** The segments that can be groups, each with its condition. */
  readonly segments: ReadonlyArray<{ readonly id: string; readonly isMember: Fragment }>
  readonly having: ReadonlyArray<{ readonly measure: number; readonly min?: number; readonly max?: number }>
  readonly order: ReadonlyArray<Order>
  readonly limit: number
  /** Only groups with these keys of some dimensions, as `json_build_array` writes them. */
  readonly shown: { readonly dimensions: ReadonlyArray<number>; readonly keys: ReadonlyArray<string> } | undefined
}

/** One group: a JSON object with the keys `k0`…, the names `n0`… and the measures `m0`…. */
export type GroupRow = Readonly<Record<string, string | number | null>>

export interface ReportRows {
  readonly total: Readonly<Record<string, number | null>> & { readonly all_deals: number; readonly valued: number }
  readonly rows: ReadonlyArray<GroupRow>
  /** The number of groups, also beyond the limit. */
  readonly groups: number
}

const lit = (sql: SqlClient, text: string) => sql.literal(text)
const list = (sql: SqlClient, parts: ReadonlyArray<Fragment>) => sql.csv([...parts])

const isOnRows = (dimension: DimensionSql): dimension is OfRow => dimension.of in RELATIONS

/** Relations in which a deal has one row for each value. */
const UNIQUE: ReadonlySet<RelationName> = new Set(["collaborators", "competitors", "primary_competitors", "incumbents"])

interface From {
  readonly from: Fragment
  /** The keys of the dimensions, and the values as written. */
  readonly keys: ReadonlyArray<Fragment>
  readonly written: ReadonlyArray<Fragment | undefined>
}

/** The deals with one row for each of their groups. With `detail`, one for each association, with its id. */
const grouped = (sql: SqlClient, report: ReportSql, detail = false): From => {
  const { subject, dimensions, measures } = report
  const keys: Array<Fragment> = []
  const written: Array<Fragment | undefined> = []
  const onRows = new Map<RelationName, Array<number>>()
  if (subject === "associations") onRows.set("associations", [])
  let from = source(sql, report.searchQuery)
  if (measures.some(({ needsStage }) => needsStage) || dimensions.some(({ of }) => of === "stage")) {
    from = sql`${from} left join stages s on s.org_id = scope.org and s.id = d.status_id`
  }
  if (dimensions.some(({ of }) => of === "client")) {
    from = sql`${from} left join clients n on n.org_id = scope.org and n.id = d.client_id`
  }
  for (const [index, dimension] of dimensions.entries()) {
    if (isOnRows(dimension)) {
      onRows.set(dimension.of, [...(onRows.get(dimension.of) ?? []), index])
    } else if (dimension.of === "segments") {
      from = sql`${from} left join lateral (${memberships(sql, report)}) g on true`
      keys[index] = lit(sql, "g.id")
    } else {
      keys[index] = dimension.key
      written[index] = dimension.written
    }
  }
  for (const [relation, indexes] of onRows) {
    const isSubject = subject === "associations" && relation === "associations"
    const alias = lit(sql, isSubject ? "a" : `r_${relation}`)
    from = sql`${from} ${lit(sql, isSubject ? "join" : "left join")} (${rowsOf(sql, report, relation, indexes, isSubject, detail)})
      ${alias} on ${alias}.deal_id = d.id`
    for (const index of indexes) {
      keys[index] = sql`${alias}.${lit(sql, `k${index}`)}`
      if (dimensions[index]!.written !== undefined) written[index] = sql`${alias}.${lit(sql, `w${index}`)}`
    }
  }
  return { from, keys, written }
}

/** The segments of a deal, as rows. */
const memberships = (sql: SqlClient, { segments }: ReportSql): Fragment =>
  segments.length === 0
    ? sql`select null::text as id where false`
    : sql`select v.id from (values ${list(
        sql,
        segments.map(({ id, isMember }) => sql`(${id}::text, ${isMember})`),
      )}) v(id, is_member) where v.is_member`

const JOINS = {
  reasons: "join reasons y on y.org_id = scope.org and y.id = x.reason_id",
  features: "join features y on y.org_id = scope.org and y.id = x.feature_id",
} as const

/** The rows of a relation, one for each deal and group. */
const rowsOf = (
  sql: SqlClient,
  report: ReportSql,
  relation: RelationName,
  indexes: ReadonlyArray<number>,
  isSubject: boolean,
  detail: boolean,
): Fragment => {
  const dimensions = indexes.map((index) => [index, report.dimensions[index] as OfRow] as const)
  const joins = new Set(dimensions.flatMap(([, { join }]) => join ?? []))
  const filters = report.rowFilters.get(relation)
  const conditions = [
    sql`x.org_id = scope.org`,
    onlyOf(sql, relation),
    ...(filters === undefined ? [] : matchingRows(sql, filters)),
  ]
  const isLoose = isSubject && detail
  const isGrouped = !isLoose && (isSubject || !UNIQUE.has(relation))
  const columns = dimensions.flatMap(([index, { key, written }]) => [
    sql`${key} as ${lit(sql, `k${index}`)}`,
    ...(written === undefined
      ? []
      : [sql`${isGrouped ? sql`min(${written} collate "C")` : written} as ${lit(sql, `w${index}`)}`]),
  ])
  const counts = isLoose ? ["x.id as association_id, x.sentiment"] : isSubject ? [ASSOCIATION_COUNTS] : []
  const from = [
    `${RELATIONS[relation].table} x`,
    ...(joins.has("reasons") ? [JOINS.reasons] : []),
    ...(joins.has("features") ? [JOINS.features] : []),
  ].join(" ")
  const groupBy = isGrouped
    ? sql`group by ${list(sql, [lit(sql, "x.deal_id"), ...dimensions.map(([, { key }]) => key)])}`
    : sql``
  return sql`select ${list(sql, [lit(sql, "x.deal_id"), ...columns, ...counts.map((each) => lit(sql, each))])}
    from ${lit(sql, from)} ${joins.has("tags") ? tagsOf(sql, report) : sql``} where ${sql.and(conditions)} ${groupBy}`
}

const tagsOf = (sql: SqlClient, { tags }: ReportSql): Fragment => sql`
  left join lateral (select distinct on (lower(u)) u from unnest(x.tags) u ${
    tags === undefined
      ? sql``
      : sql`where lower(u) = any(array[${list(
          sql,
          tags.map((tag) => sql`lower(${tag})`),
        )}])`
  } order by lower(u), u collate "C") tag(t) on true`

const where = (sql: SqlClient, { conditions }: ReportSql) => sql.and([sql`d.org_id = scope.org`, ...conditions])

const values = (sql: SqlClient, { measures }: ReportSql) =>
  measures.map(({ sql: value }, index) => sql`${value} as ${lit(sql, `m${index}`)}`)

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
    ...(min === undefined ? [] : [sql`${valueOf(sql, report, measure)} >= ${min}::float8`]),
    ...(max === undefined ? [] : [sql`${valueOf(sql, report, measure)} <= ${max}::float8`]),
  ])
  if (report.shown !== undefined && report.shown.dimensions.length > 0) {
    const key = lit(
      sql,
      `json_build_array(${report.shown.dimensions.map((index) => `h.k${index}::text`).join()})::text`,
    )
    conditions.push(sql`${key} = any(${[...report.shown.keys]}::text[])`)
  }
  return sql`select h.*, row_number() over (order by ${list(sql, orderOf(sql, report))}) as n
    from (${groups}) h where ${sql.and([sql`true`, ...conditions])}`
}

/** A measure of a group. A share is divided by the total. */
const valueOf = (sql: SqlClient, { measures }: ReportSql, index: number): Fragment => {
  const value = lit(sql, `h.m${index}`)
  if (!measures[index]!.isShare) return value
  const total = sql`(select ${lit(sql, `m${index}`)} from total)`
  return sql`(${value} / nullif(nullif(${total}, 0), 'infinity'))`
}

const nameOf = (sql: SqlClient, { dimensions }: ReportSql, index: number): Fragment => {
  const { names, written } = dimensions[index]!
  if (names !== undefined) {
    return sql`(select n.name from ${lit(sql, names)} n where n.org_id = scope.org and n.id = ${lit(sql, `h.k${index}`)})`
  }
  return lit(sql, written === undefined ? `h.k${index}::text` : `h.w${index}`)
}

const orderOf = (sql: SqlClient, report: ReportSql): ReadonlyArray<Fragment> => [
  ...report.order.map(({ by, descending }) => {
    const direction = lit(sql, descending ? "desc nulls last" : "asc nulls last")
    if ("measure" in by) return sql`${valueOf(sql, report, by.measure)} ${direction}`
    const { names, written } = report.dimensions[by.dimension]!
    return names === undefined && written === undefined
      ? sql`${lit(sql, `h.k${by.dimension}`)} ${direction}`
      : sql`${nameOf(sql, report, by.dimension)} collate "C" ${direction}`
  }),
  // Ties have an order too.
  ...report.dimensions.map((_, index) => lit(sql, `h.k${index}::text collate "C" nulls last`)),
]

/** The totals and, if the report has dimensions, the first groups. One row. */
export const reportOf = (sql: SqlClient, report: ReportSql): Fragment => {
  if (report.dimensions.length === 0) {
    return sql`select (select row_to_json(total) from (${totals(sql, report)}) total) as total, '[]'::json as rows, 0 as groups`
  }
  const columns = [
    ...report.dimensions.flatMap((_, index) => [
      lit(sql, `h.k${index}::text as k${index}`),
      sql`${nameOf(sql, report, index)} as ${lit(sql, `n${index}`)}`,
    ]),
    ...report.measures.map((_, index) => sql`${valueOf(sql, report, index)} as ${lit(sql, `m${index}`)}`),
  ]
  return sql`
    with total as materialized (${totals(sql, report)}), ranked as materialized (${ranked(sql, report)})
    select (select row_to_json(total) from total) as total, (select count(*) from ranked)::int as groups,
      (select coalesce(json_agg(row_to_json(shown) order by shown.n), '[]') from (
        select h.n, ${list(sql, columns)} from ranked h where h.n <= ${report.limit}::int) shown) as rows`
}

/** The measures over the groups beyond the limit; a deal or association in several of them counts once. */
export const othersOf = (sql: SqlClient, report: ReportSql): Fragment => {
  const { from, keys } = grouped(sql, report, true)
  const isCut = sql.and(
    keys.map((key, index) => {
      const cut = lit(sql, `cut.k${index}`)
      // Unlike `is not distinct from`, equality can be hashed.
      return sql`coalesce((${key})::text, '') = coalesce(${cut}::text, '') and ((${key}) is null) = (${cut} is null)`
    }),
  )
  const isOfAssociations = report.subject === "associations"
  const hits = sql`select d.id as deal_id${lit(sql, isOfAssociations ? ", a.association_id, a.sentiment" : "")}
    from ${from} join ranked cut on cut.n > ${report.limit}::int and ${isCut} where ${where(sql, report)}`
  const stage = report.measures.some(({ needsStage }) => needsStage)
    ? sql`left join stages s on s.org_id = scope.org and s.id = d.status_id`
    : sql``
  const counted = sql`(select x.deal_id, ${lit(sql, ASSOCIATION_COUNTS)} from (select distinct * from hit) x group by x.deal_id) a`
  const deals = isOfAssociations
    ? sql`${counted} join deals d on d.org_id = scope.org and d.id = a.deal_id ${stage}`
    : sql`deals d ${stage} where d.org_id = scope.org and d.id in (select deal_id from hit)`
  return sql`
    with total as materialized (${totals(sql, report)}), ranked as materialized (${ranked(sql, report)}), hit as materialized (${hits})
    select row_to_json(h) as total, '[]'::json as rows, 0 as groups from (
      select ${list(sql, [...values(sql, report), sql`count(*) as all_deals`, sql`count(d.amount) as valued`])} from ${deals}) h`
}
