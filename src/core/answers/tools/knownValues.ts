import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { crmKey } from "../../common/crmKey.ts"
import { fold } from "../../common/fold.ts"
import { nearest } from "../../common/nearest.ts"
import {
  ARRAY_FILTERS,
  type ArrayFilter,
  type NamedTable,
  OUTCOMES,
  type ValueColumn,
} from "../../deals/filters/arrays.ts"
import {
  alternatives,
  groupNamedIds,
  type NamedId,
  namedIds,
  namedValues,
  unknownNames,
} from "../../deals/names/closedSets.ts"
import { type CanonicalFilters, partsOf } from "../../deals/filters/filters.ts"
import type { Invalid } from "../../http/validation/validation.ts"
import { Database } from "../../storage/Database.ts"
import type { KindOfNames } from "./parameters.ts"

/** The distinct values that an unknown one is compared with. */
const MAX_VALUES = 5000

const listedIn = (kind: KindOfNames) => `describe_workspace with kind "${kind}" lists them`

/** Says which tool lists a set whose names a filter did not find. */
export const listing = (set: NamedTable): string => listedIn(set)

/** How values of an array filter are looked for, and the noun for one. `v` has the columns `value`, `folded` and `key`. */
interface Known {
  readonly noun: string
  readonly nouns: string
  /** The rows that have the value, as the end of a `select`. */
  readonly rows: string
  /** Selects all values; without it, none is suggested. */
  readonly values?: string
  readonly listing: string
}

/** The distinct values of a column. Each takes one step in an index of the folded column, if there is one. */
const distinct = (table: string, column: string) => {
  const first = (condition: string) => `(select n.folded_${column} as low, n.${column} as value from ${table} n
    where n.org_id = scope.org and n.folded_${column} ${condition} order by n.folded_${column} limit 1)`
  return `with recursive v as (${first("is not null")} union all select n.* from v, lateral ${first("> v.low")} n)
    select value from v limit ${MAX_VALUES}`
}

const column = (
  noun: string,
  nouns: string,
  [table, name]: ValueColumn,
  all = listedIn(nouns.replaceAll(" ", "_") as KindOfNames),
): Known => ({
  noun,
  nouns,
  rows: `from ${table} n where n.org_id = scope.org and n.folded_${name} = v.folded`,
  values: distinct(table, name),
  listing: all,
})

const ofDeals = (noun: string, condition: string): Known => ({
  noun,
  nouns: "deals",
  rows: `from deals n where n.org_id = scope.org and ${condition}`,
  listing: "search_deals lists deals",
})

const REPORTED = (dimension: string) => `report_features with group_by ["${dimension}"] lists them`

type WithValues = {
  [K in ArrayFilter]: (typeof ARRAY_FILTERS)[K] extends { readonly valuesIn: ValueColumn } ? K : never
}[ArrayFilter]

/** The array filters for which `GET /deals` accepts any value, because an import may add it later. */
const KNOWN: Readonly<Partial<Record<ArrayFilter, Known>> & Record<WithValues, Known>> = {
  region: column("region", "regions", ARRAY_FILTERS.region.valuesIn),
  industry: column("industry", "industries", ARRAY_FILTERS.industry.valuesIn),
  deal_type: column("deal type", "deal types", ARRAY_FILTERS.deal_type.valuesIn),
  product_labels: column("product", "products", ARRAY_FILTERS.product_labels.valuesIn),
  product_areas: column("product area", "product areas", ARRAY_FILTERS.product_areas.valuesIn),
  products: column("product of features", "products of features", ARRAY_FILTERS.products.valuesIn, REPORTED("product")),
  driver_categories: column(
    "category of reasons",
    "categories of reasons",
    ARRAY_FILTERS.driver_categories.valuesIn,
    `report_deals with group_by ["driver_category"] lists them`,
  ),
  association_tags: {
    noun: "tag",
    nouns: "tags",
    rows: `from associations n, unnest(n.tags) t where n.org_id = scope.org and lower(t) = lower(v.value)`,
    values: `select distinct t as value from associations n, unnest(n.tags) t where n.org_id = scope.org limit ${MAX_VALUES}`,
    listing: REPORTED("association_tag"),
  },
  deal_ids: ofDeals("deal with the id", "n.lower_id = lower(v.value)"),
  crm_one_ids: ofDeals("deal with the CRM id", "n.crm_one_key = v.key"),
  crm_two_ids: ofDeals("deal with the CRM id", "n.crm_two_key = v.key"),
}
const KNOWN_FILTERS = Object.keys(KNOWN) as ReadonlyArray<ArrayFilter>

