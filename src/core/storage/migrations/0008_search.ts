import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Passages by their words: of documents and of deals' records, with what BM25 needs to know of the organization. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [...TABLES, ...INDEXES])
  yield* isolate(sql, ["deal_records"])
  // Not forced on their owner: the functions and triggers below run as the owner.
  yield* isolate(sql, ["passages", "passage_terms", "passage_totals", "stale_deal_records"], { force: false })
  yield* statements(sql, [...COUNTING, ...SEARCH, ...STALE])
})

const TABLES = [
  // A deal's record as it was last rendered. Offsets of headings and chunks are in UTF-16 units of `body`.
  `create table deal_records (
    org_id text not null,
    deal_id text not null,
    body text not null,
    headings jsonb not null,
    chunks jsonb not null,
    primary key (org_id, deal_id),
    foreign key (org_id, deal_id) references deals on delete cascade
  )`,
  // Without a document it is a piece of the deal's record. The text is in document_chunks or deal_records, by \`n\`.
  `create table passages (
    id bigint generated always as identity primary key,
    org_id text not null,
    document_id text,
    deal_id text,
    competitor_id text,
    type text check (type in ('asset', 'intel')),
    created_at timestamptz(3) not null,
    n int not null,
    length int not null,
    lexemes tsvector not null,
    foreign key (org_id, document_id) references documents on delete cascade,
    foreign key (org_id, deal_id) references deals on delete cascade
  )`,
  // Ranking reads the words of many rows: compressed, each read would unpack them.
  `alter table passages alter column lexemes set storage external`,
  `alter table passages set (toast_tuple_target = 8160)`,
  `create table passage_terms (
    org_id text not null,
    lexeme text not null,
    passages int not null,
    primary key (org_id, lexeme)
  ) with (fillfactor = 70)`,
  `create table passage_totals (
    org_id text primary key,
    passages int not null,
    length float8 not null
  )`,
  `create table stale_deal_records (
    org_id text not null,
    deal_id text not null,
    marked_at timestamptz not null default now(),
    primary key (org_id, deal_id)
  )`,
]

const INDEXES = [
  `create unique index passages_of_documents on passages (org_id, document_id, n) where document_id is not null`,
  `create index passages_of_deals on passages (org_id, deal_id) where deal_id is not null`,
  `create index passages_by_lexeme on passages using gin (org_id, lexemes) with (fastupdate = off)`,
]

const changed = (operation: "insert" | "delete") =>
  `create trigger count_${operation} after ${operation} on passages
    referencing ${operation === "insert" ? "new" : "old"} table as changed
    for each statement execute function count_passages()`

/**
 * How many passages of an organization hold a word, and how long they are together: exact, whoever adds or removes them.
 * The lock lets transactions of one organization take turns at the counts, which they would lock in any order.
 */
const COUNTING = [
  `create function count_passages() returns trigger
    language plpgsql security definer set search_path = sightline, pg_temp set plan_cache_mode = force_generic_plan as $$
    declare
      sign int := case tg_op when 'INSERT' then 1 else -1 end;
    begin
      perform pg_advisory_xact_lock(hashtextextended('sightline.passages ' || o.org_id, 0))
        from (select distinct org_id from changed order by org_id) o;
      insert into passage_totals (org_id, passages, length)
        select org_id, sign * count(*), sign * sum(length) from changed group by org_id
        on conflict (org_id) do update
          set passages = passage_totals.passages + excluded.passages, length = passage_totals.length + excluded.length;
      insert into passage_terms (org_id, lexeme, passages)
        select org_id, lexeme, sign * count(*)
        from changed, unnest(tsvector_to_array(lexemes)) lexeme group by org_id, lexeme
        on conflict (org_id, lexeme) do update set passages = passage_terms.passages + excluded.passages;
      if tg_op = 'DELETE' then
        delete from passage_terms t
          using (select distinct org_id, unnest(tsvector_to_array(lexemes)) as lexeme from changed) c
          where t.org_id = c.org_id and t.lexeme = c.lexeme and t.passages = 0;
      end if;
      return null;
    end $$`,
  changed("insert"),
  changed("delete"),
]

/** BM25's constants, within their usual range: a passage is short, and what it says twice it is about. */
const K1 = 1.6
const B = 0.75

