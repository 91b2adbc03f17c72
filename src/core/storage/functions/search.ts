import { defineQuery, defineQueryOverAllShards, MAX_VISITED, overAllShards } from "./citus.ts"
import { define } from "./define.ts"

/** BM25's constants, within their usual range. Passages are short, so a repeated word matters much and length little. */
const K1 = 1.6
const B = 0.75

/** Uses this many words of a question, the rarest first. */
const MOST_TERMS = 32
/** Once the rarer words occur in this many passages, common words find no more passages, but still count for the score. */
const ENOUGH = 1000
/** Passages that get an exact score. */
const CANDIDATES = 300

/**
 * The number of times that a word occurs in a vector. With equal weights, \`ts_rank\` of one word is the sum of 1/j² for j up to its count,
 * divided by the infinite sum. This formula inverts it exactly, without unpacking the vector.
 */
const FREQUENCY = `round(${6 / Math.PI ** 2} / (1 - ts_rank('{1,1,1,1}', c.lexemes, t.term)) - 0.5)`

/**
 * Selects the best of the passages `candidates` by BM25. Reads `p_terms`, `p_weights`, `p_average` and `p_limit` of the enclosing
 * function. With `offset 0`, PostgreSQL computes a passage's norm once, not for each word.
 */
export const ranked = (candidates: string) => `
    select c.document_id, c.deal_id, c.competitor_id, c.created_at, c.n, (
      select sum(t.weight * ${K1 + 1} * (1 - c.norm / (${FREQUENCY} + c.norm))) from unnest(p_terms, p_weights) t(term, weight)
    ) as score
    from (select p.*, ${K1} * (${1 - B} + ${B} * p.length / p_average) as norm from (${candidates}) p offset 0) c
    order by score desc, c.created_at desc, c.id limit p_limit`

/** The set `s` lacks vectors of the passages that `t` counts, and no process makes them. */
export const LACKS_VECTORS = `((s.vectors < t.passages or not s.complete) and s.leased_until < now())`

/** Sets of the organizations that have none by this model. */
const INSERT_SETS = `insert into vector_sets (org_id, model)
      select t.org_id, p_model from passage_totals t
      where t.passages > 0 and not exists (select from vector_sets s where s.org_id = t.org_id and s.model = p_model)
      on conflict do nothing;`

/** Search past row-level security: each names the organization itself and answers only for the one in scope. */
export const SEARCH = [
  defineQuery(
    "query_terms(p_org text, p_query text)",
    `returns table (lexeme text, word text, term tsquery, weight float8, idf float8, finds boolean, average float8)
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
      w.term, (w.times * w.idf)::float8, w.idf::float8,
      w.holding > 0 and sum(w.holding) over (order by w.holding, w.lexeme) - w.holding < ${ENOUGH}, w.average
    from weighed w $$`,
  ),
  defineQuery(
    "passages_matching(p_org text, p_finding tsquery, p_terms tsquery[], p_weights float8[], p_average float8, p_limit int, p_within text, p_types text[], p_competitors text[], p_deals text[], p_from timestamptz, p_to timestamptz)",
    `returns table (document_id text, deal_id text, competitor_id text, created_at timestamptz, n int, score float8)
    language sql stable rows 10 security definer set search_path = sightline, pg_temp as $$
    with query as materialized (select string_agg(t.term::text, ' | ')::tsquery as any_term from unnest(p_terms) t(term))
    ${ranked(`
      select p.* from passages p, query q
      where p.org_id = p_org and p_org = current_setting('sightline.organization', true) and p.lexemes @@ p_finding
        and (p_within is null or case p_within
          when 'records' then p.document_id is null else (p_within = 'deals') = (p.deal_id is not null) end)
        and (p_types is null or p.type = any(p_types))
        and (p_competitors is null or p.competitor_id = any(p_competitors) or exists (
          select from deal_competitors dc
          where dc.org_id = p_org and dc.deal_id = p.deal_id and dc.competitor_id = any(p_competitors)))
        and (p_deals is null or p.deal_id = any(p_deals))
        and (p_from is null or p.created_at >= p_from)
        and (p_to is null or p.created_at <= p_to)
      order by ts_rank(p.lexemes, q.any_term, 1) desc, p.created_at desc, p.id limit ${CANDIDATES}`)} $$`,
  ),
  // Records wait while deals arrive, so that a deal that is marked twice is rendered once, and rendering does not slow an import.
  defineQueryOverAllShards(
    "stale_organizations()",
    `returns table (org_id text)
    language sql stable security definer set search_path = sightline, pg_temp as $$
    select s.org_id from stale_deal_records s group by s.org_id
    having max(s.marked_at) < now() - interval '2 seconds' or min(s.marked_at) < now() - interval '1 minute' $$`,
  ),
  // Leases an organization whose counts show that vectors are missing. The holder makes them; other workers take other organizations.
  define(
    "lease_vectors(p_model text, p_seconds int)",
    `returns table (org_id text)
    language sql security definer set search_path = sightline, pg_temp as $$
    ${INSERT_SETS}
    update vector_sets u set leased_until = now() + make_interval(secs => p_seconds)
      where u.model = p_model and u.org_id = (
        select s.org_id from vector_sets s join passage_totals t on t.org_id = s.org_id
        where s.model = p_model and ${LACKS_VECTORS}
        order by s.leased_until, s.org_id limit 1 for update of s skip locked)
      returning u.org_id $$`,
    `returns table (org_id text) ${overAllShards(
      "volatile",
      `declare visited text;
    begin
      ${INSERT_SETS}
      for visited in
        select s.org_id from vector_sets s join passage_totals t on t.org_id = s.org_id
        where s.model = p_model and ${LACKS_VECTORS} order by s.leased_until, s.org_id limit ${MAX_VISITED}
      loop
        return query update vector_sets s set leased_until = now() + make_interval(secs => p_seconds)
          where s.org_id = visited and s.model = p_model and s.leased_until < now() returning s.org_id;
        if found then return; end if;
      end loop;
    end`,
    )}`,
  ),
]
