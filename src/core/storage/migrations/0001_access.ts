import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Organizations, their plans and keys, what they have spent, and the replies kept for Idempotency-Key. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  yield* isolate(sql, ["organizations"], { column: "id", force: false })
  yield* isolate(sql, ["api_keys", "organization_usage", "api_key_usage", "idempotent_replies"], { force: false })
  yield* statements(sql, [...ADMISSION, ...LOOKUP])
})

const TABLES = [
  `create table plans (
    name text primary key,
    requests_per_minute int not null,
    requests_per_key_minute int not null,
    requests_per_month int not null,
    exports_per_month int not null
  )`,
  `insert into plans values
    ('essentials', 10, 5, 10000, 50),
    ('growth', 60, 20, 30000, 200),
    ('enterprise', 300, 100, 100000, 1000)`,
  `grant select on plans to sightline_app`,
  `create table organizations (
    id text primary key,
    name text not null,
    plan text not null references plans,
    created_at timestamptz(3) not null default now()
  )`,
  `create table api_keys (
    org_id text not null references organizations on delete cascade,
    id text not null,
    name text not null,
    role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
    permissions text[],
    display text not null,
    hash bytea not null unique,
    previous_hash bytea unique,
    previous_expires_at timestamptz(3),
    requests_per_minute int check (requests_per_minute > 0),
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    primary key (org_id, id)
  )`,
  // One narrow row an organization and one a key: every admission updates both, in place (HOT).
  `create table organization_usage (
    org_id text primary key references organizations on delete cascade,
    minute bigint not null default 0,
    minute_used int not null default 0,
    month int not null default 0,
    month_used int not null default 0,
    exports_used int not null default 0
  ) with (fillfactor = 20)`,
  `create table api_key_usage (
    org_id text not null,
    key_id text not null,
    minute bigint not null default 0,
    minute_used int not null default 0,
    month int not null default 0,
    month_used int not null default 0,
    primary key (org_id, key_id),
    foreign key (org_id, key_id) references api_keys on delete cascade
  ) with (fillfactor = 20)`,
  `create table idempotent_replies (
    org_id text not null references organizations on delete cascade,
    key text not null,
    fingerprint text not null,
    epoch int not null default 1,
    locked_until timestamptz(3) not null,
    status int,
    headers jsonb,
    body bytea,
    expires_at timestamptz(3) not null,
    primary key (org_id, key)
  )`,
  `create index on idempotent_replies (expires_at)`,
]

/**
 * `admit(hash, exports)`: who the key is, and whether this request is within every limit, in one call.
 * The organization's usage row is locked before the clock is read, so that windows are entered in order whatever the
 * number of processes; a window never goes back, so a clock set back re-opens none. Writers of `api_key_usage` hold that
 * lock too. Runs as the owner of the tables: the caller's organization is not known before it.
 */
