import { ranked } from "./search.ts"
import { define, defineInternal } from "./define.ts"

/** Passages to take from an index of words: enough that the best ones by exact BM25 are among them. */
const CANDIDATES = 150

/** Each organization has its own index of pgvector or pg_textsearch. In a shared one, searches of small organizations would visit the rows of others. */
export const SEARCH_INDEXES = [
  define(
    "vector_index_name(p_org text, p_model text, p_dimensions int)",
    `returns text
    language sql immutable as $$
    select 'passage_vectors_near_' || md5(concat_ws(' ', p_org, p_dimensions, p_model)) $$`,
  ),
  define(
    "word_index_name(p_org text)",
    `returns text
    language sql immutable as $$
    select 'passages_by_words_' || md5(p_org) $$`,
  ),
  define(
    "wanted_indexes(p_extension text, p_schema text)",
    `returns table (name text, passages int, definition text)
    language sql stable as $$
    select vector_index_name(s.org_id, s.model, s.dimensions), t.passages, format(
      'passage_vectors using hnsw ((signature::bit(%1$s)) %2$I.bit_hamming_ops) where org_id = %3$L and model = %4$L and length(signature) = %1$s',
      s.dimensions, p_schema, s.org_id, s.model)
    from vector_sets s join passage_totals t on t.org_id = s.org_id
    where p_extension = 'vector' and s.dimensions is not null
    union all
    select word_index_name(t.org_id), t.passages, format(
      'passages using bm25 (words_of(lexemes)) with (text_config = ''pg_catalog.simple'', k1 = 1.6, b = 0.75) where org_id = %L', t.org_id)
    from passage_totals t
    where p_extension = 'pg_textsearch' $$`,
  ),
  // Creates or drops one index and returns its name. It waits only briefly for the lock on the table, because other writers queue behind it.
  define(
    "tend_search_index(p_extension text, p_least int)",
    `returns text
    language plpgsql security definer set search_path = sightline, pg_temp set lock_timeout = '2s' as $$
    declare
      installed record;
      due record;
    begin
      select n.nspname as schema, k.method into installed
        from (values ('vector', '{0,8}'::int[], 'hnsw'), ('pg_textsearch', '{1,5,1}', 'bm25')) k(name, version, method)
        join pg_extension e on e.extname = k.name join pg_namespace n on n.oid = e.extnamespace
        where k.name = p_extension and n.nspname in ('public', 'sightline')
          and string_to_array(substring(e.extversion from '^\\d+(?:\\.\\d+)*'), '.')::int[] >= k.version;
      if installed is null or not pg_try_advisory_xact_lock(hashtextextended('sightline.search_indexes', 0)) then
        return null;
      end if;
      select w.*, i.name as made into due
        from (select * from wanted_indexes(p_extension, installed.schema) where passages >= p_least / 2) w
        full join (
          select c.relname::text as name from pg_class c join pg_am a on a.oid = c.relam
          where c.relnamespace = 'sightline'::regnamespace and a.amname = installed.method
            and c.relname ~ '^passage(_vectors_near|s_by_words)_[0-9a-f]{32}$') i on i.name = w.name
        where w.name is null or i.name is null and w.passages >= p_least
        order by w.passages desc nulls first limit 1;
      if due is null then
        return null;
      end if;
      if due.name is null then
        execute format('drop index %I', due.made);
        return due.made;
      end if;
      execute format('create index %I on %s', due.name, due.definition);
      execute format('alter index %I alter column 1 set statistics 0', due.name);
      analyze passage_vectors, passages (id, org_id, document_id, deal_id, competitor_id, type, created_at, n);
      return due.name;
    end $$`,
    // Extensions index the rows of one organization. On Citus that would need an index on its shard alone.
    `returns text language sql as $$ select null::text $$`,
  ),
  // The extension finds its own functions by the search path, so only this function has `public` in it.
  // Within array(select …), PostgreSQL would compute every score twice.
  defineInternal(
    "first_by_words(p_org text, p_words text, p_limit int)",
    `returns bigint[]
    language plpgsql stable set search_path = sightline, public, pg_temp set enable_sort = off as $$
    declare
      found bigint[];
    begin
      execute pg_catalog.format(
        'select pg_catalog.array_agg(id) from (
          select id from passages where org_id = %L order by words_of(lexemes) <@> to_bm25query(%L, %L) limit %s) p',
        p_org, p_words, 'sightline.' || word_index_name(p_org), p_limit) into found;
      return found;
    end $$`,
  ),
  // If the index fails, search works as it does without one.
  define(
    "passages_by_words(p_org text, p_words text, p_finding tsquery, p_terms tsquery[], p_weights float8[], p_average float8, p_limit int)",
    `returns table (document_id text, deal_id text, competitor_id text, created_at timestamptz, n int, score float8)
    language plpgsql stable rows 10 security definer set search_path = sightline, pg_temp as $$
    #variable_conflict use_column
    declare
      found bigint[];
    begin
      if p_org is distinct from current_setting('sightline.organization', true) then
        return;
      end if;
      begin
        found := first_by_words(p_org, p_words, greatest(${CANDIDATES}, p_limit));
      exception when others then
        raise warning 'an index of words could not be read: %', sqlerrm;
        return query select * from passages_matching(
          p_org, p_finding, p_terms, p_weights, p_average, p_limit, null, null, null, null, null, null);
        return;
      end;
      return query ${ranked("select * from passages where org_id = p_org and id = any(found)")};
    end $$`,
  ),
]
