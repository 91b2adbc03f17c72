import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Database } from "../storage/Database.ts"
import { canonical } from "./canonical.ts"
import { type CanonicalFilters, DealFilters } from "./filters.ts"
import type { CrmProperty } from "./crmFilterSql.ts"
import type { Named, SelectorContext } from "./selectors.ts"

interface ContextRow {
  readonly properties: ReadonlyArray<CrmProperty>
  readonly metrics: ReadonlyArray<Named>
  readonly answers: ReadonlyArray<Named>
  readonly segments: ReadonlyArray<Named & { readonly filters: unknown }>
}

export const EMPTY_CONTEXT: SelectorContext = {
  properties: [],
  metrics: [],
  answers: [],
  segments: new Map(),
  segmentNames: [],
}

/** The names of a workspace that filters and selectors may use, in one statement. */
export const loadContext = Effect.fnUntraced(function* (database: Database["Service"], org: string) {
  const { sql } = database
  const [row] = yield* database.scoped<ContextRow>(
    org,
    sql`select
      (select coalesce(json_agg(json_build_object('crm', crm, 'object', object, 'id', id, 'data_type', data_type) order by crm, object, id), '[]')
        from crm_properties where org_id = scope.org) as properties,
      (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by name collate "C", id collate "C"), '[]') from metrics where org_id = scope.org) as metrics,
      (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by name collate "C", id collate "C"), '[]') from answers where org_id = scope.org) as answers,
      (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'filters', filters) order by name collate "C", id collate "C"), '[]') from segments where org_id = scope.org) as segments`,
  )
  if (row === undefined) return EMPTY_CONTEXT
  return {
    properties: row.properties,
    metrics: row.metrics,
    answers: row.answers,
    segments: new Map(row.segments.flatMap(({ id, filters }) => segment(id, filters))),
    segmentNames: row.segments.map(({ id, name }) => ({ id, name })),
  } satisfies SelectorContext
})

const decode = Schema.decodeUnknownOption(DealFilters, { onExcessProperty: "error" })

/** Filters that are not understood hold no deal, rather than every deal. */
const segment = (id: string, stored: unknown): ReadonlyArray<readonly [string, CanonicalFilters]> => {
  const decoded = Option.getOrUndefined(decode(stored))
  if (decoded === undefined) return []
  const { filters, invalid } = canonical(decoded)
  return invalid.length > 0 ? [] : [[id, filters]]
}
