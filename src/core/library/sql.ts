import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { utc } from "../storage/sql.ts"

/** The columns of a document in the API, without `url`. */
export const documentColumns = (sql: SqlClient): Fragment =>
  sql.literal(`id, file_name, status, type, source, content_type, size_bytes, competitor_id, deal_id, failure_reason, warnings,
    ${utc("created_at")} as created_at, ${utc("updated_at")} as updated_at`)

export interface DocumentFilters {
  readonly status?: string | undefined
  readonly type?: string | undefined
  readonly deal_id?: string | undefined
  readonly competitor_ids?: ReadonlyArray<string> | undefined
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
  where org_id = ${org} and sha256 = ${document.sha256} and type = ${document.type} and status <> 'failed'
    and competitor_id is not distinct from ${document.competitorId}::text and deal_id is not distinct from ${document.dealId}::text
  order by created_at limit 1`

/** Competitors with a similar name, exact matches (ignoring case) first. */
export const selectSimilarCompetitors = (sql: SqlClient, name: string): Fragment => sql`
  select id, name, lower(name) = lower(${name}) as exact, similarity(lower(name), lower(${name})) as similarity
  from competitors where org_id = scope.org and (lower(name) = lower(${name}) or similarity(lower(name), lower(${name})) > 0.2)
  order by exact desc, similarity desc, name limit 20`
