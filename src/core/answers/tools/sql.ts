import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { fold } from "../../common/fold.ts"
import { utc } from "../../storage/sql.ts"
import type { Place, Placed, TableRange } from "../../ports/document.ts"

export interface CompetitorRow {
  readonly id: string
  readonly name: string
  readonly website_url: string | null
  readonly deals: number
  readonly won: number
  readonly lost: number
}

/** Selects competitors whose name contains `name`, those with most deals first. All SQL here runs inside `Database.scoped`. */
export const selectCompetitors = (sql: SqlClient, name: string | undefined, limit: number): Fragment => sql`
  select k.id, k.name, k.website_url, count(d.id)::int as deals,
    (count(d.id) filter (where s.category = 'won'))::int as won,
    (count(d.id) filter (where s.category = 'lost'))::int as lost
  from competitors k
  left join deal_competitors dc on dc.org_id = scope.org and dc.competitor_id = k.id
  left join deals d on d.org_id = scope.org and d.id = dc.deal_id
  left join stages s on s.org_id = scope.org and s.id = d.status_id
  where k.org_id = scope.org and ${name === undefined ? sql`true` : sql`strpos(k.folded, ${fold(name)}) > 0`}
  group by k.id, k.name, k.website_url order by deals desc, k.name collate "C", k.id collate "C" limit ${limit}::int`

export interface AssetRow {
  readonly id: string
  readonly file_name: string
  readonly type: string
  readonly competitor_id: string | null
  readonly competitor_name: string | null
  readonly created_at: string
  readonly start_at: number
  readonly end_at: number
  readonly body: string
  readonly headings: ReadonlyArray<string>
  readonly places: ReadonlyArray<Placed>
  readonly tables: ReadonlyArray<TableRange>
}

interface AssetQuery {
  readonly competitors: ReadonlyArray<string> | undefined
  readonly type: string | undefined
  readonly name: string | undefined
  readonly limit: number
}

/** Selects the library documents that were read, newest first, each with its first chunk. */
export const selectAssets = (sql: SqlClient, { competitors, type, name, limit }: AssetQuery): Fragment => sql`
  select d.id, d.file_name, d.type, d.competitor_id, k.name as competitor_name, ${sql.literal(utc("d.created_at"))} as created_at,
    c.start_at, c.end_at, c.body, c.headings, c.places, c.tables
  from documents d
  join document_chunks c on c.org_id = scope.org and c.document_id = d.id and c.n = 0
  left join competitors k on k.org_id = scope.org and k.id = d.competitor_id
  where ${sql.and([
    sql`d.org_id = scope.org`,
    sql`d.deal_id is null`,
    ...(competitors === undefined ? [] : [sql`d.competitor_id = any(${[...competitors]}::text[])`]),
    ...(type === undefined ? [] : [sql`d.type = ${type}`]),
    ...(name === undefined ? [] : [sql`strpos(lower(d.file_name), lower(${name})) > 0`]),
  ])}
  order by d.created_at desc, d.id collate "C" desc limit ${limit}::int`

/** The place where a chunk begins. */
export const findFirstPlace = ({ places }: { readonly places: ReadonlyArray<Placed> }): Place =>
  places[0]?.place ?? { kind: "text" }

export interface TextRow {
  readonly file_name: string
  readonly deal_id: string | null
  readonly deal_name: string | null
  readonly competitor_id: string | null
  readonly created_at: string
  readonly body: string
  readonly places: ReadonlyArray<Placed>
  readonly tables: ReadonlyArray<TableRange>
}

/** Selects a document with its text, and the tables and places of the chunks between two offsets. */
export const selectText = (sql: SqlClient, id: string, start: number, end: number): Fragment => {
  const rangesOf = (column: "places" | "tables") =>
    sql`(select coalesce(jsonb_agg(range order by c.n, at), '[]') from document_chunks c, jsonb_array_elements(${sql.literal(`c.${column}`)}) with ordinality r(range, at)
      where c.org_id = scope.org and c.document_id = d.id and c.end_at > ${start}::int and c.start_at < ${end}::int)`
  return sql`
  select d.file_name, d.deal_id, l.name as deal_name, d.competitor_id, ${sql.literal(utc("d.created_at"))} as created_at, t.body,
    ${rangesOf("places")} as places, ${rangesOf("tables")} as tables
  from documents d
  join document_texts t on t.org_id = scope.org and t.document_id = d.id
  left join deals l on l.org_id = scope.org and l.id = d.deal_id
  where d.org_id = scope.org and d.id = ${id}`
}

export interface Spans {
  readonly deals: number
  readonly documents: number
  readonly clients: number
  readonly created_from: string | null
  readonly created_to: string | null
  readonly closed_from: string | null
  readonly closed_to: string | null
}

/** Counts deals, documents and clients, and selects the first and last days of deals. */
export const selectSpans = (sql: SqlClient, timezone: string): Fragment => sql`
  select count(*)::int as deals,
    (select count(*)::int from documents where org_id = scope.org) as documents,
    (select count(*)::int from clients where org_id = scope.org) as clients,
    to_char(min(created_at) at time zone ${timezone}, 'YYYY-MM-DD') as created_from,
    to_char(max(created_at) at time zone ${timezone}, 'YYYY-MM-DD') as created_to,
    min(close_date)::text as closed_from, max(close_date)::text as closed_to
  from deals where org_id = scope.org`

export interface NameRow {
  readonly kind: "clients" | "dimensions" | "measures"
  readonly name: string
}

/** Selects clients, custom dimensions and custom measures, under the names that reports take. */
export const selectMoreNames = (sql: SqlClient, limit: number): Fragment => sql`
  (select 'clients' as kind, name from clients where org_id = scope.org order by name, id limit ${limit}::int)
  union all (select 'dimensions', 'crm_' || case object when 'deal' then '' else crm || '_account_' end || id
    from crm_properties where org_id = scope.org order by object, id limit ${limit}::int)
  union all (select 'dimensions', 'custom_answer_' || name from answers where org_id = scope.org order by name limit ${limit}::int)
  union all (select 'measures', 'custom_metric_' || name || '_avg' from metrics where org_id = scope.org order by name limit ${limit}::int)`
