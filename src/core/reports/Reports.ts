import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { BadRequest } from "../http/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { Report } from "./contract.ts"
import type { ReportQuery } from "./query.ts"

/** Computes numbers by group from deals, or from the associations of features with deals. */
export class Reports extends Context.Service<
  Reports,
  {
    readonly run: (org: string, query: ReportQuery) => Effect.Effect<Report, BadRequest | DatabaseUnavailable>
  }
>()("sightline/reports/Reports") {}
