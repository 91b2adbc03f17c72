import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { badRequest, type Invalid, MAX_LISTED } from "../../http/validation/validation.ts"
import { fold } from "../../common/fold.ts"
import { nearest } from "../../common/nearest.ts"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import { Database } from "../../storage/Database.ts"
import { ARRAY_FILTER_NAMES, ARRAY_FILTERS, type ArrayFilter, type NamedTable } from "../filters/arrays.ts"
import { type CanonicalFilters, partsOf } from "../filters/filters.ts"

type ClosedFilter = {
  [K in ArrayFilter]: (typeof ARRAY_FILTERS)[K] extends { readonly names: NamedTable } ? K : never
}[ArrayFilter]

/**
 * Filters whose values name rows of a table. An unknown name is an error, because it is usually a typo.
 */
const FILTERS = ARRAY_FILTER_NAMES.filter((name): name is ClosedFilter => "names" in ARRAY_FILTERS[name]).map(
  (name) => [name, ARRAY_FILTERS[name].names] as const,
)

const NOUNS: Readonly<Record<NamedTable, string>> = {
  owners: "owner",
  stages: "stage",
  competitors: "competitor",
  reasons: "reason",
  features: "feature",
  segments: "segment",
  clients: "client",
}

/** The sets that GET /workspace does not list, because there are too many. */
const UNLISTED: ReadonlySet<NamedTable> = new Set(["clients"])

/** The ids of the rows that each value names: several if rows share a name. A value that is an id names only that row. */
export type NamedIds = ReadonlyMap<NamedTable, ReadonlyMap<string, ReadonlyArray<string>>>

/** Collects the values of the filters, by set. */
export const namedValues = (filters: CanonicalFilters): ReadonlyMap<NamedTable, ReadonlySet<string>> => {
  const values = new Map<NamedTable, Set<string>>()
  for (const [part] of partsOf(filters)) {
    for (const [filter, set] of FILTERS) {
      const given = part[filter]
      if (given === undefined || given.length === 0) continue
      values.set(set, new Set([...(values.get(set) ?? []), ...given]))
    }
  }
  return values
}

export interface NamedId {
  readonly kind: NamedTable
  readonly value: string
  readonly id: string
}

/** The rows that the values name, as a JSON array of `NamedId`. Runs inside `Database.scoped`. */
export const namedIds = (sql: SqlClient, values: ReadonlyMap<NamedTable, ReadonlySet<string>>): Fragment => {
  const selects = [...values].flatMap(([set, names]) => {
    const table = sql.literal(set)
    const found = (condition: Fragment) => sql`
      select ${sql.literal(`'${set}'`)} as kind, v.value, n.id from unnest(${[...names]}::text[], ${[...names].map(fold)}::text[]) v(value, folded)
      join ${table} n on n.org_id = scope.org and ${condition}`
    const isNoId = sql`not exists (select from ${table} e where e.org_id = scope.org and e.id = v.value)`
    // Several joins, because PostgreSQL cannot hash one with `or`.
    return [
      found(sql`n.id = v.value`),
      found(sql`lower(n.id) = lower(v.value) where ${isNoId}`),
      found(sql`n.folded = v.folded where ${isNoId}`),
      ...(set === "owners" ? [found(sql`n.folded_email = v.folded where ${isNoId}`)] : []),
    ]
  })
  return selects.length === 0
    ? sql`'[]'::json`
    : sql`(select coalesce(json_agg(found order by found.id collate "C"), '[]') from (${selects.reduce((all, each) => sql`${all} union ${each}`)}) found)`
}

export const groupNamedIds = (
  values: ReadonlyMap<NamedTable, ReadonlySet<string>>,
  found: ReadonlyArray<NamedId>,
): NamedIds => {
  const named = new Map([...values.keys()].map((set) => [set, new Map<string, Array<string>>()]))
  for (const { kind, value, id } of found) {
    const ids = named.get(kind)
    ids?.set(value, [...(ids.get(value) ?? []), id])
  }
  return named
}

