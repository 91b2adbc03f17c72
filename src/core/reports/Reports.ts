import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { DealFilters } from "../deals/filters/filters.ts"
import type { BadRequest, NotFound } from "../http/errors/errors.ts"
import type { AssociationFilters } from "../intelligence/contract.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { Report } from "./contract.ts"
import type { Comparison } from "./limits.ts"

/** A report, as a caller asks for it. */
export interface ReportQuery {
  readonly subject: "deals" | "associations"
  /** By default `deals`, or `mentions` of associations. */
  readonly measures?: ReadonlyArray<string> | undefined
  readonly groupBy?: ReadonlyArray<string> | undefined
  readonly filters: DealFilters
  /** The filters of GET /product-intelligence, for a report of associations. */
  readonly association?: AssociationFilters | undefined
  /** A measure or dimension of the report; descending after `-`. */
  readonly orderBy?: string | undefined
  readonly limit?: number | undefined
  readonly having?: Readonly<Record<string, { readonly min?: number; readonly max?: number }>> | undefined
  readonly compare?: Comparison | undefined
  /** 1 to 12; by default the workspace's. */
  readonly fiscalStart?: number | undefined
}

/** Computes numbers by group from deals, or from the associations of features with deals. */
export class Reports extends Context.Service<
  Reports,
  {
    readonly run: (
      org: string,
      query: ReportQuery,
    ) => Effect.Effect<Report, BadRequest | NotFound | DatabaseUnavailable>
  }
>()("sightline/reports/Reports") {}
