import { defineQuery } from "./citus.ts"
import { define } from "./define.ts"

/** Finds the rows with one of these names. Case does not count, except for deals; spacing does not count for metrics and answers. */
const idsNamed = (refuses: string) => `begin
      if ${refuses} p_table not in
          ('deals', 'metrics', 'answers', 'stages', 'owners', 'competitors', 'reasons', 'clients', 'features', 'segments') then
        return;
      end if;
      return query execute format('select n, t.id from unnest($2) n join %I t on t.org_id = $1 and ' || case
        when p_table = 'deals' then 't.name collate "C" = n collate "C"'
        when p_table in ('metrics', 'answers')
          then 'lower(regexp_replace(t.name, ''\\s+'', '''', ''g'')) = lower(regexp_replace(n, ''\\s+'', '''', ''g''))'
        else 'lower(t.name) = lower(n)' end, p_table)
        using p_org, p_names;
    end`

/** Look up deals and names by operators that are not leakproof: under row-level security these use no index. */
export const DEALS = [
  // The threshold of 0.5 accepts one wrong letter in a word of eight. `similarity` is also the sort value of the cursor: 4 for the
  // exact name, 2 to 3 for a name that starts with the query, else 0 to 1. Folding costs the most: `like` folds less often than `<%`,
  // and `offset 0` folds a name once for all of the sort value.
  defineQuery(
    "deals_named_like(p_org text, p_query text)",
    `returns table (id text, similarity real)
    language sql stable security definer set search_path = sightline, public, pg_temp
    set pg_trgm.word_similarity_threshold = 0.5 as $$
    select n.id, (case
        when n.name = fold_name(btrim(p_query)) then 4
        when starts_with(n.name, fold_name(btrim(p_query))) then 2 + word_similarity(fold_name(p_query), n.name)
        else word_similarity(fold_name(p_query), n.name) end)::real
    from (
      select d.id, fold_name(coalesce(d.folded, d.name)) as name from deals d
      where d.org_id = p_org and p_org = current_setting('sightline.organization', true)
        and (fold_name(coalesce(d.folded, d.name)) like '%' || replace(replace(replace(fold_name(p_query), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'
             or fold_name(p_query) <% fold_name(coalesce(d.folded, d.name)))
      offset 0) n $$`,
  ),
  // Instances of earlier versions call it during a rolling upgrade; later ones compare the column `folded`.
  // On Citus it runs as the caller: the rows that the caller's transaction has written are visible on the caller's connection alone.
  define(
    "ids_named(p_org text, p_table text, p_names text[])",
    `returns table (given text, id text)
    language plpgsql stable security definer set search_path = sightline, public, pg_temp as $$
    ${idsNamed("p_org is distinct from current_setting('sightline.organization', true) or")} $$`,
    `returns table (given text, id text)
    language plpgsql stable set search_path = sightline, public, pg_temp as $$
    ${idsNamed("")} $$`,
  ),
  // After a large insert the planner lacks statistics until the next analyze, which PGlite never runs by itself.
  define(
    "refresh_statistics()",
    `returns void
  language sql security definer set search_path = sightline, pg_temp as $$
    analyze deals, clients, features, associations, deal_collaborators, deal_product_labels, deal_competitors,
      deal_drivers, deal_json $$`,
  ),
]
