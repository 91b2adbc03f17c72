import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { PageRequest } from "../common/page.ts"
import type { DealFilters } from "../deals/filters/filters.ts"
import type { BadRequest, Conflict, NotFound, RateLimitExceeded } from "../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { Analysis, Finding } from "./analysis.ts"
import type { Judgement, Started, Waiting } from "./contract.ts"

/** Deals whose findings wait for a person. `next_cursor` is null on the last page. */
export interface AnalysisQueue {
  readonly data: ReadonlyArray<Waiting>
  readonly next_cursor: string | null
}

/** Runs analyses of deals, and keeps what they find and what people say of it. */
export class Analyses extends Context.Service<
  Analyses,
  {
    /** Queues a run of one deal; returns the one that waits or runs already. */
    readonly run: (
      org: string,
      deal: string,
    ) => Effect.Effect<Started, NotFound | RateLimitExceeded | DatabaseUnavailable>
    /** Queues a run of each deal that matches. */
    readonly runMany: (
      org: string,
      filters: DealFilters,
    ) => Effect.Effect<Started, BadRequest | Conflict | RateLimitExceeded | NotFound | DatabaseUnavailable>
    /** Links to documents only if `readsDocuments`. */
    readonly get: (
      org: string,
      deal: string,
      readsDocuments: boolean,
    ) => Effect.Effect<Analysis, NotFound | DatabaseUnavailable>
    /** Accepts, corrects or rejects a finding, and publishes what it changes to the deal. */
    readonly judge: (
      org: string,
      deal: string,
      finding: string,
      judgement: Judgement,
      readsDocuments: boolean,
    ) => Effect.Effect<Finding, BadRequest | NotFound | Conflict | DatabaseUnavailable>
    /** Sets `analysis_verified` of the deal. */
    readonly verify: (org: string, deal: string) => Effect.Effect<void, NotFound | Conflict | DatabaseUnavailable>
    /** The deals whose findings wait for a person, the most doubtful first. */
    readonly queue: (
      org: string,
      page: PageRequest,
    ) => Effect.Effect<AnalysisQueue, BadRequest | NotFound | DatabaseUnavailable>
  }
>()("sightline/analysis/Analyses") {}