/** The names of a set that an unknown value is compared with. */
const MAX_NAMES = 5000
/** The unknown values that get suggestions, which take time to find. */
const MAX_SUGGESTED = 10

interface Reference {
  readonly field: string
  readonly set: NamedTable
  readonly value: string
}

/** Says where the caller finds all names of a set. */
type Listing = (set: NamedTable) => string

const listedByApi: Listing = (set) => `GET /workspace/${set} lists them`

/** Reports values that name no row, with suggestions. Queries the database only if there are any. */
export const unknownNames = (
  org: string,
  filters: CanonicalFilters,
  named: NamedIds,
  listing: Listing = listedByApi,
): Effect.Effect<ReadonlyArray<Invalid>, DatabaseUnavailable, Database> => {
  const unknown = partsOf(filters).flatMap(([part, prefix]) =>
    FILTERS.flatMap(([filter, set]) =>
      (part[filter] ?? [])
        .filter((value) => named.get(set)?.has(value) !== true)
        .map((value) => ({ field: prefix + filter, set, value })),
    ),
  )
  return unknown.length === 0 ? Effect.succeed([]) : describeUnknown(org, unknown, listing)
}

/** Returns the ids of the rows that one value names. Fails with suggestions if there are none. */
export const findNamed = Effect.fnUntraced(function* (
  org: string,
  reference: Reference,
  listing: Listing = listedByApi,
) {
  const { sql, scoped } = yield* Database
  const { set, value } = reference
  const values = new Map([[set, new Set([value])]])
  const [row] = yield* scoped<{ readonly named: ReadonlyArray<NamedId> }>(
    org,
    sql`select ${namedIds(sql, values)} as named`,
  )
  if (row !== undefined && row.named.length > 0) return row.named.map(({ id }) => id)
  return yield* badRequest({ invalid: yield* describeUnknown(org, [reference], listing) })
})

const describeUnknown = Effect.fnUntraced(function* (org: string, unknown: ReadonlyArray<Reference>, listing: Listing) {
  const { sql, scoped } = yield* Database
  const selects = [...new Set(unknown.map(({ set }) => set))].map(
    (set) => sql`(select ${sql.literal(`'${set}'`)} as kind, n.id, n.name from ${sql.literal(set)} n
      where n.org_id = scope.org order by n.name collate "C" limit ${MAX_NAMES}::int)`,
  )
  const rows = yield* scoped<{ readonly kind: NamedTable; readonly id: string; readonly name: string }>(
    org,
    selects.reduce((all, each) => sql`${all} union all ${each}`),
  )
  return unknown.map(({ field, set, value }, index): Invalid => {
    const known = rows.filter(({ kind }) => kind === set)
    const candidates = known.flatMap(({ id, name }) => [name, id])
    const near = index < MAX_SUGGESTED ? nearest(value, candidates) : []
    return {
      field,
      reason: `has no ${NOUNS[set]} '${value.slice(0, 100)}'${alternatives(
        known.map(({ name }) => name),
        near,
        { all: set, listing: UNLISTED.has(set) ? undefined : listing(set) },
      )}`,
      ...(near[0] !== undefined && { did_you_mean: near[0] }),
    }
  })
})

/** Ends a sentence about an unknown name: with all names if they are few, else with the nearest and where all are listed. */
export const alternatives = (
  names: ReadonlyArray<string>,
  near: ReadonlyArray<string>,
  { all, listing }: { readonly all: string; readonly listing: string | undefined },
): string => {
  if (names.length === 0) return `: there are no ${all} yet`
  if (names.length <= MAX_LISTED) return `: there are ${names.join(", ")}`
  const known = [
    ...(near.length === 0 ? [] : [`the nearest are ${near.join(", ")}`]),
    ...(listing === undefined ? [] : [listing]),
  ]
  return known.length === 0 ? "" : `: ${known.join(", and ")}`
}
