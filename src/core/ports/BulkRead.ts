import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { DatabaseUnavailable } from "./DatabaseUnavailable.ts"

/**
 * How the database gives the rows of one large query as of one moment. Whoever opens the database says it.
 *
 * - `cursor`: in a transaction that holds a connection of its own to the end.
 * - `copy`: by `copy (…) to stdout (format binary)`, in the scope of `org`; answers the bytes in pieces of any length,
 *   each good until the next is asked for.
 * - `pages`: there is one connection, which everything else needs in between. `page` is `copy` of few rows, in one piece.
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
