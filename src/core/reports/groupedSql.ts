import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { matchingRows, onlyRows, type RowFilters } from "../deals/conditions/relations.ts"
import { type RelationName, RELATIONS } from "../deals/filters/relations.ts"
import { source } from "../deals/rows/rows.ts"
import type { DimensionSql, OfRow } from "./dimensionSql.ts"
import { ASSOCIATION_COUNTS, COUNTED, type Joined, joinsFor } from "./measureSql.ts"
import type { Subject } from "./measures.ts"

/** A measure over a group, as `measureSql` makes it. */
export interface Computed {
  readonly name: string
  readonly sql: Fragment
  readonly joins: ReadonlyArray<Joined>
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

export const lit = (sql: SqlClient, text: string) => sql.literal(text)
export const list = (sql: SqlClient, parts: ReadonlyArray<Fragment>) => sql.csv([...parts])

export const isOnRows = (dimension: DimensionSql): dimension is OfRow => dimension.of in RELATIONS

/** Relations in which a deal has one row for each value. */
const UNIQUE: ReadonlySet<RelationName> = new Set(["collaborators", "competitors", "primary_competitors", "incumbents"])

interface From {
  readonly from: Fragment
  /** The keys of the dimensions, and the values as written. */
  readonly keys: ReadonlyArray<Fragment>
  readonly written: ReadonlyArray<Fragment | undefined>
}

/** The deals with one row for each of their groups. With `detail`, one for each association, with its id. */
export const grouped = (sql: SqlClient, report: ReportSql, detail = false): From => {
  const { subject, dimensions, measures } = report
  const keys: Array<Fragment> = []
  const written: Array<Fragment | undefined> = []
  const onRows = new Map<RelationName, Array<number>>()
  if (subject === "associations") onRows.set("associations", [])
  const counted = countedIn(report)
  for (const { relation } of counted) onRows.set(relation, [])
  const joins = joinsFor(measures, dimensions.some(({ of }) => of === "stage") ? ["s"] : [])
  let from = sql`${source(sql, report.searchQuery)} ${lit(sql, joins)}`
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
    const alias = lit(
      sql,
      isSubject ? "a" : (counted.find((each) => each.relation === relation)?.alias ?? `r_${relation}`),
    )
    from = sql`${from} ${lit(sql, isSubject ? "join" : "left join")} (${selectRows(sql, report, relation, indexes, isSubject, detail)})
      ${alias} on ${alias}.deal_id = d.id`
    for (const index of indexes) {
      keys[index] = sql`${alias}.${lit(sql, `k${index}`)}`
      if (dimensions[index]!.written !== undefined) written[index] = sql`${alias}.${lit(sql, `w${index}`)}`
    }
  }
  return { from, keys, written }
}

/** The relations whose rows the measures read. */
const countedIn = ({ measures }: ReportSql) =>
  Object.entries(COUNTED).flatMap(([alias, counted]) =>
    measures.some(({ joins }) => joins.includes(alias as Joined)) ? [{ alias, ...counted }] : [],
  )

/** Joins what measures read of a deal beside its groups. */
export const measured = (sql: SqlClient, report: ReportSql): Fragment =>
  countedIn(report).reduce(
    (all, { alias, relation }) =>
      sql`${all} left join (${selectRows(sql, report, relation, [], false, false)}) ${lit(sql, `${alias} on ${alias}.deal_id = d.id`)}`,
    lit(sql, joinsFor(report.measures)),
  )

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
  entered: "left join stages e on e.org_id = scope.org and e.id = x.status_id",
  left: "left join stages l on l.org_id = scope.org and l.id = x.previous_status_id",
} as const

/** The rows of a relation, one for each deal and group. */
const selectRows = (
  sql: SqlClient,
  report: ReportSql,
  relation: RelationName,
  indexes: ReadonlyArray<number>,
  isSubject: boolean,
  detail: boolean,
): Fragment => {
  const dimensions = indexes.map((index) => [index, report.dimensions[index] as OfRow] as const)
  const isLoose = isSubject && detail
  const isGrouped = !isLoose && (isSubject || !UNIQUE.has(relation))
  const columns = dimensions.flatMap(([index, { key, written }]) => [
    sql`${key} as ${lit(sql, `k${index}`)}`,
    ...(written === undefined
      ? []
      : [sql`${isGrouped ? sql`min(${written} collate "C")` : written} as ${lit(sql, `w${index}`)}`]),
  ])
  const counts = isLoose
    ? ["x.id as association_id, x.sentiment"]
    : isSubject
      ? [ASSOCIATION_COUNTS]
      : countedIn(report).flatMap((each) => (each.relation === relation ? [each.columns] : []))
  const groupBy = isGrouped
    ? sql`group by ${list(sql, [lit(sql, "x.deal_id"), ...dimensions.map(([, { key }]) => key)])}`
    : sql``
  return sql`select ${list(sql, [lit(sql, "x.deal_id"), ...columns, ...counts.map((each) => lit(sql, each))])}
    ${rowSource(sql, report, relation, indexes)} ${groupBy}`
}

/** The rows `x` of a relation that count, with what the dimensions read beside them: the `from` and `where` clauses. */
export const rowSource = (
  sql: SqlClient,
  report: ReportSql,
  relation: RelationName,
  indexes: ReadonlyArray<number>,
): Fragment => {
  const joins = new Set(indexes.flatMap((index) => (report.dimensions[index] as OfRow).join ?? []))
  const filters = report.rowFilters.get(relation)
  const conditions = [
    sql`x.org_id = scope.org`,
    onlyRows(sql, relation),
    ...(filters === undefined ? [] : matchingRows(sql, filters)),
  ]
  const from = [
    `${RELATIONS[relation].table} x`,
    ...[...joins].flatMap((join) => (join === "tags" ? [] : [JOINS[join]])),
  ].join(" ")
  return sql`from ${lit(sql, from)} ${joins.has("tags") ? selectTags(sql, report) : sql``} where ${sql.and(conditions)}`
}

const selectTags = (sql: SqlClient, { tags }: ReportSql): Fragment => sql`
  left join lateral (select distinct on (lower(u)) u from unnest(x.tags) u ${
    tags === undefined
      ? sql``
      : sql`where lower(u) = any(array[${list(
          sql,
          tags.map((tag) => sql`lower(${tag})`),
        )}])`
  } order by lower(u), u collate "C") tag(t) on true`

export const where = (sql: SqlClient, { conditions }: ReportSql) => sql.and([sql`d.org_id = scope.org`, ...conditions])

export const values = (sql: SqlClient, { measures }: ReportSql): ReadonlyArray<Fragment> =>
  measures.map(({ sql: value }, index) => sql`${value} as ${lit(sql, `m${index}`)}`)
