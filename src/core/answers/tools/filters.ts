import * as Schema from "effect/Schema"
import { CanonicalFilters, type canonicalFilters } from "../../deals/filters/filters.ts"
import { isRecord } from "../../common/isRecord.ts"
import type { ToolName } from "./names.ts"

export type FilterName = keyof typeof canonicalFilters

/** The filters that every tool states. */
export const LIST_FILTERS = [
  "outcome",
  "status",
  "deal_type",
  "region",
  "industry",
  "product_labels",
  "competitors",
  "owner_ids",
  "client_ids",
  "amount",
  "close_date",
  "created_at",
] as const satisfies ReadonlyArray<FilterName>

/** The filters that the reports state. */
export const REPORT_FILTERS = [
  ...LIST_FILTERS,
  "searchQuery",
  "deal_ids",
  "competitors_filter_type",
  "primary_competitors",
  "incumbents",
  "segment_ids",
  "driver_ids",
  "driver_effect",
  "driver_categories",
  "feature_ids",
  "feature_sentiment",
  "product_areas",
  "overdue",
] as const satisfies ReadonlyArray<FilterName>

export const statedFilters = (tool: ToolName): ReadonlyArray<FilterName> =>
  tool === "report_deals" || tool === "report_features" ? REPORT_FILTERS : LIST_FILTERS

export const FILTER_NAMES = Object.keys(CanonicalFilters.fields) as ReadonlyArray<FilterName>

/**
 * Selects deals that meet all conditions: the filters of `GET /deals`, each in `filters` or in `more`. `inputSchemas.ts` states
 * some in `filters`; both accept all, so that a model that puts one into the wrong place is understood.
 */
export const filterParameters = {
  filters: Schema.optionalKey(CanonicalFilters),
  more: Schema.optionalKey(CanonicalFilters),
}

export type GivenFilters = Schema.Struct.Type<typeof filterParameters>

/** The filters of a call in one object, and those that it states twice with different values. */
export const mergeFilters = ({
  filters = {},
  more = {},
}: GivenFilters): { readonly filters: CanonicalFilters; readonly twice: ReadonlyArray<FilterName> } => {
  const twice = FILTER_NAMES.filter(
    (name) => filters[name] !== undefined && more[name] !== undefined && !isEqual(filters[name], more[name]),
  )
  return { filters: { ...more, ...filters }, twice }
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

const sorted = (value: unknown) =>
  isRecord(value) ? Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)) : value
