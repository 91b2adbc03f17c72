import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import { Database, unavailable } from "../../storage/Database.ts"
import type { BatchLog, ImportLog } from "../../records/log/ImportLog.ts"
import type { Overlay } from "../../records/dryRun/Overlay.ts"
import { databaseStore } from "../../records/Store.ts"
import type { Store } from "../../records/Session.ts"

/** The target of writes before an import's first record: the overlay of a dry run, or the database and the log. */
export interface Preparing {
  readonly overlay?: Overlay | undefined
  readonly log?: ImportLog | undefined
}

interface Prepared {
  readonly sql: SqlClient
  readonly store: Store
  readonly log: BatchLog | undefined
}

/** Writes in a transaction, which also logs the old values. */
export const prepareIn = Effect.fnUntraced(function* <R>(
  org: string,
  { overlay, log }: Preparing,
  write: (to: Prepared) => Effect.Effect<unknown, SqlError | DatabaseUnavailable, R>,
) {
  const { sql, transaction } = yield* Database
  const written = Effect.gen(function* () {
    if (overlay !== undefined) return yield* write({ sql, store: overlay.storeUnseen(sql, org), log: undefined })
    const batch = log?.begin()
    yield* write({ sql, store: databaseStore(sql, org, batch), log: batch })
    if (log !== undefined && batch !== undefined) yield* log.append(sql, org, batch)
  })
  yield* unavailable(transaction(org, written))
})
