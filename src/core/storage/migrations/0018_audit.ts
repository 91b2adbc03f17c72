import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AUDIT_KEPT_DAYS } from "../../audit/actions.ts"
import { isolate, statements } from "./support.ts"

/** The audit log, and searching the records of deals without their documents. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  yield* isolate(sql, ["audit_log"], { force: false })
  yield* statements(sql, [...APPEND_ONLY, RECORDS])
})

const TABLES = [
  `create table audit_log (
    org_id text not null references organizations on delete cascade,
    id text not null,
    at timestamptz(3) not null default clock_timestamp(),
    action text not null,
    target text,
    actor jsonb,
    details jsonb,
    request_id text,
    address text,
    primary key (org_id, id)
  )`,
  `create index audit_log_newest on audit_log (org_id, at, id collate "C")`,
  `create index audit_log_at on audit_log (at)`,
]

/** The application inserts and reads. Entries leave through this function alone, and never before their time. */
const APPEND_ONLY = [
  `revoke update, delete on audit_log from sightline_app`,
  `create function forget_audit_log(p_kept interval, p_most int) returns int
    language sql volatile security definer set search_path = sightline, pg_temp as $$
    with gone as (
      delete from audit_log where ctid = any(array(
        select r.ctid from audit_log r
        where r.at < now() - greatest(p_kept, interval '${AUDIT_KEPT_DAYS} days') limit p_most for update of r skip locked))
      returning 1
    )
    select count(*)::int from gone $$`,
  `revoke all on function forget_audit_log(interval, int) from public`,
  `grant execute on function forget_audit_log(interval, int) to sightline_app`,
]

/** `passages_matching` learns the scope `records`. Its condition is replaced in place, and only if it is the one that is known. */
const RECORDS = `do $do$
  declare
    known text := $$(p_within is null or (p_within = 'deals') = (p.deal_id is not null))$$;
    definition text := pg_get_functiondef('passages_matching'::regproc);
  begin
    if position(known in definition) = 0 then raise exception 'passages_matching has another condition'; end if;
    execute replace(definition, known, $$(p_within is null or case p_within
      when 'records' then p.document_id is null else (p_within = 'deals') = (p.deal_id is not null) end)$$);
  end $do$`
