import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { DealFilters } from "../../deals/filters/filters.ts"
import type { BadRequest, Conflict, NotFound } from "../../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import type { AnalysisRun, Estimate, Spending } from "./contract.ts"

/** The costs of analyses by a language model: this month, one run, and before it starts. */
export class Spendings extends Context.Service<
  Spendings,
  {
    readonly thisMonth: (org: string) => Effect.Effect<Spending, NotFound | DatabaseUnavailable>
    readonly estimate: (
      org: string,
      filters: DealFilters,
    ) => Effect.Effect<Estimate, BadRequest | Conflict | NotFound | DatabaseUnavailable>
    readonly run: (org: string, run: string) => Effect.Effect<AnalysisRun, NotFound | DatabaseUnavailable>
  }
>()("sightline/analysis/Spendings") {}
