import * as Effect from "effect/Effect"
import type { BlobStore } from "../ports/BlobStore.ts"
import type { Database } from "../storage/Database.ts"
import { forgetExport, KEPT, removeFiles } from "./Exports.ts"
import { forgetFile } from "./sql.ts"

/** Exports of one look. */
const AT_ONCE = 100

interface Expired {
  readonly org_id: string
  readonly id: string
  readonly job_id: string
  readonly epoch: number
  readonly whole: boolean
}

/**
 * Takes away what has expired: a file after its download, a record with all that was ever written for it. What cannot be
 * removed is left for the next look. Tells whether there is more.
 */
export const sweep = Effect.fnUntraced(function* (database: Database["Service"], blobs: BlobStore["Service"]) {
  const { sql } = database
  const expired = yield* database.unscoped<Expired>(
    sql`select * from expired_exports(${KEPT.download}::interval, ${KEPT.record}::interval, ${AT_ONCE}::int)`,
  )
  const remove = Effect.fnUntraced(function* ({ org_id: org, id, job_id, epoch, whole }: Expired) {
    yield* removeFiles(blobs, org, id, epoch)
    yield* database.transaction(org, whole ? forgetExport(sql, org, id, job_id) : forgetFile(sql, org, id))
  })
  const removed = yield* Effect.forEach(expired, (each) =>
    Effect.as(remove(each), true).pipe(
      Effect.catchCause((cause) =>
        Effect.as(
          Effect.logWarning(`could not delete the expired export ${each.id} of ${each.org_id} yet`, cause),
          false,
        ),
      ),
    ),
  )
  return expired.length === AT_ONCE && removed.some(Boolean)
})

/** Looks every hour, and goes on at once while there is more. */
export const sweeping = (database: Database["Service"], blobs: BlobStore["Service"]) =>
  Effect.forever(
    Effect.flatMap(
      Effect.catchCause(sweep(database, blobs), (cause) =>
        Effect.as(Effect.logWarning("could not delete expired exports yet", cause), false),
      ),
      (more) => Effect.sleep(more ? "1 second" : "1 hour"),
    ),
  )
