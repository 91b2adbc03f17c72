import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { type CanonicalFilters, MODIFIER_OF, type Modifier } from "./filters.ts"
import { type CrmProperties, crmCondition } from "./crmFilterSql.ts"
import { SCORE_COLUMNS } from "./metrics.ts"

/** What of the workspace a filter may refer to. */
export interface FilterContext {
  readonly properties: CrmProperties
  /** Each segment's own filters, canonical. */
  readonly segments: ReadonlyMap<string, CanonicalFilters>
}

/**
 * The conditions over `deals d` that `filters` stand for. Every subquery names the organization by `d.org_id` or
 * `scope.org`, so that it can only be used inside `Database.scoped`.
 */
export const conditions = (
  sql: SqlClient,
  filters: CanonicalFilters,
  context: FilterContext,
): ReadonlyArray<Fragment> => {
  const all: Array<Fragment> = []
  for (const [name, sets] of Object.entries(arrayFilters(sql, context))) {
    const values = filters[name as ArrayFilter]
    const modifier = name in MODIFIER_OF ? filters[MODIFIER_OF[name as keyof typeof MODIFIER_OF]] : undefined
    if (values !== undefined || modifier !== undefined)
      all.push(array(sql, sets, values ?? [], modifier ?? "is any of"))
  }
  for (const name of ["amount", ...SCORE_COLUMNS] as const) {
    const bounds = filters[name]
    if (bounds?.min !== undefined) all.push(sql`d.${sql.literal(name)} >= ${bounds.min}::float8`)
    if (bounds?.max !== undefined) all.push(sql`d.${sql.literal(name)} <= ${bounds.max}::float8`)
  }
  if (filters.close_date?.from !== undefined) all.push(sql`d.close_date >= ${filters.close_date.from}::date`)
  if (filters.close_date?.to !== undefined) all.push(sql`d.close_date <= ${filters.close_date.to}::date`)
  for (const name of ["created_at", "updated_at"] as const) {
    const bounds = filters[name]
    if (bounds?.from !== undefined) all.push(sql`d.${sql.literal(name)} >= ${bounds.from}::timestamptz`)
    if (bounds?.to !== undefined) all.push(sql`d.${sql.literal(name)} ${through(sql, bounds.to)}`)
  }
  if (filters.analyzed !== undefined) all.push(sql`d.deal_analyzed = ${filters.analyzed}::boolean`)
  if (filters.verified !== undefined) all.push(sql`d.analysis_verified = ${filters.verified}::boolean`)
  for (const filter of filters.crm_filters ?? []) all.push(crmCondition(sql, "deal", filter, context.properties))
  for (const filter of filters.crm_account_filters ?? []) {
    all.push(crmCondition(sql, "account", filter, context.properties))
  }
  return all
}

/**
 * Up to and with `end`: an instant, or the whole of a day in UTC. Both are compared as instants: comparing one with a day
 * is not leakproof, so that row-level security would keep an index from being used.
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

type ArrayFilter = keyof ReturnType<typeof arrayFilters>

const arrayFilters = (sql: SqlClient, context: FilterContext) => {
  const list = (values: ReadonlyArray<string>) => sql`${[...values]}::text[]`
  const lower = (values: ReadonlyArray<string>) => list(values.map((value) => value.toLowerCase()))
  /** A column of the deal. */
  const own = (column: string): Sets => ({
    // Of one value the index has the deals in order of creation; of several it has not.
    anyOf: (values) =>
      values.length === 1
        ? sql`d.${sql.literal(column)} = ${values[0]}`
        : sql`d.${sql.literal(column)} = any(${list(values)})`,
    present: sql`d.${sql.literal(column)} is not null`,
  })
  /** A row of `table` that belongs to the deal, and meets the condition on alias `x`. */
  const related = (table: string, matches: (values: ReadonlyArray<string>) => Fragment, only = "true"): Sets => {
    const rows = (condition: Fragment) =>
      sql`exists (select from ${sql.literal(table)} x
        where x.org_id = d.org_id and x.deal_id = d.id and ${sql.literal(only)} and ${condition})`
    return { anyOf: (values) => rows(matches(values)), present: rows(sql`true`) }
  }
  // A subquery, not an array made by one: of an array not known yet the planner supposes ten elements.
  const byIdOrName = (table: string, values: ReadonlyArray<string>) =>
    sql`(select n.id from ${sql.literal(table)} n where n.org_id = scope.org
      and (lower(n.id) = any(${lower(values)}) or lower(n.name) = any(${lower(values)})))`
  const competitor = (values: ReadonlyArray<string>) => sql`x.competitor_id in ${byIdOrName("competitors", values)}`
  const identified = (column: string) => (values: ReadonlyArray<string>) =>
    sql`x.${sql.literal(column)} = any(${list(values)})`

  return {
    deal_ids: own("id"),
    crm_one_ids: own("crm_one_id"),
    crm_two_ids: own("crm_two_id"),
    owner_ids: own("owner_id"),
    collaborators: related("deal_collaborators", identified("owner_id")),
    status: {
      anyOf: (values) => sql`d.status_id in ${byIdOrName("stages", values)}`,
      present: sql`d.status_id is not null`,
    },
    deal_type: own("type"),
    region: own("region"),
    industry: {
      anyOf: (values) =>
        sql`d.client_id in (select n.id from clients n where n.org_id = scope.org and n.industry = any(${list(values)}))`,
      present: sql`exists (select from clients n where n.org_id = d.org_id and n.id = d.client_id and n.industry is not null)`,
    },
    product_labels: related("deal_product_labels", identified("label")),
    competitors: related("deal_competitors", competitor),
    primary_competitors: related("deal_competitors", competitor, "x.is_primary"),
    driver_ids: related("deal_drivers", identified("reason_id")),
    feature_ids: related("associations", identified("feature_id")),
    segment_ids: {
      anyOf: (values) => sql.or(values.map((id) => inSegment(sql, id, context))),
      present: sql`true`,
    },
  } satisfies Record<string, Sets>
}

/** Whether `d` is in the segment; false for a segment that is not there. */
export const inSegment = (sql: SqlClient, id: string, context: FilterContext): Fragment => {
  const filters = context.segments.get(id)
  if (filters === undefined) return sql`false`
  // A segment is made of filters, never of segments: see the import of segments.
  const { segment_ids: _, searchQuery, ...own } = filters
  const named =
    searchQuery === undefined
      ? sql`true`
      : sql`d.id in (select m.id from deals_named_like(scope.org, ${searchQuery}) m)`
  return sql`(${sql.and([named, ...conditions(sql, own, context)])})`
}
