import type { Row, Selector } from "../../core/deals/columns/row.ts"
import type { DealsListInput } from "./contract/deals.ts"
import type { DealFilters } from "./contract/filters.ts"

export type { Row, RowOf, Selector } from "../../core/deals/columns/row.ts"

/** A deal with the columns of a reply that chooses none. */
export type Deal = Row

/** The filters of `deals.list`, `deals.count` and `exports.create`, as plain objects. */
export type Filters = DealFilters

type ListInput = Omit<DealsListInput, "columns" | "count">

/** Filters, order and page of a list of deals. */
export interface DealQuery<C extends ReadonlyArray<Selector>> extends ListInput {
  /** Columns to return, `id` always included. By default, the common fields and the eight scores. */
  readonly columns?: C | undefined
}
