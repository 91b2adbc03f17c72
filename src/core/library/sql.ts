import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { indexChunks } from "../search/sql.ts"
import { utc } from "../storage/sql.ts"
import type { Chunk, ReadAndCut } from "../ports/document.ts"
import { partsOf } from "./viewer/parts.ts"

/** A document as the API shows it, but for its address. */
export const shown = (sql: SqlClient): Fragment =>
  sql.literal(`id, file_name, status, type, source, content_type, size_bytes, competitor_id, deal_id, failure_reason, warnings,
    ${utc("created_at")} as created_at, ${utc("updated_at")} as updated_at`)

export interface DocumentFilters {
  readonly status?: string | undefined
  readonly type?: string | undefined
  readonly deal_id?: string | undefined
  readonly competitor_ids?: ReadonlyArray<string> | undefined
}

/** Newest first. Runs inside `Database.scoped`. */
export const listOf = (
  sql: SqlClient,
  filters: DocumentFilters,
  after: { readonly created_at: string; readonly id: string } | undefined,
  size: number,
): Fragment => sql`
  select ${shown(sql)} from documents d
  where ${sql.and([
    sql`d.org_id = scope.org`,
    ...(["status", "type", "deal_id"] as const).flatMap((name) =>
      filters[name] === undefined ? [] : [sql`d.${sql.literal(name)} = ${filters[name]}`],
    ),
    ...(filters.competitor_ids === undefined
      ? []
      : [sql`d.competitor_id = any(${[...filters.competitor_ids]}::text[])`]),
    ...(after === undefined
      ? []
      : [sql`(d.created_at, d.id collate "C") < (${after.created_at}::timestamptz, ${after.id})`]),
  ])}
  order by d.created_at desc, d.id collate "C" desc limit ${size + 1}::int`

/** The document of the same bytes in the same place that is not known to be bad. */
export const sameBytes = (
  sql: SqlClient,
  org: string,
  place: {
    readonly type: string
    readonly competitorId: string | null
    readonly dealId: string | null
    readonly sha256: string
  },
): Fragment => sql`
  select ${shown(sql)} from documents
  where org_id = ${org} and sha256 = ${place.sha256} and type = ${place.type} and status <> 'failed'
    and competitor_id is not distinct from ${place.competitorId}::text and deal_id is not distinct from ${place.dealId}::text
  order by created_at limit 1`

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
    for (const table of ["document_parts", "document_chunks", "passages"]) {
      yield* sql`delete from ${sql(table)} where org_id = ${org} and document_id = ${id}`
    }
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
  for (let n = 0; n < count; n += BATCH) yield* indexChunks(sql, org, id, [n, n + BATCH - 1])
  yield* sql`update documents set status = 'ready', failure_reason = null, updated_at = now(),
      warnings = ${JSON.stringify(warnings)}::text::jsonb
    where org_id = ${org} and id = ${id}`
})

/** Competitors by exact name in any case, then the closest. */
export const competitorsNamed = (sql: SqlClient, name: string): Fragment => sql`
  select id, name, lower(name) = lower(${name}) as exact, similarity(lower(name), lower(${name})) as similarity
  from competitors where org_id = scope.org and (lower(name) = lower(${name}) or similarity(lower(name), lower(${name})) > 0.2)
  order by exact desc, similarity desc, name limit 20`
