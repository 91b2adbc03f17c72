import * as Effect from "effect/Effect"
import { Database } from "../storage/Database.ts"
import { deleteExportAndJob, RETENTION, removeFiles } from "./Exports.ts"
import { clearFile } from "./sql.ts"

/** Expired exports that one sweep deletes. */
const BATCH_SIZE = 100

interface Expired {
  readonly org_id: string
  readonly id: string
  readonly job_id: string
  readonly epoch: number
  readonly whole: boolean
}

/**
 * Deletes expired downloads (the file) and expired records (with the files of every attempt). The next sweep retries those
 * that fail. Returns whether more may be left.
 */
export const sweep = Effect.gen(function* () {
  const database = yield* Database
  const { sql } = database
  const expired = yield* database.unscoped<Expired>(
    sql`select * from expired_exports(${RETENTION.download}::interval, ${RETENTION.record}::interval, ${BATCH_SIZE}::int)`,
  )
  const remove = Effect.fnUntraced(function* ({ org_id: org, id, job_id, epoch, whole }: Expired) {
    yield* removeFiles(org, id, epoch)
    yield* database.transaction(org, whole ? deleteExportAndJob(sql, org, id, job_id) : clearFile(sql, org, id))
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
  return expired.length === BATCH_SIZE && removed.some(Boolean)
})
