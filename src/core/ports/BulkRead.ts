import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { DatabaseUnavailable } from "./DatabaseUnavailable.ts"

/**
 * How to read the rows of one large query from one snapshot. The adapter that opens the database sets it.
 *
 * - `cursor`: reads a cursor in a transaction with its own connection.
 * - `copy`: runs `copy (…) to stdout (format binary)` in the scope of `org`. It yields bytes in pieces of any length; each
 *   is valid until the next is pulled.
 * - `pages`: shares the only connection with other work between pages. `page` is a `copy` of few rows, in one piece.
 */
export type BulkRead =
  | { readonly _tag: "cursor" }
  | {
      readonly _tag: "pages"
      readonly page: (
        org: string,
        statement: string,
        parameters: ReadonlyArray<unknown>,
      ) => Effect.Effect<Uint8Array, DatabaseUnavailable>
    }
  | {
      readonly _tag: "copy"
      readonly copy: (
        org: string,
        statement: string,
        parameters: ReadonlyArray<unknown>,
      ) => Stream.Stream<Uint8Array, DatabaseUnavailable>
    }

export const BulkRead = Context.Reference<BulkRead>("sightline/ports/BulkRead", {
  defaultValue: () => ({ _tag: "cursor" }),
})
