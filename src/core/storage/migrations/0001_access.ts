import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Organizations, their plans and keys, what they have spent, and the replies kept for Idempotency-Key. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  yield* isolate(sql, ["organizations"], { column: "id", force: false })
  yield* isolate(sql, ["api_keys", "organization_usage", "api_key_usage"], { force: false })
  yield* isolate(sql, ["idempotent_replies"])
  yield* statements(sql, ADMISSION)
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
 * `admit(hash, exports)`: who the key is, and whether this request is within every limit, in one statement.
 * The organization's usage row is locked before the clock is read, so that windows are entered in order
 * whatever the number of processes; a window never goes back, so a clock set back re-opens none.
 * Runs as the owner of the tables: the caller's organization is not known before it.
 */
const ADMISSION = [
  `create function clock_ms() returns bigint language sql volatile
    as $$ select floor(extract(epoch from clock_timestamp()) * 1000)::bigint $$`,
  `create type admission as (
    outcome text, org_id text, key_id text, role text, permissions text[],
    scope text, "limit" int, remaining int, reset_at float8, retry_after_ms float8
  )`,
  `create function admit(p_hash bytea, p_exports int) returns admission
    language plpgsql volatile security definer set search_path = sightline, pg_temp as $$
  declare
    k record; o organization_usage; ku api_key_usage; a admission;
    now_ms bigint; w bigint; m int; reset bigint; key_limit int; key_left int; org_left int;
  begin
    select ak.org_id, ak.id, ak.role, ak.permissions, ak.requests_per_minute, p.requests_per_minute as org_limit,
           p.requests_per_key_minute, p.requests_per_month, p.exports_per_month
      into k
      from api_keys ak join organizations org on org.id = ak.org_id join plans p on p.name = org.plan
      where (ak.hash = p_hash or (ak.previous_hash = p_hash and ak.previous_expires_at > now()))
        and ak.revoked_at is null and (ak.expires_at is null or ak.expires_at > now());
    if not found then
      a.outcome := 'unknown';
      return a;
    end if;
    a.org_id := k.org_id; a.key_id := k.id; a.role := k.role; a.permissions := k.permissions;
    select * into o from organization_usage where org_id = k.org_id for update;
    select * into ku from api_key_usage where org_id = k.org_id and key_id = k.id;
    now_ms := clock_ms();
    w := greatest(o.minute, now_ms / 60000);
    m := greatest(o.month, to_char(to_timestamp(now_ms / 1000.0) at time zone 'UTC', 'YYYYMM')::int);
    if o.minute < w then o.minute_used := 0; end if;
    if o.month < m then o.month_used := 0; o.exports_used := 0; end if;
    if ku.minute < w then ku.minute_used := 0; end if;
    if ku.month < m then ku.month_used := 0; end if;
    key_limit := coalesce(k.requests_per_minute, k.requests_per_key_minute);
    key_left := greatest(key_limit - ku.minute_used, 0);
    org_left := greatest(k.org_limit - o.minute_used, 0);
    reset := (w + 1) * 60000;
    a.outcome := 'limited';
    if key_left = 0 then
      a.scope := 'key'; a."limit" := key_limit;
    elsif org_left = 0 then
      a.scope := 'organization'; a."limit" := k.org_limit;
    else
      if o.month_used >= k.requests_per_month then
        a.scope := 'monthly'; a."limit" := k.requests_per_month;
      elsif p_exports > 0 and o.exports_used + p_exports > k.exports_per_month then
        a.scope := 'export'; a."limit" := k.exports_per_month;
      end if;
      if a.scope is not null then
        reset := floor(extract(epoch from
          (to_date(m::text, 'YYYYMM') + interval '1 month') at time zone 'UTC') * 1000)::bigint;
      end if;
    end if;
    if a.scope is not null then
      a.remaining := 0; a.reset_at := reset; a.retry_after_ms := greatest(reset - now_ms, 1);
      return a;
    end if;
    -- A count lost in a database crash is worth less than a disk flush on every request.
    perform set_config('synchronous_commit', 'off', true);
    update organization_usage set minute = w, minute_used = o.minute_used + 1, month = m,
      month_used = o.month_used + 1, exports_used = o.exports_used + p_exports where org_id = k.org_id;
    update api_key_usage set minute = w, minute_used = ku.minute_used + 1, month = m,
      month_used = ku.month_used + 1 where org_id = k.org_id and key_id = k.id;
    a.outcome := 'admitted';
    if key_left <= org_left then
      a."limit" := key_limit; a.remaining := key_left - 1;
    else
      a."limit" := k.org_limit; a.remaining := org_left - 1;
    end if;
    a.reset_at := reset;
    return a;
  end $$`,
  `revoke all on function admit(bytea, int) from public`,
  `grant execute on function admit(bytea, int) to sightline_app`,
]
