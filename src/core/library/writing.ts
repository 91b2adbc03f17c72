import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { forgetDocuments, indexChunks } from "../search/writing.ts"
import { insertSelected, recordDeleted, recordWritten } from "../storage/recordChanges.ts"
import { selectWritten } from "../storage/sql.ts"
import type { Document } from "./contract.ts"
import type { Chunk, ReadAndCut } from "../ports/document.ts"
import { documentColumns } from "./sql.ts"
import { retireEarlier, searchAgain } from "./versions.ts"
import { divideIntoParts } from "./viewer/parts.ts"

/** A document as the API shows it, without its URL. */
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
  readonly parent_id?: string
  readonly version?: number
  readonly replaces?: string
}

export const insertDocument = Effect.fnUntraced(function* (sql: SqlClient, org: string, row: NewRow) {
  const insert = sql`insert into documents ${sql.insert({ org_id: org, ...row })}`
  const [inserted] = yield* sql<DocumentRow>`${selectWritten(sql, documentColumns(sql), insert)}`
  if (inserted === undefined) return yield* Effect.die("the document was not stored")
  yield* recordWritten("document", [inserted.id])
  return inserted
})

const recordOne = <Row extends { readonly id: string }>([row]: ReadonlyArray<Row>) =>
  row === undefined ? Effect.undefined : Effect.as(recordWritten("document", [row.id]), row)

/** Marks a document for another reading. Undefined if it does not exist or a reading is queued or running. */
export const restartDocument = (sql: SqlClient, org: string, id: string) =>
  Effect.flatMap(
    sql<DocumentRow>`${selectWritten(
      sql,
      documentColumns(sql),
      sql`update documents set status = 'processing', updated_at = now()
        where org_id = ${org} and id = ${id} and not exists (
          select from jobs where org_id = ${org} and subject = ${id} and state in ('queued', 'running'))`,
    )}`,
    recordOne,
  )

/** Stores the size and hash of a fetched original. Undefined if the document was deleted. */
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

export const markReplaced = (sql: SqlClient, org: string, id: string, by: string) =>
  Effect.flatMap(
    sql<{ id: string }>`update documents set replaced_by = ${by} where org_id = ${org} and id = ${id} returning id`,
    recordOne,
  )

/** Removes deleted documents from their other versions. Returns those that are the latest now. */
const detachVersions = Effect.fnUntraced(function* (sql: SqlClient, org: string, deleted: ReadonlyArray<string>) {
  const ids = [...deleted]
  const rows = yield* sql<{ id: string; is_latest: boolean }>`
    update documents set replaced_by = case when replaced_by = any(${ids}::text[]) then null else replaced_by end,
      replaces = case when replaces = any(${ids}::text[]) then null else replaces end
    where org_id = ${org} and (replaced_by = any(${ids}::text[]) or replaces = any(${ids}::text[]))
    returning id, replaced_by is null as is_latest`
  yield* recordWritten(
    "document",
    rows.map(({ id }) => id),
  )
  return rows.filter(({ is_latest }) => is_latest).map(({ id }) => id)
})

/** Deletes documents with their texts. Returns the ids of those that existed. */
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
  yield* searchAgain(sql, org, yield* detachVersions(sql, org, ids))
  return ids
})

/** Chunks per statement. An embedded database blocks its process during a statement, so statements are short. */
const BATCH_SIZE = 100

function* makeRows(chunks: Iterable<Chunk>) {
  let rows = []
  let n = 0
  for (const { start, end, text: body, headings, places, tables } of chunks) {
    rows.push({ n: n++, start, end, body, headings, places, tables })
    if (rows.length < BATCH_SIZE) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

/** Locks a document's deal. A deletion of the deal locks it before the jobs, rows and passages of its documents: so must a reading. */
export const lockDeal = (sql: SqlClient, org: string, id: string) =>
  sql`select from documents d join deals l on l.org_id = d.org_id and l.id = d.deal_id
    where d.org_id = ${org} and d.id = ${id} and l.org_id = ${org} for key share of l`

/** Replaces the text of a document. Runs in one transaction, so that readers see either the old or the new text. */
export const replaceText = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  id: string,
  { text, elements, chunks, warnings }: ReadAndCut,
) {
  // `xmax` is 0 for an inserted row; an updated row carries the lock of this transaction.
  const [stored] = yield* sql<{ first: boolean }>`
    insert into document_texts (org_id, document_id, body) values (${org}, ${id}, ${text})
    on conflict (org_id, document_id) do update set body = excluded.body
    returning xmax = 0 as first`
  if (stored?.first !== true) {
    yield* sql`delete from document_parts where org_id = ${org} and document_id = ${id}`
    yield* sql`delete from document_chunks where org_id = ${org} and document_id = ${id}`
    yield* forgetDocuments(sql, org, [id])
  }
  let parts = 0
  for (const part of divideIntoParts(elements)) {
    yield* sql`insert into document_parts (org_id, document_id, n, start_at, reach, elements)
      values (${org}, ${id}, ${parts++}::int, ${part.start}::int, ${JSON.stringify(part.reach)}::text::jsonb,
        ${JSON.stringify(part.elements)}::text::json)`
  }
  let count = 0
  for (const rows of makeRows(chunks)) {
    yield* insertSelected(
      sql,
      org,
      (home) => sql`
        insert into document_chunks (org_id, document_id, n, start_at, end_at, body, headings, places, tables)
        select ${home.org}, ${id}, x.n, x.start, x."end", x.body, x.headings, x.places, x.tables
        from ${home.from}json_to_recordset(${JSON.stringify(rows)}::json)
          as x(n int, start int, "end" int, body text, headings jsonb, places jsonb, tables jsonb) ${home.where}`,
    )
    count += rows.length
  }
  const searched = (yield* retireEarlier(sql, org, id)) ? count : 0
  for (let n = 0; n < searched; n += BATCH_SIZE) yield* indexChunks(sql, org, id, [n, n + BATCH_SIZE - 1])
  yield* sql`update documents set status = 'ready', failure_reason = null, updated_at = now(),
      warnings = ${JSON.stringify(warnings)}::text::jsonb
    where org_id = ${org} and id = ${id}`
  yield* recordWritten("document", [id])
})
