import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Placed, TableRange } from "../ports/document.ts"
import { utc } from "../storage/sql.ts"
import type { RecordChunk } from "./record.ts"
import type { SearchScope } from "./SearchIndex.ts"
import { fuse, MIN_LEXICAL, type Nearby } from "./vectorSql.ts"

/** A found passage as it is stored. For a deal record, `body` is the whole record. */
export interface FoundRow {
  readonly source: "document" | "deal"
  readonly id: string
  readonly name: string
  readonly deal_id: string | null
  readonly deal_name: string | null
  readonly competitor_id: string | null
  readonly created_at: string
  readonly n: number
  readonly score: number
  readonly body: string
  readonly start_at: number | null
  readonly end_at: number | null
  readonly headings: ReadonlyArray<string> | null
  readonly places: ReadonlyArray<Placed> | null
  readonly tables: ReadonlyArray<TableRange> | null
  readonly chunks: ReadonlyArray<RecordChunk> | null
}

/** Selects the found passages and the terms that found them, in one row. The scope's times are instants. Runs inside `Database.scoped`. */
export const search = (
  sql: SqlClient,
  {
    text,
    limit,
    scope = {},
  }: { readonly text: string; readonly limit: number; readonly scope?: SearchScope | undefined },
  nearby?: Nearby,
): Fragment => {
  const list = (values: ReadonlyArray<string> | undefined) => (values === undefined ? null : [...values])
  const matching = (limit: number) => sql`
    passages_matching(scope.org, q.finding::tsquery, q.terms, q.weights, q.average, ${limit}::int, ${scope.within ?? null}::text,
      ${list(scope.documentTypes)}::text[], ${list(scope.competitorIds)}::text[], ${list(scope.dealIds)}::text[],
      ${scope.from ?? null}::timestamptz, ${scope.to ?? null}::timestamptz)`
  // A narrowed search is as fast without an index of words, which would scan passages outside the scope.
  const narrowed = Object.values(scope).some((value) => value !== undefined)
  const either = (limit: number) => sql`
    lateral (
      select * from ${matching(limit)} where not q.indexed
      union all
      select * from passages_by_words(scope.org, q.words, q.finding::tsquery, q.terms, q.weights, q.average, ${limit}::int) where q.indexed)`
  const lexical = (limit: number) => sql`
    select m.* from (select array_agg(term order by lexeme) as terms, array_agg(weight order by lexeme) as weights, max(average) as average,
        string_agg(term::text, ' | ') filter (where finds) as finding, string_agg(lexeme, ' ') as words,
        to_regclass(word_index_name(scope.org)) is not null as indexed from terms) q,
      ${narrowed ? matching(limit) : either(limit)} m
    where q.finding is not null`
  return sql`
  with terms as materialized (
    select * from query_terms(scope.org, ${text})
  ), hits as materialized (
    ${nearby === undefined ? lexical(limit) : fuse(sql, lexical(Math.max(limit, MIN_LEXICAL)), nearby, { scope, limit })}
  ), found as materialized (
    select case when h.document_id is null then 'deal' else 'document' end as source, coalesce(h.document_id, h.deal_id) as id,
      coalesce(c.name, l.name) as name, h.deal_id, l.name as deal_name, h.competitor_id,
      ${sql.literal(utc("h.created_at"))} as created_at, h.n, h.score, coalesce(c.body, r.body) as body,
      c.start_at, c.end_at, c.headings, c.places, c.tables, r.chunks
    from hits h
    left join lateral (
      select d.file_name as name, c.body, c.start_at, c.end_at, c.headings, c.places, c.tables
      from documents d join document_chunks c on c.org_id = d.org_id and c.document_id = d.id
      where d.org_id = scope.org and d.id = h.document_id and c.org_id = scope.org and c.document_id = h.document_id and c.n = h.n
      limit 1) c on true
    left join lateral (select name from deals where org_id = scope.org and id = h.deal_id limit 1) l on true
    left join lateral (
      select body, chunks from deal_records
      where org_id = scope.org and deal_id = h.deal_id and h.document_id is null limit 1) r on true
  ), tokens as (
    select distinct token
    from (select lower(string_agg(concat_ws(' ', name, deal_name, headings::text, tables::text, body), ' ')) as text from found) x, ts_parse('default', x.text)
  ), stems as (
    select token, token as stem from tokens union all select token, (ts_lexize('english_stem', token))[1] from tokens
  ), forms as (
    select t.lexeme, json_agg(distinct s.token order by s.token) as forms from terms t join stems s on s.stem = t.lexeme group by t.lexeme
  )
  select
    coalesce((select json_agg(found order by score desc, id, n) from found), '[]') as passages,
    coalesce((select json_agg(json_build_object('word', t.word, 'idf', t.idf, 'forms', coalesce(f.forms, '[]')) order by t.idf desc, t.word)
      from terms t left join forms f on f.lexeme = t.lexeme), '[]') as terms`
}