const ADMISSION = [
  `create function clock_ms() returns bigint language sql volatile
    as $$ select floor(date_part('epoch', clock_timestamp()) * 1000)::bigint $$`,
  `create function month_of(ms bigint) returns int language sql immutable as $$
    select (date_part('year', to_timestamp(ms / 1000.0) at time zone 'UTC') * 100
      + date_part('month', to_timestamp(ms / 1000.0) at time zone 'UTC'))::int $$`,
  `create function month_end_ms(month int) returns bigint language sql immutable as $$
    select (date_part('epoch', make_date(month / 100, month % 100, 1) + interval '1 month') * 1000)::bigint $$`,
  `create type admission as (
    outcome text, org_id text, key_id text, role text, permissions text[],
    scope text, "limit" int, remaining int, reset_at float8, retry_after_ms float8
  )`,
  // Sessions plan every statement anew; these three look up single rows, and their plans are kept.
  `create function admit(p_hash bytea, p_exports int) returns admission
    language plpgsql volatile security definer
    set search_path = sightline, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
  declare
    k record; a admission; setting text;
    now_ms bigint; w bigint; m int; reset bigint; key_limit int; key_left int; org_left int; month_left int; exports int; exports_spent int;
  begin
    select ak.org_id, ak.id, ak.role, ak.permissions, ak.requests_per_minute, p.requests_per_minute as org_limit,
           p.requests_per_key_minute, p.requests_per_month, p.exports_per_month,
           o.minute, o.minute_used, o.month, o.month_used, o.exports_used
      into k
      from api_keys ak join organizations org on org.id = ak.org_id join plans p on p.name = org.plan
        join organization_usage o on o.org_id = ak.org_id
      where (ak.hash = p_hash or (ak.previous_hash = p_hash and ak.previous_expires_at > now()))
        and ak.revoked_at is null and (ak.expires_at is null or ak.expires_at > now())
      for update of o;
    if not found then
      a.outcome := 'unknown';
      return a;
    end if;
    -- A count lost in a database crash is worth less than a disk flush on every request.
    setting := set_config('synchronous_commit', 'off', true);
    a.org_id := k.org_id; a.key_id := k.id; a.role := k.role; a.permissions := k.permissions;
    now_ms := clock_ms();
    w := greatest(k.minute, now_ms / 60000);
    m := greatest(k.month, month_of(now_ms));
    key_limit := coalesce(k.requests_per_minute, k.requests_per_key_minute);
    org_left := k.org_limit - case when k.minute < w then 0 else k.minute_used end;
    month_left := k.requests_per_month - case when k.month < m then 0 else k.month_used end;
    -- Who may not export is refused later, and spends none.
    exports := case when k.role in ('admin', 'owner') and (k.permissions is null or 'deals.export' = any(k.permissions))
      then p_exports else 0 end;
    exports_spent := exports + case when k.month < m then 0 else k.exports_used end;
    reset := (w + 1) * 60000;
    if month_left <= 0 then
      a.scope := 'monthly'; a."limit" := k.requests_per_month; reset := month_end_ms(m);
    elsif exports > 0 and exports_spent > k.exports_per_month then
      a.scope := 'export'; a."limit" := k.exports_per_month; reset := month_end_ms(m);
    elsif org_left <= 0 then
      a.scope := 'organization'; a."limit" := k.org_limit;
    else
      update api_key_usage u set
          minute = w, minute_used = case when u.minute < w then 1 else u.minute_used + 1 end,
          month = m, month_used = case when u.month < m then 1 else u.month_used + 1 end
        where u.org_id = k.org_id and u.key_id = k.id and (u.minute < w or u.minute_used < key_limit)
        returning key_limit - u.minute_used into key_left;
      if not found then
        a.scope := 'key'; a."limit" := key_limit;
      end if;
    end if;
    a.reset_at := reset;
    if a.scope is not null then
      a.outcome := 'limited'; a.remaining := 0; a.retry_after_ms := greatest(reset - now_ms, 1);
      return a;
    end if;
    update organization_usage set
        minute = w, minute_used = k.org_limit - org_left + 1,
        month = m, month_used = k.requests_per_month - month_left + 1, exports_used = exports_spent
      where org_id = k.org_id;
    a.outcome := 'admitted';
    a."limit" := case when key_left < org_left then key_limit else k.org_limit end;
    a.remaining := least(key_left, org_left - 1, month_left - 1);
    return a;
  end $$`,
  `revoke all on function admit(bytea, int) from public`,
  `grant execute on function admit(bytea, int) to sightline_app`,
]

/**
 * `key_of(hash)`: who a key is and what limits it has, for counters that are kept elsewhere. No row for a key that is
 * unknown, revoked or expired. `lives_ms`: until the key or its grace expires. Runs as the owner, as `admit` does.
 */
const LOOKUP = [
  `create function key_of(p_hash bytea) returns table (
      org_id text, key_id text, role text, permissions text[], requests_per_key_minute int,
      requests_per_minute int, requests_per_month int, exports_per_month int, lives_ms float8)
    language sql stable security definer set search_path = sightline, pg_temp as $$
      select k.org_id, k.id, k.role, k.permissions, coalesce(k.requests_per_minute, p.requests_per_key_minute),
        p.requests_per_minute, p.requests_per_month, p.exports_per_month,
        date_part('epoch', least(k.expires_at, case when k.hash <> p_hash then k.previous_expires_at end) - now()) * 1000
      from api_keys k join organizations o on o.id = k.org_id join plans p on p.name = o.plan
      where (k.hash = p_hash or (k.previous_hash = p_hash and k.previous_expires_at > now()))
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
    $$`,
  `revoke all on function key_of(bytea) from public`,
  `grant execute on function key_of(bytea) to sightline_app`,
]
