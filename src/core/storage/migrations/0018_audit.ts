import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** The audit log, the lineage of keys and webhooks, why a key is refused, and searching deals' records without their documents. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  yield* isolate(sql, ["audit_log"], { force: false })
  yield* statements(sql, [...APPEND_ONLY, ...ERASURES, ...LINEAGE, ...REFUSALS, RECORDS])
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
        where r.at < now() - greatest(p_kept, interval '400 days') limit p_most for update of r skip locked))
      returning 1
    )
    select count(*)::int from gone $$`,
  `revoke all on function forget_audit_log(interval, int) from public`,
  `grant execute on function forget_audit_log(interval, int) to sightline_app`,
]

/** What is left of an erased organization: that it was erased, and when. Only who knows its id can look it up. */
const ERASURES = [
  `create table erasures (organization_hash bytea not null, at timestamptz(3) not null default clock_timestamp())`,
  `grant select on erasures to sightline_app`,
  `create function record_erasure() returns trigger
    language plpgsql security definer set search_path = sightline, pg_temp as $$
    begin
      insert into erasures (organization_hash) values (sha256(convert_to(old.id, 'UTF8')));
      return null;
    end $$`,
  `create trigger record_erasure after delete on organizations for each row execute function record_erasure()`,
]

/** Replaces part of a function, and fails if the part is not there. */
const patch = (name: string, known: string, wanted: string) => `do $do$
  declare
    known text := $$${known}$$;
    definition text := pg_get_functiondef('${name}'::regproc);
  begin
    if position(known in definition) = 0 then raise exception '${name} has changed'; end if;
    execute replace(definition, known, $$${wanted}$$);
  end $do$`

const ENABLED = "w.status = 'enabled'"
const SENDING = `${ENABLED} and (w.expires_at is null or w.expires_at > now())`

const LINEAGE = [
  `alter table api_keys add column created_by text`,
  `create index api_keys_of on api_keys (org_id, created_by)`,
  `alter table webhooks add column created_by text, add column expires_at timestamptz(3)`,
  patch("webhooks_behind", ENABLED, SENDING),
  patch("claim_deliveries", ENABLED, SENDING),
  // The minute that is counted is when the key was last used. Where limits are counted elsewhere, this notes it.
  `create function touch_key(p_org text, p_key text) returns void
    language sql volatile security definer set search_path = sightline, pg_temp as $$
    update api_key_usage set minute = clock_ms() / 60000, minute_used = 0
    where org_id = p_org and key_id = p_key and minute < clock_ms() / 60000 $$`,
  `revoke all on function touch_key(text, text) from public`,
  `grant execute on function touch_key(text, text) to sightline_app`,
]

/**
 * `refusal_of(hash)`: `expired` only for the holder of a real key that is not revoked, or of its rotated secret past the grace.
 * `record_refused_sign_ins` writes an entry for each organization that has a key with the same first characters.
 */
const REFUSALS = [
  `create index api_keys_display on api_keys (display)`,
  `create function refusal_of(p_hash bytea) returns text
    language sql stable security definer set search_path = sightline, pg_temp as $$
    select case when exists (
      select from api_keys where (hash = p_hash or previous_hash = p_hash) and revoked_at is null) then 'expired' else 'unknown' end $$`,
  `revoke all on function refusal_of(bytea) from public`,
  `grant execute on function refusal_of(bytea) to sightline_app`,
  patch("admit", `a.outcome := 'unknown';`, `a.outcome := refusal_of(p_hash);`),
  `create function record_refused_sign_ins(p_refused json) returns void
    language sql volatile security definer set search_path = sightline, pg_temp as $$
    insert into audit_log (org_id, id, action, target, details, request_id, address)
    select k.org_id, 'audit_' || replace(gen_random_uuid()::text, '-', ''), 'sign_in.refused', r.display,
      jsonb_build_object('reason', r.reason, 'attempts', r.attempts), r.request_id, r.address
    from json_to_recordset(p_refused) as r(display text, reason text, attempts int, request_id text, address text)
    cross join lateral (select distinct org_id from api_keys where display = r.display) k $$`,
  `revoke all on function record_refused_sign_ins(json) from public`,
  `grant execute on function record_refused_sign_ins(json) to sightline_app`,
]

/** `passages_matching` learns the scope `records`. */
const RECORDS = patch(
  "passages_matching",
  `(p_within is null or (p_within = 'deals') = (p.deal_id is not null))`,
  `(p_within is null or case p_within
    when 'records' then p.document_id is null else (p_within = 'deals') = (p.deal_id is not null) end)`,
)
