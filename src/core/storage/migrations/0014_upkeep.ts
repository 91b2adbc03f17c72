import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** What is kept for a time only, and what is left of an organization that is erased. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [...Object.entries(KEPT).flatMap(([table, past]) => forgetting(table, past)), ...ERASED])
})

/** Which rows are past their time, by table. */
const KEPT = {
  // The last job of a document is how it came to be as it is; an export's goes with the export.
  jobs: `r.ended_at < now() - p_kept
    and not exists (select from exports e where e.org_id = r.org_id and e.job_id = r.id)
    and (not exists (select from documents d where d.org_id = r.org_id and d.id = r.subject)
      or exists (select from jobs l where l.org_id = r.org_id and l.subject = r.subject and l.created_at > r.created_at))`,
  webhook_deliveries: `r.ended_at < now() - p_kept`,
  idempotent_replies: `r.expires_at < now() - p_kept`,
  import_pages: `r.created_at < now() - p_kept`,
}

/** `forget_<table>(kept, most)`: no more than `most` rows at a time, across organizations; how many they were. */
const forgetting = (table: string, past: string) => [
  `create function forget_${table}(p_kept interval, p_most int) returns int
    language sql volatile security definer set search_path = sightline, pg_temp as $$
    with gone as (
      delete from ${table} where ctid = any(array(
        select r.ctid from ${table} r where ${past} limit p_most for update of r skip locked))
      returning 1
    )
    select count(*)::int from gone $$`,
  `revoke all on function forget_${table}(interval, int) from public`,
  `grant execute on function forget_${table}(interval, int) to sightline_app`,
]

/** What refers to no organization is written by triggers while the rest goes: it is removed at the end of the transaction. */
const ERASED = [
  `create index jobs_ended on jobs (ended_at)`,
  `create function erase_rest() returns trigger
    language plpgsql security definer set search_path = sightline, pg_temp as $$
    begin
      delete from passage_terms where org_id = old.id;
      delete from passage_totals where org_id = old.id;
      delete from stale_deal_records where org_id = old.id;
      return null;
    end $$`,
  `create constraint trigger erase_rest after delete on organizations deferrable initially deferred
    for each row execute function erase_rest()`,
]