/** No more words of a question than these, the rarest first. */
const MOST_TERMS = 32
/** Common words find nothing more once the rarer ones stand in this many passages; they are weighed all the same. */
const ENOUGH = 1000
/** Passages that are looked at closely. */
const CANDIDATES = 300

/**
 * How often a word stands in a vector. \`ts_rank\` of one word, all weights alike, is the sum of 1/j² up to its count over
 * that to infinity: the count is read back from it exactly, without unpacking the vector.
 */
const FREQUENCY = `round(${6 / Math.PI ** 2} / (1 - ts_rank('{1,1,1,1}', c.lexemes, t.term)) - 0.5)`

/**
 * The best of the passages `candidates`, by BM25. Reads `p_terms`, `p_weights`, `p_average` and `p_limit` of the function
 * it stands in. With `offset 0` a passage's norm is worked out once, not for each word.
 */
export const ranked = (candidates: string) => `
    select c.document_id, c.deal_id, c.competitor_id, c.created_at, c.n, (
      select sum(t.weight * ${K1 + 1} * (1 - c.norm / (${FREQUENCY} + c.norm))) from unnest(p_terms, p_weights) t(term, weight)
    ) as score
    from (select p.*, ${K1} * (${1 - B} + ${B} * p.length / p_average) as norm from (${candidates}) p offset 0) c
    order by score desc, c.created_at desc, c.id limit p_limit`

/**
 * Row-level security keeps \`@@\`, which is not leakproof, from using its index. These run as the tables' owner, name the
 * organization themselves and answer only for the one in scope.
 */
const SEARCH = [
  `create function query_terms(p_org text, p_query text)
    returns table (lexeme text, word text, term tsquery, weight float8, idf float8, finds boolean, average float8)
    language sql stable rows 10 security definer set search_path = sightline, pg_temp as $$
    with totals as (
      select coalesce(max(passages), 0) as passages, coalesce(max(length) / nullif(max(passages), 0), 1) as average
      from passage_totals where org_id = p_org
    ), tokens as (
      select token, coalesce((ts_lexize('english_stem', token))[1], token) as stem
      from (select distinct token from ts_parse('default', lower(p_query))) x
    ), known as (
      select q.lexeme, cardinality(q.positions) as times, totals.passages, totals.average, coalesce((
        select t.passages from passage_terms t where t.org_id = p_org and t.lexeme = q.lexeme), 0) as holding
      from totals, unnest(to_tsvector('english', p_query)) q
      where p_org = current_setting('sightline.organization', true)
    ), weighed as (
      select k.*, i.idf, ('''' || replace(replace(k.lexeme, '\\', '\\\\'), '''', '''''') || '''')::tsquery as term
      from known k, lateral (select ln(1 + (k.passages - k.holding + 0.5) / (k.holding + 0.5)) as idf) i
      order by k.times * i.idf desc, k.lexeme limit ${MOST_TERMS}
    )
    select w.lexeme,
      coalesce((select min(token) from tokens where w.lexeme in (stem, token)), w.lexeme),
      w.term, w.times * w.idf, w.idf,
      w.holding > 0 and sum(w.holding) over (order by w.holding, w.lexeme) - w.holding < ${ENOUGH}, w.average
    from weighed w $$`,
  `create function passages_matching(p_org text, p_finding tsquery, p_terms tsquery[], p_weights float8[], p_average float8, p_limit int,
      p_within text, p_types text[], p_competitors text[], p_deals text[], p_from timestamptz, p_to timestamptz)
    returns table (document_id text, deal_id text, competitor_id text, created_at timestamptz, n int, score float8)
    language sql stable rows 10 security definer set search_path = sightline, pg_temp as $$
    with query as materialized (select string_agg(t.term::text, ' | ')::tsquery as any_term from unnest(p_terms) t(term))
    ${ranked(`
      select p.* from passages p, query q
      where p.org_id = p_org and p_org = current_setting('sightline.organization', true) and p.lexemes @@ p_finding
        and (p_within is null or (p_within = 'deals') = (p.deal_id is not null))
        and (p_types is null or p.type = any(p_types))
        and (p_competitors is null or p.competitor_id = any(p_competitors) or exists (
          select from deal_competitors dc
          where dc.org_id = p_org and dc.deal_id = p.deal_id and dc.competitor_id = any(p_competitors)))
        and (p_deals is null or p.deal_id = any(p_deals))
        and (p_from is null or p.created_at >= p_from)
        and (p_to is null or p.created_at <= p_to)
      order by ts_rank(p.lexemes, q.any_term, 1) desc, p.created_at desc, p.id limit ${CANDIDATES}`)} $$`,
  ...[
    "query_terms(text, text)",
    "passages_matching(text, tsquery, tsquery[], float8[], float8, int, text, text[], text[], text[], timestamptz, timestamptz)",
  ].flatMap((signature) => [
    `revoke all on function ${signature} from public`,
    `grant execute on function ${signature} to sightline_app`,
  ]),
]

