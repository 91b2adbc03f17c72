import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { BadRequest, NotFound } from "../../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import type { DealUpdate } from "./record.ts"

/** The types of record that can be deleted. */
export type Deletable = "deal" | "association"

export interface NewAssociation {
  readonly id: string
  readonly deal: string
  readonly feature: string
  readonly influence_summary: string
  readonly sentiment: boolean | null
  readonly tags?: ReadonlyArray<string>
}

/** Changes or deletes one record under the rules of an import. `src/core/records` implements it. */
export class RecordEdits extends Context.Service<
  RecordEdits,
  {
    /**
     * Waits until no other transaction writes the organization's records. Call it first in a transaction that reads what it then
     * changes.
     */
    readonly waitForTurn: (org: string) => Effect.Effect<void, DatabaseUnavailable>
    /** Changes an existing deal. */
    readonly updateDeal: (
      org: string,
      id: string,
      fields: DealUpdate,
    ) => Effect.Effect<void, BadRequest | NotFound | DatabaseUnavailable>
    /** Creates an association, or changes the one that has its id. */
    readonly addAssociation: (
      org: string,
      association: NewAssociation,
    ) => Effect.Effect<void, BadRequest | NotFound | DatabaseUnavailable>
    /** Deletes an association, or a deal with its associations and documents. */
    readonly remove: (
      org: string,
      type: Deletable,
      id: string,
    ) => Effect.Effect<void, BadRequest | NotFound | DatabaseUnavailable>
  }
>()("sightline/deals/RecordEdits") {}
