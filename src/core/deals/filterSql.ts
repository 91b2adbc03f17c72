import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { ClosedSet, NamedIds } from "./closedSets.ts"
import {
  ARRAY_FILTER_NAMES,
  type ArrayFilter,
  type CanonicalFilters,
  MODIFIER_OF,
  type ModifiedFilter,
  type Modifier,
} from "./filters.ts"
import { type CrmProperties, crmCondition } from "./crmFilterSql.ts"
import { SCORE_COLUMNS, type ScoreColumn } from "./metrics.ts"

/** The part of the workspace that filters refer to. */
export interface FilterContext {
  readonly properties: CrmProperties
  /** Each segment's filters, under their canonical names. */
  readonly segments: ReadonlyMap<string, CanonicalFilters>
  /** The rows that the filters name. */
  readonly named: NamedIds
}

/**
 * The conditions of `filters` over `deals d`. Every subquery names the organization by `d.org_id` or `scope.org`, so they
 * work only inside `Database.scoped`.
 */
export const conditions = (
  sql: SqlClient,
  filters: CanonicalFilters,
  context: FilterContext,
): ReadonlyArray<Fragment> => {
  const all: Array<Fragment> = []
  const arrays = arrayFilters(sql, context)
  for (const name of ARRAY_FILTER_NAMES) {
    const values = filters[name]
    const modifier = isModified(name) ? filters[MODIFIER_OF[name]] : undefined
    if (values !== undefined || modifier !== undefined)
      all.push(array(sql, arrays[name], values ?? [], modifier ?? "is any of"))
  }
  for (const name of PLAIN_FILTERS) {
    const value = filters[name]
    if (value !== undefined) all.push(...(PLAIN[name] as Plain<unknown>)(sql, value, context))
  }
  return all
}

const isModified = (name: ArrayFilter): name is ModifiedFilter => name in MODIFIER_OF

/** The filters besides arrays, their modifiers, and `searchQuery`, which changes the `from` clause (`source`). */
type PlainFilter = Exclude<keyof CanonicalFilters, ArrayFilter | (typeof MODIFIER_OF)[ModifiedFilter] | "searchQuery">
type Plain<Value> = (sql: SqlClient, value: Value, context: FilterContext) => ReadonlyArray<Fragment>

const amount =
  (column: "amount" | ScoreColumn): Plain<{ readonly min?: number; readonly max?: number }> =>
  (sql, { min, max }) => [
    ...(min === undefined ? [] : [sql`d.${sql.literal(column)} >= ${min}::float8`]),
    ...(max === undefined ? [] : [sql`d.${sql.literal(column)} <= ${max}::float8`]),
  ]

