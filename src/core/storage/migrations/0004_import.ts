import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** What an import needs: names looked up by index, and a place for records that wait for the end of their file. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  // Not forced: what a crashed import left is forgotten across organizations, as the table's owner.
  yield* isolate(sql, ["import_pages"], { force: false })
  yield* statements(sql, [NAMED, `revoke all on function ids_named(text, text, text[]) from public`])
  yield* statements(sql, [`grant execute on function ids_named(text, text, text[]) to sightline_app`])
  yield* statements(sql, [ANALYZED, `revoke all on function refresh_statistics() from public`])
  yield* statements(sql, [`grant execute on function refresh_statistics() to sightline_app`])
})

const TABLES = [
  // Worth nothing after a crash: the file is imported again.
  `create unlogged table import_pages (
    org_id text not null references organizations on delete cascade,
    run_id text not null,
    type text not null,
    n int not null,
    body text not null,
    created_at timestamptz(3) not null default now(),
    primary key (org_id, run_id, type, n)
  )`,
  `alter table import_pages alter column body set storage external`,
]

/**
 * The rows of a table that bear one of these names: in any case, of metrics and answers in any spacing, of deals exactly.
 * Row-level security keeps `lower` from using its index, so this runs as the tables' owner; it answers only for the
 * organization in scope.
 */
const NAMED = `create function ids_named(p_org text, p_table text, p_names text[]) returns table (given text, id text)
  language plpgsql stable security definer set search_path = sightline, public, pg_temp as $$
  begin
    if p_org is distinct from current_setting('sightline.organization', true) then
      return;
    end if;
    if p_table = 'deals' then
      return query select n, t.id from unnest(p_names) n
        join deals t on t.org_id = p_org and t.name collate "C" = n collate "C";
    elsif p_table in ('metrics', 'answers') then
      return query execute format(
        'select n, t.id from unnest($2) n join %I t on t.org_id = $1
           and lower(regexp_replace(t.name, ''\\s+'', '''', ''g'')) = lower(regexp_replace(n, ''\\s+'', '''', ''g''))', p_table)
        using p_org, p_names;
    elsif p_table in ('stages', 'owners', 'competitors', 'reasons', 'clients', 'features', 'segments') then
      return query execute format(
        'select n, t.id from unnest($2) n join %I t on t.org_id = $1 and lower(t.name) = lower(n)', p_table)
        using p_org, p_names;
    end if;
  end $$`

/** After many rows came at once, the planner knows nothing of them: for a while on PostgreSQL, for ever on PGlite. */
const ANALYZED = `create function refresh_statistics() returns void
  language sql security definer set search_path = sightline, pg_temp as $$
    analyze deals, clients, features, associations, deal_collaborators, deal_product_labels, deal_competitors,
      deal_drivers, deal_json $$`