/** What a deal's record shows of other tables: the columns that are shown, and the deals that show a row \`c\`. */
const SHOWN: Readonly<Record<string, readonly [columns: string, deals: string]>> = {
  stages: ["name, category", "deals d on d.org_id = c.org_id and d.status_id = c.id"],
  owners: ["name", "deals d on d.org_id = c.org_id and d.owner_id = c.id"],
  clients: ["name, industry, website_url", "deals d on d.org_id = c.org_id and d.client_id = c.id"],
  competitors: [
    "name",
    "(select org_id, deal_id as id, competitor_id from deal_competitors) d on d.org_id = c.org_id and d.competitor_id = c.id",
  ],
  reasons: [
    "name, category",
    "(select org_id, deal_id as id, reason_id from deal_drivers) d on d.org_id = c.org_id and d.reason_id = c.id",
  ],
  features: [
    "name, product, product_area",
    "(select org_id, deal_id as id, feature_id from associations) d on d.org_id = c.org_id and d.feature_id = c.id",
  ],
  metrics: ["name", "deals d on d.org_id = c.org_id and d.custom_metrics ? c.id"],
  answers: ["name", "deals d on d.org_id = c.org_id and d.custom_answers ? c.id"],
}

const MARK = `insert into stale_deal_records (org_id, deal_id)`

const marks = (table: string, operation: "insert" | "update" | "delete", rows: string) => [
  `create function mark_${table}_${operation}() returns trigger
    language plpgsql security definer set search_path = sightline, pg_temp as $$
    begin
      ${MARK} ${rows} on conflict do nothing;
      return null;
    end $$`,
  `create trigger mark_${operation} after ${operation} on ${table}
    referencing ${operation === "insert" ? "" : "old table as former"} ${operation === "delete" ? "" : "new table as changed"}
    for each statement execute function mark_${table}_${operation}()`,
]

/**
 * Which deals' records are to be rendered anew: marked in the transaction that changes what they show, whoever changes it.
 * Competitors, drivers and labels of a deal are written with the deal.
 */
const STALE = [
  ...marks("deals", "insert", "select org_id, id from changed"),
  ...marks("deals", "update", "select org_id, id from changed"),
  ...marks("associations", "insert", "select distinct org_id, deal_id from changed"),
  ...marks("associations", "update", "select org_id, deal_id from changed union select org_id, deal_id from former"),
  ...marks("associations", "delete", "select distinct org_id, deal_id from former"),
  ...Object.entries(SHOWN).flatMap(([table, [columns, deals]]) => {
    const row = (alias: string) => `(${columns.replace(/\w+/g, (column) => `${alias}.${column}`)})`
    return marks(
      table,
      "update",
      `select distinct d.org_id, d.id from changed c join former f on f.org_id = c.org_id and f.id = c.id join ${deals}
      where ${row("c")} is distinct from ${row("f")}`,
    )
  }),
  // While deals still come in, they wait: what is marked twice is rendered once.
  `create function stale_organizations() returns table (org_id text)
    language sql stable security definer set search_path = sightline, pg_temp as $$
    select s.org_id from stale_deal_records s group by s.org_id
    having max(s.marked_at) < now() - interval '500 milliseconds' or min(s.marked_at) < now() - interval '10 seconds' $$`,
  `revoke all on function stale_organizations() from public`,
  `grant execute on function stale_organizations() to sightline_app`,
]
