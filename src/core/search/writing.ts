import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { inOrder } from "../storage/inOrder.ts"
import { insertSelected } from "../storage/recordChanges.ts"
import { reusePlans, WITHOUT_COPY } from "../storage/sql.ts"

/** Serializes the transactions that write passages of an organization: otherwise they deadlock on its word counts. */
const lockPassages = (sql: SqlClient, org: string) =>
  inOrder([
    sql`select pg_advisory_xact_lock(hashtextextended(current_schema || ${`.passages ${org}`}, 0))`,
    // A plan made while the tables were small would go on reading them whole.
    sql`set local enable_seqscan = off`,
  ])

/** The number of words in the text search vector `x.lexemes`. `offset 0` in `x` keeps PostgreSQL from computing it twice. */
const lengthOf = (sql: SqlClient) =>
  sql.literal(`(select coalesce(sum(cardinality(u.positions)), 0)::int from unnest(x.lexemes) u)`)

/**
 * Inserts the passages that `rows` selects, with the columns document_id, deal_id, competitor_id, type, created_at, n and
 * lexemes. Updates the statistics for BM25 in the same statement: the number and length of passages, and of those with each word.
 */
const insertPassages = Effect.fnUntraced(function* (sql: SqlClient, org: string, rows: Fragment) {
  yield* lockPassages(sql, org)
  yield* sql`
    with made as materialized (
      select x.*, ${lengthOf(sql)} as length, row_number() over (order by x.document_id, x.deal_id, x.n) as nth
      from (${rows} offset 0) x
    ), totals as (
      insert into passage_totals as t (org_id, passages, length, last_id)
        select ${org}, count(*), coalesce(sum(length), 0), count(*) from made
        on conflict (org_id) do update set passages = t.passages + excluded.passages, length = t.length + excluded.length,
          last_id = t.last_id + excluded.last_id
        returning last_id
    ), terms as (
      insert into passage_terms as t (org_id, lexeme, passages)
        select ${org}, lexeme, count(*) from made, unnest(tsvector_to_array(lexemes)) lexeme group by lexeme
        on conflict (org_id, lexeme) do update set passages = t.passages + excluded.passages
    )
    insert into passages (org_id, id, document_id, deal_id, competitor_id, type, created_at, n, length, lexemes)
      select ${org}, totals.last_id - (select count(*) from made) + m.nth, m.document_id, m.deal_id, m.competitor_id, m.type,
        m.created_at, m.n, m.length, m.lexemes
      from totals, made m order by m.nth ${sql.literal(WITHOUT_COPY)}`
})

/** Deletes the passages that meet the condition, with their vectors, and updates the statistics. */
const deletePassages = Effect.fnUntraced(function* (sql: SqlClient, org: string, which: Fragment) {
  yield* lockPassages(sql, org)
  yield* sql`
    with gone as (
      delete from passages where org_id = ${org} and ${which} returning id, length, lexemes
    ), totals as (
      update passage_totals t set passages = t.passages - g.passages, length = t.length - g.length
        from (select count(*) as passages, sum(length) as length from gone having count(*) > 0) g where t.org_id = ${org}
    ), counted as materialized (
      select lexeme, count(*) as passages from gone, unnest(tsvector_to_array(lexemes)) lexeme group by lexeme
    ), fewer as (
      update passage_terms t set passages = t.passages - c.passages from counted c
        where t.org_id = ${org} and t.lexeme = c.lexeme and t.passages <> c.passages
    ), unused as (
      delete from passage_terms t using counted c
        where t.org_id = ${org} and t.lexeme = c.lexeme and t.passages = c.passages
    ), vectors as (
      delete from passage_vectors v using gone g where v.org_id = ${org} and v.passage_id = g.id returning v.model
    )
    update vector_sets s set vectors = s.vectors - v.vectors
      from (select model, count(*)::int as vectors from vectors group by model) v
      where s.org_id = ${org} and s.model = v.model`
})

/** The vectors of an organization by one model. */
interface VectorSet {
  readonly org: string
  readonly model: string
  /** The largest number of dimensions in this batch; 0 if the model rejected every text. */
  readonly dimensions: number
  /** Renews the lease of the process that makes them. */
  readonly leaseSeconds: number
}

/** Stores vectors and returns their number. Deletes the others of the model if they have other dimensions. */
export const insertVectors = Effect.fnUntraced(function* (
  sql: SqlClient,
  { org, model, dimensions, leaseSeconds }: VectorSet,
  vectors: ReadonlyArray<{ readonly id: string }>,
) {
  yield* reusePlans(sql)
  yield* sql`insert into vector_sets (org_id, model) values (${org}, ${model}) on conflict do nothing`
  const [set] = yield* sql<{ dimensions: number | null }>`
    select dimensions from vector_sets where org_id = ${org} and model = ${model} for update`
  if (dimensions > 0 && set?.dimensions !== dimensions) {
    yield* sql`delete from passage_vectors where org_id = ${org} and model = ${model}`
    yield* sql`update vector_sets set dimensions = ${dimensions}::int, vectors = 0, complete = false
      where org_id = ${org} and model = ${model}`
  }
  // Skips passages that another transaction is removing.
  const [added] = yield* sql<{ vectors: number }>`
    with kept as materialized (
      select id from passages where org_id = ${org} and id = any(${vectors.map(({ id }) => id)}::bigint[])
      order by id for key share skip locked
    ), added as (
      insert into passage_vectors (passage_id, model, org_id, signature, vector)
      select k.id, ${model}, ${org}, x.signature, x.vector
      from kept k join json_to_recordset(${JSON.stringify(vectors)}::json)
        as x(id bigint, signature varbit, vector smallint[]) on x.id = k.id
      on conflict do nothing returning 1
    )
    update vector_sets set vectors = vectors + (select count(*) from added),
      leased_until = now() + make_interval(secs => ${leaseSeconds}::int)
    where org_id = ${org} and model = ${model} returning (select count(*)::int from added) as vectors`
  return added?.vectors ?? 0
})

