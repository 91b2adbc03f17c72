import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import type { Period } from "../words/periods.ts"
import type { ReportQuery } from "./reportQuery.ts"

/** The plan that answers a question: a list of deals, a report, a share of a whole, or a report side by side for two periods or conditions. */
export type Plan =
  | {
      readonly kind: "list"
      readonly filters: CanonicalFilters
      readonly sort: "amount" | "close_date" | "created_at"
      readonly ascending: boolean
      readonly limit: number | undefined
    }
  | {
      readonly kind: "report"
      readonly source: "deals" | "associations"
      readonly query: ReportQuery
      /** The measure that the sentence says. */
      readonly measure: string
      /** The question asks for the groups at the top or bottom. */
      readonly isRanked: boolean
      /** The question compares the groups that it names. */
      readonly isCompared: boolean
      /** The question asks how many groups there are. */
      readonly countsGroups: boolean
    }
  | {
      readonly kind: "share"
      readonly measure: "deals" | "amount"
      readonly whole: CanonicalFilters
      readonly part: CanonicalFilters
    }
  | {
      readonly kind: "periods"
      readonly query: ReportQuery
      readonly measure: string
      readonly field: string
      readonly periods: ReadonlyArray<Period>
    }
  | {
      readonly kind: "sides"
      readonly measure: string
      readonly sides: ReadonlyArray<{ readonly said: string; readonly query: ReportQuery }>
    }

/** Rows that an answer shows. */
export const MAX_ROWS = 10
