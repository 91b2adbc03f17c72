import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { crmKey } from "../../common/crmKey.ts"
import { fold } from "../../common/fold.ts"
import type { ArrayFilter, Modifier, NamedTable } from "../filters/arrays.ts"
import type { FilterContext } from "./context.ts"
import type { RelationName } from "../filters/relations.ts"
import type { RowFilter } from "./relations.ts"

/** An array filter on values of the deal itself, or of a row that it refers to. */
export interface OwnFilter {
  readonly anyOf: (values: ReadonlyArray<string>) => Fragment
  readonly present: Fragment
}

export const ownCondition = (
  sql: SqlClient,
  { anyOf, present }: OwnFilter,
  values: ReadonlyArray<string>,
  modifier: Modifier,
): Fragment => {
  switch (modifier) {
    case "is any of":
      return anyOf(values)
    case "is not":
      return sql`(${anyOf(values)}) is not true`
    case "is all of":
      return sql.and(values.map((value) => anyOf([value])))
    case "is empty":
      return sql`not (${present})`
    case "is not empty":
      return present
  }
}

type InSegment = (sql: SqlClient, id: string, context: FilterContext) => Fragment

class Segments implements OwnFilter {
  readonly anyOf: OwnFilter["anyOf"]
  readonly #inAny: () => Fragment

  constructor(sql: SqlClient, context: FilterContext, inSegment: InSegment) {
    const inOneOf = (ids: Iterable<string>) =>
      sql.or([sql`false`, ...Array.from(ids, (id) => inSegment(sql, id, context))])
    this.anyOf = (values) => inOneOf(values.flatMap((value) => context.named.get("segments")?.get(value) ?? []))
    this.#inAny = () => sql`(${inOneOf(context.segments.keys())}) is true`
  }

  /** Made when it is read, because it has the filters of every segment. */
  get present() {
    return this.#inAny()
  }
}

