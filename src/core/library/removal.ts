import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { JobQueue } from "../jobs/JobQueue.ts"
import { BlobStore, blobKey } from "../ports/BlobStore.ts"
import { deleteDocumentRows } from "./writing.ts"

/** The key of a document's original in the blob store. */
export const originalKey = (org: string, id: string) => blobKey(org, "documents", id)

/**
 * Deletes documents with their texts and cancels their jobs, in the caller's transaction. Returns the ids of those that
 * existed; the caller passes them to `deleteOriginals` after the commit.
 */
export const deleteDocuments = Effect.fnUntraced(function* (sql: SqlClient, org: string, ids: ReadonlyArray<string>) {
  const jobs = yield* JobQueue
  yield* Effect.forEach(ids, (id) => jobs.cancel(org, id), { discard: true })
  return yield* deleteDocumentRows(sql, org, ids)
})

export const deleteOriginals = Effect.fnUntraced(function* (org: string, ids: ReadonlyArray<string>) {
  const blobs = yield* BlobStore
  yield* Effect.forEach(ids, (id) => blobs.remove(originalKey(org, id)), { concurrency: 4, discard: true })
})
