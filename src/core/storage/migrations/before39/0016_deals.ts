import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** The search by name ranks exact names first, summaries keep the order of their keys, and changes of stage are recorded. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [...SEARCH, ...SUMMARIES, ...STAGES])
  yield* isolate(sql, ["deal_stage_changes"])
})

/** The function's body has no collation or locale but that of `lower`: accents are marks that follow their letter. */
const SEARCH = [
  `create function fold_name(p_name text) returns text language sql immutable strict parallel safe as $$
    select lower(normalize(regexp_replace(normalize(p_name, NFD), '[\\u0300-\\u036f]', '', 'g'), NFC)) $$`,
  `drop index deals_by_name_trigram`,
  `create index deals_by_name_trigram on deals using gin (org_id, fold_name(name) gin_trgm_ops)`,
]

const LIST = `'executive_summary', 'deal_overview', 'decision_drivers', 'competitive_landscape', 'key_quotes', 'lessons_learned',
  'recommendations'`

/** `jsonb` sorts keys by length; `json` keeps their order. Summaries that are stored already get the order of the sections. */
const SUMMARIES = [
  `create function in_section_order(p_summary jsonb) returns json language sql immutable strict as $$
    select case when jsonb_typeof(p_summary) <> 'object' then p_summary::json else (
      select ('{' || coalesce(string_agg(to_json(s.key)::text || ':' || s.value::text, ','
          order by array_position(array[${LIST}], s.key), s.n), '') || '}')::json
      from jsonb_each(p_summary) with ordinality s(key, value, n)) end $$`,
  `alter table deals alter column summary type json using in_section_order(summary)`,
  `drop function in_section_order(jsonb)`,
  // Deal records include the summary.
  `insert into stale_deal_records (org_id, deal_id)
    select org_id, id from deals where json_typeof(summary) = 'object' on conflict do nothing`,
]

/**
 * Stages may be deleted since, so that nothing refers to them. Of a deal that is there already, the change to its present
 * stage is all that is known.
 */
const STAGES = [
  `create table deal_stage_changes (
    org_id text not null,
    deal_id text not null,
    n bigint generated always as identity,
    changed_at timestamptz(3) not null,
    status_id text,
    previous_status_id text,
    primary key (org_id, deal_id, n),
    foreign key (org_id, deal_id) references deals on delete cascade
  )`,
  `insert into deal_stage_changes (org_id, deal_id, changed_at, status_id, previous_status_id)
    select org_id, id, updated_at, status_id, previous_status_id from deals where status_id is not null`,
]
