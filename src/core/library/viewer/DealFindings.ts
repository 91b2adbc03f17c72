import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"

/** A quote of a deal's documents, as the page of the deal shows it. Offsets are in the document's text. */
export interface ShownFinding {
  readonly kind: string
  readonly target: string
  readonly effect: string | null
  readonly side: string
  readonly speaker: string | null
  readonly quote: string
  readonly state: "proposed" | "accepted"
  readonly document_id: string
  readonly document_name: string
  readonly start: number
  readonly end: number
}

/** The findings that a deal's page shows. `src/core/analysis` implements it. */
export class DealFindings extends Context.Service<
  DealFindings,
  {
    /** Without rejected ones; what the buyer says comes first. */
    readonly of: (org: string, deal: string) => Effect.Effect<ReadonlyArray<ShownFinding>, DatabaseUnavailable>
  }
>()("sightline/library/DealFindings") {}
