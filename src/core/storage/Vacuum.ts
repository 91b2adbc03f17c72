import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"

/** Runs one statement outside of a transaction once it is admitted, so that requests come between two of them. */
export type RunStatement = <Row extends object>(
  statement: Fragment,
) => Effect.Effect<ReadonlyArray<Row>, DatabaseUnavailable>

/** How an engine gives back the space of rows that were changed or deleted. The adapter that opens the database sets it. */
export interface Vacuum {
  /** Vacuums and analyzes the tables that many writes have changed, and returns how many. Absent: a server does it by itself (autovacuum). */
  readonly afterWrites?: (run: RunStatement) => Effect.Effect<number, DatabaseUnavailable>
  /** Frees the space of deleted rows in `tables`, by default in all. An embedded engine overwrites their bytes, too. */
  readonly afterErasing: (run: RunStatement, tables?: ReadonlyArray<string>) => Effect.Effect<void, DatabaseUnavailable>
}

/** A database that a host has opened is the host's to vacuum. */
export const Vacuum = Context.Reference<Vacuum>("sightline/storage/Vacuum", {
  defaultValue: () => ({ afterErasing: () => Effect.void }),
})
