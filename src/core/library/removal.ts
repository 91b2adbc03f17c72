import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { JobQueue } from "../jobs/JobQueue.ts"
import { type BlobStore, blobKey } from "../ports/BlobStore.ts"
import { deleteDocumentRows } from "./writing.ts"

/** Where the bytes of a document lie. */
export const originalKey = (org: string, id: string) => blobKey(org, "documents", id)

/**
 * Deletes documents with their texts and calls off their jobs, in the caller's transaction. Answers the ids of those that
 * were there: their originals go once the transaction has committed.
 */
export const deleteDocuments = Effect.fnUntraced(function* (
  sql: SqlClient,
  jobs: JobQueue["Service"],
  org: string,
  ids: ReadonlyArray<string>,
) {
  yield* Effect.forEach(ids, (id) => jobs.cancel(org, id), { discard: true })
  return yield* deleteDocumentRows(sql, org, ids)
})

export const deleteOriginals = (blobs: BlobStore["Service"], org: string, ids: ReadonlyArray<string>) =>
  Effect.forEach(ids, (id) => blobs.remove(originalKey(org, id)), { concurrency: 4, discard: true })
