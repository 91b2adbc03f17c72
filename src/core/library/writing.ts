import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { forgetDocuments, indexChunks, lockPassagesOwners } from "../search/writing.ts"
import { recordDeleted, recordWritten } from "../storage/recordChanges.ts"
import type { Document } from "./contract.ts"
import type { Chunk, ReadAndCut } from "../ports/document.ts"
import { shown } from "./sql.ts"
import { partsOf } from "./viewer/parts.ts"

/** A document as the API shows it, but for its address. */
export type DocumentRow = Omit<Document, "url">

interface NewRow {
  readonly id: string
  readonly type: string
  readonly source: string
  readonly file_name: string
  readonly content_type: string
  readonly competitor_id: string | null
  readonly deal_id: string | null
  readonly file_url: string | null
  readonly size_bytes: number | null
  readonly sha256: string | null
}

export const insertDocument = Effect.fnUntraced(function* (sql: SqlClient, org: string, row: NewRow) {
  const [made] = yield* sql<DocumentRow>`
    insert into documents ${sql.insert({ org_id: org, ...row })} returning ${shown(sql)}`
  if (made === undefined) return yield* Effect.die("the document was not stored")
  yield* recordWritten("document", [made.id])
  return made
})

const recordOne = <Row extends { readonly id: string }>([row]: ReadonlyArray<Row>) =>
  row === undefined ? Effect.undefined : Effect.as(recordWritten("document", [row.id]), row)

/** Sets a document to be read again; undefined where there is none, or it is being read. */
export const restartDocument = (sql: SqlClient, org: string, id: string) =>
  Effect.flatMap(
    sql<DocumentRow>`update documents set status = 'processing', updated_at = now()
      where org_id = ${org} and id = ${id} and not exists (
        select from jobs where org_id = ${org} and subject = ${id} and state in ('queued', 'running'))
      returning ${shown(sql)}`,
    recordOne,
  )

/** Writes how large the original is that was fetched; undefined where the document is deleted. */
export const describeOriginal = (
  sql: SqlClient,
  org: string,
  id: string,
  { size, sha256 }: { readonly size: number; readonly sha256: string },
) =>
  Effect.flatMap(
    sql<{ id: string }>`update documents set size_bytes = ${size}::float8, sha256 = ${sha256}
      where org_id = ${org} and id = ${id} returning id`,
    recordOne,
  )

export const failDocument = (sql: SqlClient, org: string, id: string, reason: string) =>
  Effect.flatMap(
    sql<{ id: string }>`update documents set status = 'failed', failure_reason = ${reason}, updated_at = now()
      where org_id = ${org} and id = ${id} returning id`,
    recordOne,
  )

/** Deletes documents with their texts; answers the ids of those that were there. */
export const deleteDocumentRows = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  documents: ReadonlyArray<string>,
) {
  if (documents.length === 0) return []
  yield* forgetDocuments(sql, org, documents)
  const deleted = yield* sql<{ id: string }>`
    delete from documents where org_id = ${org} and id = any(${[...documents]}::text[]) returning id`
  const ids = deleted.map(({ id }) => id)
  yield* recordDeleted("document", ids)
  return ids
})

/** Chunks to a statement: an embedded database holds up everything else in its process while it works at one. */
const BATCH = 100

function* rowsOf(chunks: Iterable<Chunk>) {
  let rows = []
  let n = 0
  for (const { start, end, text: body, headings, places } of chunks) {
    rows.push({ n: n++, start, end, body, headings, places })
    if (rows.length < BATCH) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

/** Puts a new reading in place of the old one. In one transaction: readers see the old or the new, whole. */
export const replaceText = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  id: string,
  { text, elements, chunks, warnings }: ReadAndCut,
) {
  // A row that took another's place was locked by this transaction.
  const [stored] = yield* sql<{ first: boolean }>`
    insert into document_texts (org_id, document_id, body) values (${org}, ${id}, ${text})
    on conflict (org_id, document_id) do update set body = excluded.body
    returning xmax = 0 as first`
  if (stored?.first !== true) {
    yield* sql`delete from document_parts where org_id = ${org} and document_id = ${id}`
    yield* sql`delete from document_chunks where org_id = ${org} and document_id = ${id}`
    yield* lockPassagesOwners(sql, org, id)
    yield* forgetDocuments(sql, org, [id])
  }
  let parts = 0
  for (const part of partsOf(elements)) {
    yield* sql`insert into document_parts (org_id, document_id, n, start_at, reach, elements)
      values (${org}, ${id}, ${parts++}::int, ${part.start}::int, ${JSON.stringify(part.reach)}::text::jsonb,
        ${JSON.stringify(part.elements)}::text::json)`
  }
  let count = 0
  for (const rows of rowsOf(chunks)) {
    yield* sql`insert into document_chunks (org_id, document_id, n, start_at, end_at, body, headings, places)
      select ${org}, ${id}, x.n, x.start, x."end", x.body, x.headings, x.places
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as x(n int, start int, "end" int, body text, headings jsonb, places jsonb)`
    count += rows.length
  }
  if (count > 0) yield* lockPassagesOwners(sql, org, id)
  for (let n = 0; n < count; n += BATCH) yield* indexChunks(sql, org, id, [n, n + BATCH - 1])
  yield* sql`update documents set status = 'ready', failure_reason = null, updated_at = now(),
      warnings = ${JSON.stringify(warnings)}::text::jsonb
    where org_id = ${org} and id = ${id}`
  yield* recordWritten("document", [id])
})