export const arrayFilters = (
  sql: SqlClient,
  context: FilterContext,
  inSegment: InSegment,
): Readonly<Record<ArrayFilter, OwnFilter | RowFilter>> => {
  const list = (values: ReadonlyArray<string>) => sql`${[...values]}::text[]`
  // For a single value, an index has the deals in order of creation; for several values it does not.
  const isAnyOf = (column: Fragment, values: ReadonlyArray<string>) =>
    values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${list(values)})`
  const isAnyFolded = (column: Fragment, values: ReadonlyArray<string>) => isAnyOf(column, values.map(fold))
  // The planner folds these constants and estimates by them. For an array from a subquery it assumes ten elements.
  const isAnyOfLower = (column: Fragment, values: ReadonlyArray<string>) =>
    values.length === 1
      ? sql`${column} = lower(${values[0]})`
      : sql`${column} = any(array[${sql.csv(values.map((value) => sql`lower(${value})`))}])`
  /** A column of the deal itself, folded. */
  const own = (column: string): OwnFilter => ({
    anyOf: (values) => isAnyFolded(sql`d.${sql.literal(`folded_${column}`)}`, values),
    present: sql`d.${sql.literal(column)} is not null`,
  })
  /** The deal's id, ignoring case. If ids differ only by case, only the exact one matches. */
  const dealId: OwnFilter = {
    anyOf: (values) => sql`(${isAnyOfLower(sql`d.lower_id`, values)} and (${isAnyOf(sql`d.id`, values)}
      or not exists (select from deals e where e.org_id = scope.org and e.lower_id = d.lower_id and ${isAnyOf(sql`e.id`, values)})))`,
    present: sql`true`,
  }
  /** A CRM id, in either of its forms. */
  const crmId = (crm: "crm_one" | "crm_two"): OwnFilter => ({
    anyOf: (values) =>
      isAnyOf(
        sql`d.${sql.literal(`${crm}_key`)}`,
        values.map((value) => crmKey(value.trim())),
      ),
    present: sql`d.${sql.literal(`${crm}_id`)} is not null`,
  })
  /** A column that refers to a row of `set`. The subquery resolves names in a segment's filters, which `context` lacks. */
  const refersTo = (set: NamedTable, column: string) => (values: ReadonlyArray<string>) => {
    const known = context.named.get(set)
    if (known !== undefined && values.every((value) => known.has(value))) {
      return isAnyOf(sql.literal(column), [...new Set(values.flatMap((value) => known.get(value) ?? []))])
    }
    const table = sql.literal(set)
    return sql`${sql.literal(column)} in (select n.id from unnest(${list(values)}, ${list(values.map(fold))}) v(value, folded) join ${table} n
      on n.org_id = scope.org and (n.id = v.value or (lower(n.id) = lower(v.value) or n.folded = v.folded)
        and not exists (select from ${table} e where e.org_id = scope.org and e.id = v.value)))`
  }
  const key = (relation: RelationName, set: NamedTable, column: string): RowFilter => ({
    relation,
    anyOf: refersTo(set, column),
  })
  /** Selects stage changes by one of their stages. A stage that no longer exists counts as none. */
  const changed = (column: string): RowFilter => ({
    relation: "stage_changes",
    anyOf: refersTo("stages", column),
    present: sql.literal(`exists (select from stages n where n.org_id = scope.org and n.id = ${column})`),
  })
  /** A text of the reason or feature that a row refers to. */
  const ofReferred = (relation: RelationName, table: string, id: string, column: string): RowFilter => {
    const refers = (condition: Fragment) =>
      sql`${sql.literal(id)} in (select n.id from ${sql.literal(table)} n where n.org_id = scope.org and ${condition})`
    return {
      relation,
      anyOf: (values) => refers(isAnyFolded(sql`n.${sql.literal(`folded_${column}`)}`, values)),
      present: refers(sql`n.${sql.literal(column)} is not null`),
    }
  }
  /** The conditions of an enumeration, by value. */
  const oneOf = (conditions: Readonly<Record<string, string>>) => (values: ReadonlyArray<string>) =>
    sql.or(values.map((value) => sql.literal(conditions[value] ?? "false")))
  const tagged = (values: ReadonlyArray<string>) =>
    sql`exists (select from unnest(x.tags) t where ${isAnyOfLower(sql`lower(t)`, values)})`

  return {
    deal_ids: dealId,
    crm_one_ids: crmId("crm_one"),
    crm_two_ids: crmId("crm_two"),
    owner_ids: { anyOf: refersTo("owners", "d.owner_id"), present: sql`d.owner_id is not null` },
    collaborators: key("collaborators", "owners", "x.owner_id"),
    client_ids: { anyOf: refersTo("clients", "d.client_id"), present: sql`d.client_id is not null` },
    status: { anyOf: refersTo("stages", "d.status_id"), present: sql`d.status_id is not null` },
    outcome: {
      anyOf: (values) =>
        sql`d.status_id in (select n.id from stages n where n.org_id = scope.org and ${isAnyOf(sql`n.category`, values)})`,
      present: sql`d.status_id is not null`,
    },
    deal_type: own("type"),
    region: own("region"),
    industry: {
      anyOf: (values) =>
        sql`d.client_id in (select n.id from clients n where n.org_id = scope.org and ${isAnyFolded(sql`n.folded_industry`, values)})`,
      present: sql`exists (select from clients n where n.org_id = scope.org and n.id = d.client_id and n.industry is not null)`,
    },
    product_labels: { relation: "product_labels", anyOf: (values) => isAnyFolded(sql`x.folded_label`, values) },
    competitors: key("competitors", "competitors", "x.competitor_id"),
    primary_competitors: key("primary_competitors", "competitors", "x.competitor_id"),
    incumbents: key("incumbents", "competitors", "x.competitor_id"),
    driver_ids: key("drivers", "reasons", "x.reason_id"),
    driver_effect: {
      relation: "drivers",
      anyOf: oneOf({ positive: "x.positive", negative: "not x.positive" }),
      present: sql`x.positive is not null`,
    },
    driver_categories: ofReferred("drivers", "reasons", "x.reason_id", "category"),
    feature_ids: key("associations", "features", "x.feature_id"),
    products: ofReferred("associations", "features", "x.feature_id", "product"),
    product_areas: ofReferred("associations", "features", "x.feature_id", "product_area"),
    feature_sentiment: {
      relation: "associations",
      anyOf: oneOf({ positive: "x.sentiment", negative: "not x.sentiment", neutral: "x.sentiment is null" }),
    },
    association_tags: {
      relation: "associations",
      anyOf: tagged,
      present: sql`cardinality(x.tags) > 0`,
      allOf: (values) => sql.and(values.map((value) => tagged([value]))),
    },
    entered_stages: changed("x.status_id"),
    left_stages: changed("x.previous_status_id"),
    segment_ids: new Segments(sql, context, inSegment),
  }
}