interface Given {
  readonly field: string
  readonly filter: ArrayFilter
  readonly value: string
}

/**
 * Lists the values of `filters` that the workspace does not have, each with the nearest that it has. A model takes a count of 0 for
 * an answer, so a misspelt region must not give one.
 */
export const unknownValues = Effect.fnUntraced(function* (org: string, filters: CanonicalFilters) {
  const { sql, scoped } = yield* Database
  const names = namedValues(filters)
  const given = partsOf(filters).flatMap(([part, prefix]) =>
    KNOWN_FILTERS.flatMap((filter) =>
      (part[filter] ?? []).map((value): Given => ({ field: prefix + filter, filter, value })),
    ),
  )
  if (names.size === 0 && given.length === 0) return []
  const [row] = yield* scoped<{ readonly named: ReadonlyArray<NamedId>; readonly missing: ReadonlyArray<string> }>(
    org,
    sql`select ${namedIds(sql, names)} as named, ${missingValues(sql, given)} as missing`,
  )
  const unknown = yield* unknownNames(org, filters, groupNamedIds(names, row?.named ?? []), listing)
  const missing = new Set(row?.missing)
  return [
    ...unknown.map(pointToOutcome),
    ...(yield* Effect.forEach(
      given.filter(({ filter, value }) => missing.has(keyOf(filter, value))),
      (each) => describe(org, each),
    )),
  ]
})

const keyOf = (filter: ArrayFilter, value: string) => `${filter} ${value}`

/** The keys of the values that no row has, as a JSON array. */
const missingValues = (sql: SqlClient, given: ReadonlyArray<Given>): Fragment => {
  const selects = KNOWN_FILTERS.flatMap((filter) => {
    const values = [...new Set(given.flatMap((each) => (each.filter === filter ? [each.value] : [])))]
    const { rows = "" } = KNOWN[filter] ?? {}
    if (values.length === 0) return []
    return [
      sql`select ${keyOf(filter, "")} || v.value as key from unnest(${values}::text[], ${values.map(fold)}::text[],
        ${values.map((value) => crmKey(value.trim()))}::text[]) v(value, folded, key) where not exists (select ${sql.literal(rows)})`,
    ]
  })
  return selects.length === 0
    ? sql`'[]'::json`
    : sql`(select coalesce(json_agg(m.key), '[]') from (${selects.reduce((all, each) => sql`${all} union all ${each}`)}) m)`
}

const describe = Effect.fnUntraced(function* (org: string, { field, filter, value }: Given) {
  const { sql, scoped } = yield* Database
  const { noun, nouns, values, listing: all } = KNOWN[filter]!
  const rows =
    values === undefined
      ? []
      : yield* scoped<{ readonly value: string }>(org, sql`select value from (${sql.literal(values)}) k order by value`)
  const names = rows.map((row) => row.value)
  const near = nearest(value, names)
  const end = values === undefined ? `: ${all}` : alternatives(names, near, { all: nouns, listing: all })
  return {
    field,
    reason: `has no ${noun} '${value.slice(0, 100)}'${end}`,
    ...(near[0] !== undefined && { did_you_mean: near[0] }),
  } satisfies Invalid
})

/** "Won" is often no name of a stage, but the category of some. */
const pointToOutcome = (invalid: Invalid): Invalid => {
  const outcome = OUTCOMES.find((each) => invalid.reason.toLowerCase().startsWith(`has no stage '${each}'`))
  return outcome === undefined
    ? invalid
    : { ...invalid, reason: `${invalid.reason}; outcome ["${outcome}"] selects all stages of this category` }
}
