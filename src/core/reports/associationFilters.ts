import { MODIFIER_OF } from "../deals/filters/arrays.ts"
import type { DealFilters } from "../deals/filters/filters.ts"
import type { Invalid } from "../http/validation/validation.ts"
import type { AssociationFilters } from "../intelligence/contract.ts"

/** The filter of GET /deals for each filter of GET /product-intelligence. */
const SAME = {
  date_from: "asked_at",
  date_to: "asked_at",
  sentiment: "feature_sentiment",
  tags: "association_tags",
  product: "products",
  product_area: "product_areas",
} as const satisfies Readonly<Record<keyof AssociationFilters, keyof DealFilters>>

/** Adds the filters of GET /product-intelligence as filters of GET /deals, and lists the parameters that are given twice. */
export const addAssociationFilters = (
  filters: DealFilters,
  given: AssociationFilters = {},
): { readonly filters: DealFilters; readonly invalid: ReadonlyArray<Invalid> } => {
  const { date_from, date_to, sentiment, tags = [], product, product_area } = given
  const invalid = Object.entries(SAME).flatMap(([name, same]): ReadonlyArray<Invalid> => {
    const value = given[name as keyof AssociationFilters]
    const isTwice = value !== undefined && filters[same] !== undefined
    return isTwice ? [{ field: name, reason: `must be omitted when ${same}, the same filter, is given` }] : []
  })
  return {
    filters: {
      ...filters,
      ...((date_from !== undefined || date_to !== undefined) && {
        asked_at: {
          ...(date_from !== undefined && { from: date_from }),
          ...(date_to !== undefined && { to: date_to }),
        },
      }),
      ...(sentiment !== undefined && { feature_sentiment: [sentiment] }),
      ...(tags.length > 0 && { association_tags: tags, [MODIFIER_OF.association_tags]: "is all of" }),
      ...(product !== undefined && { products: [product] }),
      ...(product_area !== undefined && { product_areas: [product_area] }),
    },
    invalid,
  }
}

/** Names a range that is the wrong way round by the parameters that gave it. */
export const nameDates = (
  invalid: ReadonlyArray<Invalid>,
  { date_from }: AssociationFilters = {},
): ReadonlyArray<Invalid> =>
  invalid.map((problem) =>
    date_from !== undefined && problem.field === SAME.date_from
      ? { field: "date_from", reason: "must not be later than date_to" }
      : problem,
  )