/** Releases the lease. If every passage has a vector, deletes the vectors of other models. */
export const releaseVectorSet = Effect.fnUntraced(function* (sql: SqlClient, org: string, model: string) {
  const [set] = yield* sql<{ complete: boolean }>`
    update vector_sets s set leased_until = '-infinity', complete = s.complete or s.vectors >= t.passages
    from passage_totals t
    where s.org_id = ${org} and s.model = ${model} and t.org_id = ${org} returning s.complete`
  if (set?.complete === true) yield* sql`delete from vector_sets where org_id = ${org} and model <> ${model}`
})

const SHIFTED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉"
const PLAIN_DIGITS = "01234567890123456789"
/** PostgreSQL ends a word before a raised or lowered digit: "CO₂" and "m²" are words with plain digits too, as people type them. */
const SHIFTED_WORD = `[[:alpha:]]+[${SHIFTED_DIGITS}][[:alnum:]${SHIFTED_DIGITS}]*`

/** Makes passages from the chunks `first` to `last` of a document, in the transaction that stores the chunks. */
export const indexChunks = (
  sql: SqlClient,
  org: string,
  id: string,
  [first, last]: readonly [first: number, last: number],
) =>
  insertPassages(
    sql,
    org,
    sql`select d.id as document_id, d.deal_id, d.competitor_id, d.type, d.created_at, c.n,
        to_tsvector('english', concat_ws(' ',
          regexp_replace(regexp_replace(d.file_name, '\\.\\w{1,5}$', ''), '[^[:alnum:]]+', ' ', 'g'),
          (select string_agg(h, ' ') from jsonb_array_elements_text(c.headings) h),
          (select string_agg(label, ' ') from jsonb_array_elements(c.tables) t, jsonb_array_elements_text(t->'labels') label),
          (select string_agg(cell, ' ') from jsonb_array_elements(c.tables) t, jsonb_array_elements(t->'merged') m, jsonb_array_elements_text(m->'cells') cell),
          c.body, case when c.body ~ ${`[${SHIFTED_DIGITS}]`} then (
            select string_agg(translate(word[1], ${SHIFTED_DIGITS}, ${PLAIN_DIGITS}), ' ')
            from regexp_matches(c.body, ${SHIFTED_WORD}, 'g') word) end)) as lexemes
      from document_chunks c join documents d on d.org_id = c.org_id and d.id = c.document_id
      where c.org_id = ${org} and c.document_id = ${id} and c.n between ${first}::int and ${last}::int`,
  )

export const forgetDocuments = (sql: SqlClient, org: string, documents: ReadonlyArray<string>) =>
  deletePassages(sql, org, sql`document_id = any(${[...documents]}::text[])`)

/** A chunk of a deal record, with its headings in the text. */
interface RecordPassage {
  readonly id: string
  readonly created_at: string
  readonly n: number
  readonly text: string
}

/** Makes passages of deal records, in place of those of the deals `former`. */
export const indexRecords = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  former: ReadonlyArray<string>,
  passages: ReadonlyArray<RecordPassage>,
) {
  if (former.length > 0) yield* forgetRecords(sql, org, former)
  yield* insertPassages(
    sql,
    org,
    sql`select null::text as document_id, y.id as deal_id, null::text as competitor_id, null::text as type, y.created_at, y.n,
        to_tsvector('english', y.text) as lexemes
      from json_to_recordset(${JSON.stringify(passages)}::json) as y(id text, created_at timestamptz, n int, text text)`,
  )
})

export const forgetRecords = (sql: SqlClient, org: string, deals: ReadonlyArray<string>) =>
  deletePassages(sql, org, sql`document_id is null and deal_id = any(${[...deals]}::text[])`)

/** Marks the records of deals before their deletion, which waits for the upkeep of records instead of deadlocking with it. */
export const lockMarks = (sql: SqlClient, org: string, deals: ReadonlyArray<string>) =>
  insertSelected(
    sql,
    org,
    (home) => sql`insert into stale_deal_records (org_id, deal_id)
      select ${home.org}, x.id from ${home.from}unnest(${[...deals]}::text[]) x(id) ${home.where} order by x.id
      on conflict (org_id, deal_id) do update set marked_at = excluded.marked_at`,
  )

export const deleteMarks = (sql: SqlClient, org: string, deals: ReadonlyArray<string>) =>
  sql`delete from stale_deal_records where org_id = ${org} and deal_id = any(${[...deals]}::text[])`

/** Takes the marks of at most `limit` deals in the transaction that renders them, so that a crash keeps the marks. */
export const takeMarks = (sql: SqlClient, org: string, limit: number) =>
  sql<{ deal_id: string }>`
    delete from stale_deal_records s using (
      select deal_id from stale_deal_records where org_id = ${org} order by deal_id limit ${limit} for update skip locked) t
    where s.org_id = ${org} and s.deal_id = t.deal_id returning s.deal_id`
