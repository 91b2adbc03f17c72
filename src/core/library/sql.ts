import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { fold } from "../common/fold.ts"
import { utc } from "../storage/sql.ts"

/** The columns of a document in the API, without `url`. */
export const documentColumns = (sql: SqlClient): Fragment =>
  sql.literal(`id, file_name, status, type, source, content_type, size_bytes, competitor_id, deal_id, parent_id, version, replaces, replaced_by, failure_reason, warnings,
    ${utc("created_at")} as created_at, ${utc("updated_at")} as updated_at`)

export interface DocumentFilters {
  readonly status?: string | undefined
  readonly type?: string | undefined
  readonly deal_id?: string | undefined
  readonly parent_id?: string | undefined
  readonly competitor_ids?: ReadonlyArray<string> | undefined
  readonly belongs_to?: "competitor" | "deal" | undefined
  /** A part of the file name, ignoring case. */
  readonly searchQuery?: string | undefined
}

/** A page of documents and one more, newest first. Runs inside `Database.scoped`. */
export const selectPage = (
  sql: SqlClient,
  filters: DocumentFilters,
  after: { readonly created_at: string; readonly id: string } | undefined,
  size: number,
): Fragment => sql`
  select ${documentColumns(sql)} from documents d
  where ${sql.and([
    sql`d.org_id = scope.org`,
    ...(["status", "type", "deal_id", "parent_id"] as const).flatMap((name) =>
      filters[name] === undefined ? [] : [sql`d.${sql.literal(name)} = ${filters[name]}`],
    ),
    ...(filters.competitor_ids === undefined
      ? []
      : [sql`d.competitor_id = any(${[...filters.competitor_ids]}::text[])`]),
    ...(filters.belongs_to === undefined
      ? []
      : [filters.belongs_to === "deal" ? sql`d.deal_id is not null` : sql`d.deal_id is null`]),
    ...(filters.searchQuery === undefined ? [] : [sql`strpos(lower(d.file_name), lower(${filters.searchQuery})) > 0`]),
    ...(after === undefined
      ? []
      : [sql`(d.created_at, d.id collate "C") < (${after.created_at}::timestamptz, ${after.id})`]),
  ])}
  order by d.created_at desc, d.id collate "C" desc limit ${size + 1}::int`

/** A document with the same bytes, type and target that did not fail. */
export const selectDuplicate = (
  sql: SqlClient,
  org: string,
  document: {
    readonly type: string
    readonly competitorId: string | null
    readonly dealId: string | null
    readonly sha256: string
  },
): Fragment => sql`
  select ${documentColumns(sql)} from documents
  where org_id = ${org} and sha256 = ${document.sha256} and type = ${document.type} and status <> 'failed' and replaced_by is null
    and competitor_id is not distinct from ${document.competitorId}::text and deal_id is not distinct from ${document.dealId}::text
  order by created_at limit 1`

/** Competitors with a similar name, exact matches first. */
export const selectSimilarCompetitors = (sql: SqlClient, name: string): Fragment => sql`
  select id, name, folded = ${fold(name)} as exact, similarity(folded, ${fold(name)}) as similarity
  from competitors where org_id = scope.org and (folded = ${fold(name)} or similarity(folded, ${fold(name)}) > 0.2)
  order by exact desc, similarity desc, name limit 20`

/** The warnings of a document, and its attachments by name. Runs inside `Database.scoped`. */
export const selectOutcome = (sql: SqlClient, id: string): Fragment => sql`
  select warnings, coalesce((
    select jsonb_agg(jsonb_build_object('document_id', a.id, 'file_name', a.file_name) order by a.file_name collate "C", a.id collate "C")
    from documents a where a.org_id = scope.org and a.parent_id = d.id), '[]') as attachments
  from documents d where d.org_id = scope.org and d.id = ${id}`