const span =
  (column: "created_at" | "updated_at"): Plain<{ readonly from?: string; readonly to?: string }> =>
  (sql, { from, to }) => [
    ...(from === undefined ? [] : [sql`d.${sql.literal(column)} >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`d.${sql.literal(column)} ${through(sql, to)}`]),
  ]

const PLAIN: { readonly [K in PlainFilter]: Plain<NonNullable<CanonicalFilters[K]>> } = {
  amount: amount("amount"),
  ...(Object.fromEntries(SCORE_COLUMNS.map((column) => [column, amount(column)])) as {
    readonly [K in ScoreColumn]: ReturnType<typeof amount>
  }),
  close_date: (sql, { from, to }) => [
    ...(from === undefined ? [] : [sql`d.close_date >= ${from}::date`]),
    ...(to === undefined ? [] : [sql`d.close_date <= ${to}::date`]),
  ],
  created_at: span("created_at"),
  updated_at: span("updated_at"),
  analyzed: (sql, value) => [sql`d.deal_analyzed = ${value}::boolean`],
  verified: (sql, value) => [sql`d.analysis_verified = ${value}::boolean`],
  crm_filters: (sql, filters, { properties }) => filters.map((each) => crmCondition(sql, "deal", each, properties)),
  crm_account_filters: (sql, filters, { properties }) =>
    filters.map((each) => crmCondition(sql, "account", each, properties)),
}
const PLAIN_FILTERS = Object.keys(PLAIN) as ReadonlyArray<PlainFilter>

/**
 * Compares a column with the inclusive upper bound `end`: an instant, or a whole day in UTC. It casts a day to an instant,
 * because comparing an instant with a day is not leakproof, and row-level security would then prevent the use of an index.
 */
export const through = (sql: SqlClient, end: string): Fragment =>
  end.length === 10 ? sql`< (${end}::date + 1)::timestamptz` : sql`<= ${end}::timestamptz`

interface Sets {
  readonly anyOf: (values: ReadonlyArray<string>) => Fragment
  readonly present: Fragment
}

const array = (sql: SqlClient, sets: Sets, values: ReadonlyArray<string>, modifier: Modifier): Fragment => {
  switch (modifier) {
    case "is any of":
      return sets.anyOf(values)
    case "is not":
      return sql`(${sets.anyOf(values)}) is not true`
    case "is all of":
      return sql.and(values.map((value) => sets.anyOf([value])))
    case "is empty":
      return sql`not (${sets.present})`
    case "is not empty":
      return sets.present
  }
}

const arrayFilters = (sql: SqlClient, context: FilterContext): Readonly<Record<ArrayFilter, Sets>> => {
  const list = (values: ReadonlyArray<string>) => sql`${[...values]}::text[]`
  // For a single value, an index has the deals in order of creation; for several values it does not.
  const isAnyOf = (column: Fragment, values: ReadonlyArray<string>) =>
    values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${list(values)})`
  // The planner folds these constants and estimates by them. For an array from a subquery it assumes ten elements.
  const isAnyOfLower = (column: Fragment, values: ReadonlyArray<string>) =>
    values.length === 1
      ? sql`${column} = lower(${values[0]})`
      : sql`${column} = any(array[${sql.csv(values.map((value) => sql`lower(${value})`))}])`
  /** A column of the deal itself, ignoring case. */
  const own = (column: string): Sets => ({
    anyOf: (values) => isAnyOfLower(sql`d.${sql.literal(`lower_${column}`)}`, values),
    present: sql`d.${sql.literal(column)} is not null`,
  })
  /** An identifier, ignoring case. If identifiers differ only by case, as a CRM's may, only the exact one matches. */
  const identifier = (column: string): Sets => {
    const [name, lower] = [sql.literal(column), sql.literal(`lower_${column}`)]
    return {
      anyOf: (values) => sql`(${isAnyOfLower(sql`d.${lower}`, values)} and (${isAnyOf(sql`d.${name}`, values)}
        or not exists (select from deals e where e.org_id = scope.org and e.${lower} = d.${lower} and ${isAnyOf(sql`e.${name}`, values)})))`,
      present: sql`d.${name} is not null`,
    }
  }
  /** A row of `table` (alias `x`) that belongs to the deal and matches. */
  const related = (table: string, matches: (values: ReadonlyArray<string>) => Fragment, only = "true"): Sets => {
    const rows = (condition: Fragment) =>
      sql`exists (select from ${sql.literal(table)} x
        where x.org_id = scope.org and x.deal_id = d.id and ${sql.literal(only)} and ${condition})`
    return { anyOf: (values) => rows(matches(values)), present: rows(sql`true`) }
  }
  /** A column that refers to a row of `set`. The subquery resolves names in a segment's filters, which `context` lacks. */
  const refersTo = (set: ClosedSet, column: string) => (values: ReadonlyArray<string>) => {
    const known = context.named.get(set)
    if (known !== undefined && values.every((value) => known.has(value))) {
      return isAnyOf(sql.literal(column), [...new Set(values.flatMap((value) => known.get(value) ?? []))])
    }
    return sql`${sql.literal(column)} in (select n.id from ${sql.literal(set)} n where n.org_id = scope.org and (${isAnyOfLower(
      sql`lower(n.id)`,
      values,
    )} or ${isAnyOfLower(sql`lower(n.name)`, values)}))`
  }

  return {
    deal_ids: identifier("id"),
    crm_one_ids: identifier("crm_one_id"),
    crm_two_ids: identifier("crm_two_id"),
    owner_ids: { anyOf: refersTo("owners", "d.owner_id"), present: sql`d.owner_id is not null` },
    collaborators: related("deal_collaborators", refersTo("owners", "x.owner_id")),
    status: { anyOf: refersTo("stages", "d.status_id"), present: sql`d.status_id is not null` },
    deal_type: own("type"),
    region: own("region"),
    industry: {
      anyOf: (values) =>
        sql`d.client_id in (select n.id from clients n where n.org_id = scope.org and ${isAnyOfLower(sql`n.lower_industry`, values)})`,
      present: sql`exists (select from clients n where n.org_id = scope.org and n.id = d.client_id and n.industry is not null)`,
    },
    product_labels: related("deal_product_labels", (values) => isAnyOfLower(sql`x.lower_label`, values)),
    competitors: related("deal_competitors", refersTo("competitors", "x.competitor_id")),
    primary_competitors: related("deal_competitors", refersTo("competitors", "x.competitor_id"), "x.is_primary"),
    driver_ids: related("deal_drivers", refersTo("reasons", "x.reason_id")),
    feature_ids: related("associations", refersTo("features", "x.feature_id")),
    segment_ids: {
      anyOf: (values) => {
        const known = context.named.get("segments")
        return sql.or(values.flatMap((value) => known?.get(value) ?? []).map((id) => inSegment(sql, id, context)))
      },
      present: sql`true`,
    },
  }
}

const OWN_SETS = ["region", "deal_type", "status", "owner_ids"] as const

/** Filters on columns of the deal itself: cheaper per deal than those that read another table. */
const OWN_FILTERS: ReadonlySet<string> = new Set([
  "amount",
  "close_date",
  "created_at",
  "updated_at",
  "analyzed",
  "verified",
  ...SCORE_COLUMNS,
  ...OWN_SETS.flatMap((name) => [name, MODIFIER_OF[name]]),
])

/** Whether a segment with these filters reads only columns of the deal itself. */
export const readsDealsAlone = (filters: CanonicalFilters): boolean =>
  Object.keys(filters).every((name) => OWN_FILTERS.has(name))

/** The condition that `d` is in the segment; false if the segment does not exist. */
export const inSegment = (sql: SqlClient, id: string, context: FilterContext): Fragment => {
  const filters = context.segments.get(id)
  if (filters === undefined) return sql`false`
  // A segment cannot contain segments: the import refuses it.
  const { segment_ids: _, searchQuery, ...own } = filters
  const named =
    searchQuery === undefined
      ? sql`true`
      : sql`d.id in (select m.id from deals_named_like(scope.org, ${searchQuery}) m)`
  return sql`(${sql.and([named, ...conditions(sql, own, context)])})`
}
