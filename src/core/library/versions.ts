import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { badRequest } from "../http/validation/validation.ts"
import { Conflict } from "../http/errors/errors.ts"
import { forgetDocuments, indexChunks } from "../search/writing.ts"
import type { ResolvedTarget } from "./targets.ts"

/** Chunks per statement, as in `writing.ts`. */
const BATCH_SIZE = 100

interface Earlier {
  readonly type: string
  readonly version: number
  readonly competitor_id: string | null
  readonly deal_id: string | null
  readonly replaced_by: string | null
}

const invalid = (reason: string) => badRequest({ invalid: [{ field: "replaces", reason }] })

/** The id of the latest document of a file's name, type, and deal or competitor. Attachments belong to their mails. */
export const findSameName = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  document: ResolvedTarget & { readonly type: string; readonly file_name: string },
) {
  const [same] = yield* sql<{ id: string }>`select id from documents
    where org_id = ${org} and file_name = ${document.file_name} and type = ${document.type}
      and competitor_id is not distinct from ${document.competitorId}::text and deal_id is not distinct from ${document.dealId}::text
      and parent_id is null and replaced_by is null
    order by created_at desc limit 1`
  return same?.id
})

/** Locks a document that a new version replaces, and returns its version. Refuses one of another place, and one that was replaced. */
export const lockEarlier = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  replaces: string,
  { type, competitorId, dealId }: ResolvedTarget & { readonly type: string },
) {
  // A deletion of the deal locks it before its documents.
  yield* sql`select from documents d join deals l on l.org_id = d.org_id and l.id = d.deal_id
    where d.org_id = ${org} and d.id = ${replaces} and l.org_id = ${org} for key share of l`
  const [earlier] = yield* sql<Earlier>`select type, version, competitor_id, deal_id, replaced_by from documents
    where org_id = ${org} and id = ${replaces} for update`
  if (earlier === undefined) return yield* invalid("is not the id of a document")
  if (earlier.type !== type || earlier.competitor_id !== competitorId || earlier.deal_id !== dealId) {
    return yield* invalid("must name a document of the same type, and of the same deal or competitor")
  }
  if (earlier.replaced_by !== null) {
    const message = `this document was replaced by ${earlier.replaced_by}; replace that one`
    return yield* new Conflict({ message, details: { replaced_by: earlier.replaced_by } })
  }
  return earlier.version
})

/** Takes out of search what a document replaces, which was read. Returns whether the document is searched itself: a later version may have been read before it. */
export const retireEarlier = Effect.fnUntraced(function* (sql: SqlClient, org: string, id: string) {
  const [row] = yield* sql<{ replaces: string | null; is_latest: boolean }>`
    select d.replaces, n.id is null as is_latest
    from documents d
    left join documents n on n.org_id = d.org_id and n.id = d.replaced_by and n.status = 'ready'
    where d.org_id = ${org} and d.id = ${id}`
  if (typeof row?.replaces === "string") yield* forgetDocuments(sql, org, [row.replaces])
  return row?.is_latest ?? true
})

/** Searches documents again, which no later version replaces any more. */
export const searchAgain = Effect.fnUntraced(function* (sql: SqlClient, org: string, ids: ReadonlyArray<string>) {
  for (const id of ids) {
    yield* forgetDocuments(sql, org, [id])
    const [{ chunks } = { chunks: 0 }] = yield* sql<{ chunks: number }>`
      select count(*)::int as chunks from document_chunks where org_id = ${org} and document_id = ${id}`
    for (let n = 0; n < chunks; n += BATCH_SIZE) yield* indexChunks(sql, org, id, [n, n + BATCH_SIZE - 1])
  }
})
