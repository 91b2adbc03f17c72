import * as Schema from "effect/Schema"
import { type canonicalFilters, DealFilters } from "../../deals/filters.ts"

export const FILTER_NAMES = [
  "searchQuery",
  "deal_ids",
  "outcome",
  "status",
  "status_filter_type",
  "deal_type",
  "region",
  "industry",
  "product_labels",
  "competitors",
  "competitors_filter_type",
  "primary_competitors",
  "owner_ids",
  "client_ids",
  "segment_ids",
  "driver_ids",
  "driver_effect",
  "feature_ids",
  "feature_sentiment",
  "product_areas",
  "amount",
  "close_date",
  "created_at",
  "updated_at",
  "overdue",
  "analyzed",
] as const satisfies ReadonlyArray<keyof typeof canonicalFilters>

type Filter = (typeof FILTER_NAMES)[number]

/** The filters of `GET /deals`, with the same names, without those that questions rarely need. */
const Filters = Schema.Struct(
  Object.fromEntries(
    FILTER_NAMES.map((name) => [name, Schema.optionalKey(DealFilters.fields[name].schema.members[0])]),
  ) as unknown as {
    readonly [K in Filter]: Schema.optionalKey<(typeof DealFilters.fields)[K]["schema"]["members"][0]>
  },
)

/** Selects deals that meet all conditions. `inputSchemas.ts` states them for one tool, and refers to it for the others. */
export const filters = Schema.optionalKey(Filters)
