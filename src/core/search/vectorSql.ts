import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { RecordChunk } from "./record.ts"
import type { SearchScope } from "./SearchIndex.ts"

/** A passage without a vector. For a deal record, `body` is the whole record. */
export interface UnembeddedRow {
  readonly id: string
  readonly n: number
  readonly name: string | null
  readonly headings: ReadonlyArray<string> | null
  readonly body: string
  readonly chunks: ReadonlyArray<RecordChunk> | null
}

/** Selects the first passages without a vector, by id after `after`. Runs inside `Database.scoped`. */
export const selectUnembedded = (sql: SqlClient, model: string, after: string, limit: number): Fragment => sql`
  select p.id::text as id, p.n, d.file_name as name, c.headings, coalesce(c.body, r.body) as body, r.chunks
  from (
    select p.id, p.document_id, p.deal_id, p.n from passages p
    where p.org_id = scope.org and p.id > ${after}::bigint and not exists (
      select from passage_vectors v where v.org_id = scope.org and v.passage_id = p.id and v.model = ${model})
    order by p.id limit ${limit}::int) p
  left join documents d on d.org_id = scope.org and d.id = p.document_id
  left join document_chunks c on c.org_id = scope.org and c.document_id = p.document_id and c.n = p.n
  left join deal_records r on r.org_id = scope.org and p.document_id is null and r.deal_id = p.deal_id
  order by p.id`

/** A vector of unit length and its signs, as PostgreSQL literals. */
interface EncodedVector {
  readonly dimensions: number
  readonly vector: string
  readonly signature: string
}

/** The stored form of 1, the largest component of a vector of unit length. */
const UNIT = 32_767

export const encodeVector = (vector: ReadonlyArray<number>): EncodedVector => {
  const length = Math.hypot(...vector) || 1
  return {
    dimensions: vector.length,
    vector: `{${vector.map((number) => Math.round((number / length) * UNIT)).join()}}`,
    signature: vector.map((number) => (number > 0 ? "1" : "0")).join(""),
  }
}

/** The vector of a question, and the model whose vectors are comparable. */
export interface Nearby extends EncodedVector {
  readonly model: string
  /** The organization if its vectors of this model have an index. */
  readonly indexed: string | undefined
}

/** Passages with the most signs in common, whose vectors are then compared. */
const MAX_CANDIDATES = 50

const narrowing = (sql: SqlClient, { within, documentTypes, competitorIds, dealIds, from, to }: SearchScope) => {
  const list = (values: ReadonlyArray<string>) => [...values]
  const conditions = [
    ...(within === "records" ? [sql`p.document_id is null`] : []),
    ...(within === "library" || within === "deals"
      ? [sql`(p.deal_id is not null) = ${within === "deals"}::boolean`]
      : []),
    ...(documentTypes === undefined ? [] : [sql`p.type = any(${list(documentTypes)}::text[])`]),
    ...(competitorIds === undefined
      ? []
      : [
          sql`(p.competitor_id = any(${list(competitorIds)}::text[]) or exists (
            select from deal_competitors dc where dc.org_id = scope.org and dc.deal_id = p.deal_id
              and dc.competitor_id = any(${list(competitorIds)}::text[])))`,
        ]),
    ...(dealIds === undefined ? [] : [sql`p.deal_id = any(${list(dealIds)}::text[])`]),
    ...(from === undefined ? [] : [sql`p.created_at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`p.created_at <= ${to}::timestamptz`]),
  ]
  return conditions.length === 0
    ? sql``
    : sql`and exists (select from passages p where p.id = v.passage_id and p.org_id = scope.org and ${sql.and(conditions)})`
}

/**
 * Selects the nearest passages with an index, filtered by `narrowed`. If too few of the scanned tuples pass the filter,
 * `exact` compares all. The relaxed order of the index is enough: the vectors decide the order later.
 */
const nearestByIndex = (
  sql: SqlClient,
  { dimensions, signature, indexed, model }: Nearby,
  { narrowed, exact, limit }: { readonly narrowed: Fragment; readonly exact: Fragment; readonly limit: number },
): Fragment => {
  const bits = sql.literal(`bit(${dimensions})`)
  return sql`
    with tuned as materialized (
      select set_config('hnsw.ef_search', '100', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
        set_config('hnsw.max_scan_tuples', '2000', true) as most
    ), found as materialized (
      select v.* from tuned, lateral (
        select v.passage_id, v.vector from passage_vectors v
        where tuned.most is not null and v.org_id = ${indexed}::text and v.model = ${model}::text and length(v.signature) = ${dimensions}::int ${narrowed}
        order by v.signature::${bits} <~> ${signature}::${bits} limit ${limit}::int) v)
    select passage_id, vector from found where (select count(*) from found) = ${limit}::int
    union all
    select passage_id, vector from (${exact}) e where (select count(*) from found) < ${limit}::int`
}

/**
 * Selects the passages nearest to a question. Comparing signatures first costs a fraction of comparing all vectors.
 * `offset 0` keeps PostgreSQL from computing the score more than once.
 */
const nearest = (sql: SqlClient, nearby: Nearby, scope: SearchScope): Fragment => {
  const { model, dimensions, vector, signature, indexed } = nearby
  const narrowed = narrowing(sql, scope)
  const exact = sql`
    select v.passage_id, v.vector from passage_vectors v
    where v.org_id = scope.org and v.model = ${model} and length(v.signature) = ${dimensions}::int ${narrowed}
    order by bit_count(v.signature # ${signature}::varbit), v.passage_id limit ${MAX_CANDIDATES}`
  // A deal has few passages, and its id finds them.
  const isExact = indexed === undefined || scope.dealIds !== undefined
  return sql`
  select p.document_id, p.deal_id, p.competitor_id, p.created_at, p.n,
    (select sum(a * b)::float8 from (select unnest(x.vector) as a, unnest(${vector}::int[]) as b) u) as score
  from (${isExact ? exact : nearestByIndex(sql, nearby, { narrowed, exact, limit: MAX_CANDIDATES })}) x
  cross join lateral (
    select p.document_id, p.deal_id, p.competitor_id, p.created_at, p.n from passages p
    where p.org_id = scope.org and p.id = x.passage_id limit 1) p
  offset 0`
}

/** Passages found by words that take part in the fusion, at least. */
export const MIN_LEXICAL = 50
/** The fusion adds scores and not ranks: if words find one passage far ahead of the others, a poor model cannot demote it. */
const [WORDS_SHARE, VECTORS_SHARE] = [0.85, 0.15]

/** Merges the passages found by words and by vectors into one list. */
export const fuse = (
  sql: SqlClient,
  lexical: Fragment,
  nearby: Nearby,
  { scope, limit }: { readonly scope: SearchScope; readonly limit: number },
): Fragment => sql`
  select document_id, deal_id, competitor_id, created_at, n, sum(share)::float8 as score from (
    select l.document_id, l.deal_id, l.competitor_id, l.created_at, l.n,
      ${WORDS_SHARE}::float8 * l.score / max(l.score) over () as share from (${lexical}) l
    union all
    select v.document_id, v.deal_id, v.competitor_id, v.created_at, v.n,
      ${VECTORS_SHARE}::float8 * coalesce((v.score - min(v.score) over ()) / nullif(max(v.score) over () - min(v.score) over (), 0), 1)
      from (${nearest(sql, nearby, scope)}) v
  ) ranked
  group by document_id, deal_id, competitor_id, created_at, n
  order by score desc, created_at desc, document_id, deal_id, n limit ${limit}::int`
