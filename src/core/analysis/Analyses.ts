import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { DealFilters } from "../deals/filters.ts"
import type { BadRequest, Conflict, NotFound, RateLimitExceeded } from "../http/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { Analysis, Finding } from "./analysis.ts"
import type { Judgement, Started, Waiting } from "./contract.ts"

/** Runs analyses of deals, and keeps what they find and what people say of it. */
export class Analyses extends Context.Service<
  Analyses,
  {
    /** Queues a run of one deal; returns the one that waits or runs already. */
    readonly run: (
      org: string,
      deal: string,
    ) => Effect.Effect<Started, NotFound | RateLimitExceeded | DatabaseUnavailable>
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
    readonly judge: (
      org: string,
      deal: string,
      finding: string,
      judgement: Judgement,
      readsDocuments: boolean,
    ) => Effect.Effect<Finding, BadRequest | NotFound | Conflict | DatabaseUnavailable>
    /** Sets `analysis_verified` of the deal. */
    readonly verify: (org: string, deal: string) => Effect.Effect<void, NotFound | Conflict | DatabaseUnavailable>
    readonly queue: (
      org: string,
      page: { readonly size: number; readonly cursor: string | undefined },
    ) => Effect.Effect<
      { readonly data: ReadonlyArray<Waiting>; readonly next_cursor: string | null },
      BadRequest | NotFound | DatabaseUnavailable
    >
  }
>()("sightline/analysis/Analyses") {}
