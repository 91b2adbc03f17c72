import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { DatabaseUnavailable } from "../storage/Database.ts"

/** A deal as text: what passages of source `deal` are offsets into. */
export interface DealRecord {
  readonly name: string
  readonly text: string
  /** In the order of the text. A title is text too: `text.slice(start, end)`; level 1 is the deal's name. */
  readonly headings: ReadonlyArray<{ readonly start: number; readonly end: number; readonly level: number }>
}

/** Each deal's record as a text that can be read and cited. */
export class DealRecords extends Context.Service<
  DealRecords,
  {
    /** As it was last indexed; undefined where there is no such deal. A deal not indexed yet is rendered now. */
    readonly text: (org: string, dealId: string) => Effect.Effect<DealRecord | undefined, DatabaseUnavailable>
  }
>()("sightline/search/DealRecords") {}
