import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { JobQueue } from "../jobs/JobQueue.ts"
import { BlobStore, blobKey } from "../ports/BlobStore.ts"
import { deleteDocumentRows } from "./writing.ts"

/** The key of a document's original in the blob store. */
export const originalKey = (org: string, id: string) => blobKey(org, "documents", id)

/** The documents and everything that was attached to them. */
const withAttachments = Effect.fnUntraced(function* (sql: SqlClient, org: string, ids: ReadonlyArray<string>) {
  if (ids.length === 0) return ids
  const rows = yield* sql<{ id: string }>`
    with recursive family as (
      select id from documents where org_id = ${org} and id = any(${[...ids]}::text[])
      union
      select d.id from documents d join family f on d.parent_id = f.id where d.org_id = ${org}
    )
    select id from family`
  return [...new Set([...ids, ...rows.map(({ id }) => id)])]
})

/**
 * Deletes documents with their texts and their attachments, and cancels their jobs, in the caller's transaction. Returns the ids of those
 * that existed; the caller passes them to `deleteOriginals` after the commit.
 */
export const deleteDocuments = Effect.fnUntraced(function* (sql: SqlClient, org: string, ids: ReadonlyArray<string>) {
  const jobs = yield* JobQueue
  const all = yield* withAttachments(sql, org, ids)
  yield* Effect.forEach(all, (id) => jobs.cancel(org, id), { discard: true })
  return yield* deleteDocumentRows(sql, org, all)
})

export const deleteOriginals = Effect.fnUntraced(function* (org: string, ids: ReadonlyArray<string>) {
  const blobs = yield* BlobStore
  yield* Effect.forEach(ids, (id) => blobs.remove(originalKey(org, id)), { concurrency: 4, discard: true })
})
