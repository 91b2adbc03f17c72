import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { BadRequest, NotFound } from "../http/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { DealUpdate } from "./record.ts"

/** The types of record that can be deleted. */
export type Deletable = "deal" | "association"

/** Changes or deletes one record under the rules of an import. `src/core/workspace` implements it. */
export class RecordEdits extends Context.Service<
  RecordEdits,
  {
    /** Changes an existing deal. */
    readonly updateDeal: (
      org: string,
      id: string,
      fields: DealUpdate,
    ) => Effect.Effect<void, BadRequest | NotFound | DatabaseUnavailable>
    /** Deletes an association, or a deal with its associations and documents. */
    readonly remove: (
      org: string,
      type: Deletable,
      id: string,
    ) => Effect.Effect<void, BadRequest | NotFound | DatabaseUnavailable>
  }
>()("sightline/deals/RecordEdits") {}
