import type { CanonicalFilters } from "../../../deals/filters/filters.ts"

/** A query of a report, in the words of `GET /deals/report`. */
export interface ReportQuery {
  readonly measures: ReadonlyArray<string>
  readonly groupBy: ReadonlyArray<string>
  readonly filters: CanonicalFilters
  readonly orderBy?: string
  readonly limit: number
  readonly having?: Readonly<Record<string, { readonly min?: number; readonly max?: number }>>
  readonly compare?: "previous_period" | "previous_year"
}
