import { NO_LIMIT } from "../noLimit.ts"
import { overAllShards } from "./citus.ts"
import { define } from "./define.ts"

/** A plan's limit, which may be null. */
const limitOf = (column: string) => `coalesce(${column}, ${NO_LIMIT})`

/** Inserts an entry for each organization of `keys`, rows of the first characters of a key and its organization. */
const insertRefused = (
  keys: string,
) => `insert into audit_log (org_id, id, action, target, details, request_id, address)
    select k.org_id, 'audit_' || replace(gen_random_uuid()::text, '-', ''), 'sign_in.refused', r.display,
      jsonb_build_object('reason', r.reason, 'attempts', r.attempts)
        || case when r.dropped > 0 then jsonb_build_object('dropped', r.dropped) else '{}' end, r.request_id, r.address
    from json_to_recordset(p_refused) as r(display text, reason text, attempts int, dropped int, request_id text, address text)
    ${keys}`

/** Identify keys and charge their limits, before the organization of a request is known. */
export const ACCESS = [
  define(
    "clock_ms()",
    `returns bigint language sql volatile
    as $$ select floor(date_part('epoch', clock_timestamp()) * 1000)::bigint $$`,
  ),
  define(
    "month_of(ms bigint)",
    `returns int language sql immutable as $$
    select (date_part('year', to_timestamp(ms / 1000.0) at time zone 'UTC') * 100
      + date_part('month', to_timestamp(ms / 1000.0) at time zone 'UTC'))::int $$`,
  ),
  define(
    "month_end_ms(month int)",
    `returns bigint language sql immutable as $$
    select (date_part('epoch', make_date(month / 100, month % 100, 1) + interval '1 month') * 1000)::bigint $$`,
  ),
  // The window of a counter: a stored one may be up to two minutes ahead, for requests enter windows in order even if the clock
  // steps back. One further ahead was written by a clock that was wrong, and would lock keys out until its time comes.
  define(
    "minute_window(stored bigint, now_ms bigint)",
    `returns bigint language sql immutable as $$
    select case when stored <= now_ms / 60000 + 2 then greatest(stored, now_ms / 60000) else now_ms / 60000 end $$`,
  ),
  define(
    "month_window(stored int, now_ms bigint)",
    `returns int language sql immutable as $$
    select case when stored <= month_of(now_ms + 120000) then greatest(stored, month_of(now_ms)) else month_of(now_ms) end $$`,
  ),
  // Answers `expired` only to the holder of a real key that is not revoked, or of its former secret after the grace period.
  define(
    "refusal_of(p_hash bytea)",
    `returns text
    language sql stable security definer set search_path = sightline, pg_temp as $$
    select case when exists (
      select from api_keys where (hash = p_hash or previous_hash = p_hash) and revoked_at is null) then 'expired' else 'unknown' end $$`,
  ),
  // Identifies the key and charges every limit in one call. It locks the organization's usage before it reads the clock, so that
  // requests enter windows in order however many processes serve. An admitted request whose
  // window a wrong clock wrote has the scope `restarted`: the window starts anew. Writers of `api_key_usage` hold that lock too. Sessions
  // plan every statement anew; this function keeps its plans.
  define(
    "admit(p_hash bytea)",
    `returns admission
    language plpgsql volatile security definer
    set search_path = sightline, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
  declare
    k record; a admission; setting text;
    now_ms bigint; w bigint; m int; reset bigint; key_limit int; key_left int; org_left int; month_left int;
  begin
    select ak.org_id, ak.id, ak.role, ak.permissions, ak.requests_per_minute, ${limitOf("p.requests_per_minute")} as org_limit,
           ${limitOf("p.requests_per_key_minute")} as requests_per_key_minute, ${limitOf("p.requests_per_month")} as requests_per_month,
           o.minute, o.minute_used, o.month, o.month_used, o.exports_used
      into k
      from api_keys ak join organizations org on org.id = ak.org_id join plans p on p.name = org.plan
        join organization_usage o on o.org_id = ak.org_id
      where (ak.hash = p_hash or (ak.previous_hash = p_hash and ak.previous_expires_at > now()))
        and ak.revoked_at is null and (ak.expires_at is null or ak.expires_at > now())
      for update of o;
    if not found then
      a.outcome := refusal_of(p_hash);
      return a;
    end if;
    -- A count lost in a database crash is worth less than a disk flush on every request.
    setting := set_config('synchronous_commit', 'off', true);
    a.org_id := k.org_id; a.key_id := k.id; a.role := k.role; a.permissions := k.permissions;
    now_ms := clock_ms();
    w := minute_window(k.minute, now_ms);
    m := month_window(k.month, now_ms);
    key_limit := coalesce(k.requests_per_minute, k.requests_per_key_minute);
    org_left := k.org_limit - case when k.minute <> w then 0 else k.minute_used end;
    month_left := k.requests_per_month - case when k.month <> m then 0 else k.month_used end;
    reset := (w + 1) * 60000;
    if month_left <= 0 then
      a.scope := 'monthly'; a."limit" := k.requests_per_month; reset := month_end_ms(m);
    elsif org_left <= 0 then
      a.scope := 'organization'; a."limit" := k.org_limit;
    else
      update api_key_usage u set
          minute = w, minute_used = case when u.minute <> w then 1 else u.minute_used + 1 end,
          month = m, month_used = case when u.month <> m then 1 else u.month_used + 1 end
        where u.org_id = k.org_id and u.key_id = k.id and (u.minute <> w or u.minute_used < key_limit)
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
        month = m, month_used = k.requests_per_month - month_left + 1,
        exports_used = case when k.month <> m then 0 else k.exports_used end
      where org_id = k.org_id;
    a.outcome := 'admitted';
    if k.minute > w or k.month > m then a.scope := 'restarted'; end if;
    a."limit" := case when key_left < org_left then key_limit else k.org_limit end;
    a.remaining := least(key_left, org_left - 1, month_left - 1);
    return a;
  end $$`,
  ),
  // Identifies an identity of the embedding host and charges its own window and that of all identities of its organization, under the
  // same lock. Plans limit keys: neither the organization's window nor its month counts this request. `p_limit`: its
  // requests a minute. All identities together have `p_times` those of the plan, and `p_least` or more.
  define(
    "admit_identity(p_hash bytea, p_limit int, p_least int, p_times int)",
    `returns admission
    language plpgsql volatile security definer
    set search_path = sightline, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
  declare
    k record; a admission; setting text;
    now_ms bigint; w bigint; reset bigint; key_left int; all_left int;
  begin
    select ak.org_id, ak.id, ak.role, ak.permissions, o.identities_minute, o.identities_used,
        greatest(p_least, least(p_times * ${limitOf("p.requests_per_minute")}::bigint, ${NO_LIMIT}))::int as most
      into k
      from api_keys ak join organizations org on org.id = ak.org_id join plans p on p.name = org.plan
        join organization_usage o on o.org_id = ak.org_id
      where ak.hash = p_hash and ak.identity is not null and ak.revoked_at is null
      for update of o;
    if not found then
      a.outcome := 'unknown';
      return a;
    end if;
    setting := set_config('synchronous_commit', 'off', true);
    a.org_id := k.org_id; a.key_id := k.id; a.role := k.role; a.permissions := k.permissions;
    now_ms := clock_ms();
    w := minute_window(k.identities_minute, now_ms);
    reset := (w + 1) * 60000;
    all_left := k.most - case when k.identities_minute <> w then 0 else k.identities_used end;
    if all_left <= 0 then
      a.scope := 'organization'; a."limit" := k.most;
    else
      update api_key_usage u set
          minute = w, minute_used = case when u.minute <> w then 1 else u.minute_used + 1 end,
          month = month_window(u.month, now_ms),
          month_used = case when u.month <> month_window(u.month, now_ms) then 1 else u.month_used + 1 end
        where u.org_id = k.org_id and u.key_id = k.id and (u.minute <> w or u.minute_used < p_limit)
        returning p_limit - u.minute_used into key_left;
      if not found then
        a.scope := 'identity'; a."limit" := p_limit;
      end if;
    end if;
    a.reset_at := reset;
    if a.scope is not null then
      a.outcome := 'limited'; a.remaining := 0; a.retry_after_ms := greatest(reset - now_ms, 1);
      return a;
    end if;
    update organization_usage set identities_minute = w, identities_used = k.most - all_left + 1 where org_id = k.org_id;
    a.outcome := 'admitted';
    if k.identities_minute > w then a.scope := 'restarted'; end if;
    a."limit" := case when key_left < all_left then p_limit else k.most end;
    a.remaining := least(key_left, all_left - 1);
    return a;
  end $$`,
  ),
  // Identifies a key and returns its limits, for counters outside the database. Returns no row for a key that is unknown, revoked or
  // expired. `lives_ms`: until the key or its grace period expires.
  define(
    "key_of(p_hash bytea)",
    `returns table (
      org_id text, key_id text, role text, permissions text[], requests_per_key_minute int,
      requests_per_minute int, requests_per_month int, exports_per_month int, lives_ms float8)
    language sql stable security definer set search_path = sightline, pg_temp as $$
      select k.org_id, k.id, k.role, k.permissions, coalesce(k.requests_per_minute, ${limitOf("p.requests_per_key_minute")}),
        ${["requests_per_minute", "requests_per_month", "exports_per_month"].map((name) => limitOf(`p.${name}`)).join(", ")},
        date_part('epoch', least(k.expires_at, case when k.hash <> p_hash then k.previous_expires_at end) - now()) * 1000
      from api_keys k join organizations o on o.id = k.org_id join plans p on p.name = o.plan
      where (k.hash = p_hash or (k.previous_hash = p_hash and k.previous_expires_at > now()))
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
    $$`,
  ),
  // Records when a key was last used, if limits are counted outside the database. Otherwise the minute that is counted says so.
  define(
    "touch_key(p_org text, p_key text)",
    `returns void
    language sql volatile security definer set search_path = sightline, pg_temp as $$
    update api_key_usage set minute = clock_ms() / 60000, minute_used = 0
    where org_id = p_org and key_id = p_key and minute <> minute_window(minute, clock_ms()) $$`,
  ),
  // Writes an audit entry for each organization that has a key with the same first characters.
  define(
    "record_refused_sign_ins(p_refused json)",
    `returns void
    language sql volatile security definer set search_path = sightline, pg_temp as $$
    ${insertRefused("cross join lateral (select distinct org_id from api_keys where display = r.display) k")} $$`,
    `returns void ${overAllShards(
      "volatile",
      `begin
      ${insertRefused("join (select distinct a.org_id, a.display from api_keys a) k on k.display = r.display")};
    end`,
    )}`,
  ),
  // Charges one export of the month, if one is left. Callers validate the request first. Runs in the session's scope, as the role that
  // serves.
  define(
    "take_export(p_org text)",
    `returns table (taken boolean, "limit" int, "resetAt" float8, "retryAfterMs" float8)
    language plpgsql volatile set search_path = sightline, pg_temp as $$
    declare now_ms bigint := clock_ms(); charged int;
    begin
    select ${limitOf("p.exports_per_month")} into "limit"
      from organizations o join plans p on p.name = o.plan where o.id = p_org;
    if not found then return; end if;
    update organization_usage u set
        month_used = case when u.month <> month_window(u.month, now_ms) then 0 else u.month_used end,
        exports_used = case when u.month <> month_window(u.month, now_ms) then 1 else u.exports_used + 1 end,
        month = month_window(u.month, now_ms)
      where u.org_id = p_org and (u.month <> month_window(u.month, now_ms) or u.exports_used < "limit")
      returning u.month into charged;
    taken := found;
    if not taken then
      select month_window(u.month, now_ms) into charged from organization_usage u where u.org_id = p_org;
    end if;
    "resetAt" := month_end_ms(coalesce(charged, month_of(now_ms)));
    "retryAfterMs" := greatest("resetAt" - now_ms, 1);
    return next;
    end $$`,
  ),
  // Returns no row if the key that made the link is revoked or expired, and a null id if the linked thing is deleted.
  define(
    "open_link(p_owner bytea, p_by_key boolean, p_target text, p_id bytea)",
    `returns table (org_id text, id text)
    language plpgsql stable security definer
    set search_path = sightline, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    #variable_conflict use_column
    declare org text; made_by text;
    begin
    if p_by_key then
      select k.org_id, k.id into org, made_by from api_keys k where link_hash(k.id) = p_owner
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > now());
    else
      select o.id into org from organizations o where link_hash(o.id) = p_owner;
    end if;
    if org is null then return; end if;
    case p_target
      when 'documents' then
        select d.id into id from documents d where d.org_id = org and link_hash(d.id) = p_id;
      when 'deals' then
        select d.id into id from deals d where d.org_id = org and link_hash(d.id) = p_id;
      when 'exports' then
        select e.id into id from exports e where e.org_id = org and link_hash(e.id) = p_id;
      when 'reports' then
        select r.id into id from cited_reports r where r.org_id = org and link_hash(r.id) = p_id;
      when 'figures' then
        select f.id into id from figures f
          where f.org_id = org and link_hash(f.id) = p_id and f.key_id is not distinct from made_by;
    end case;
    org_id := org;
    return next;
    end $$`,
  ),
  // What the key that made an opened link may do, if a key made it, and who sees the deals behind a figure.
  define(
    "grant_of_link(p_owner bytea, p_by_key boolean, p_org text)",
    `returns table (role text, permissions text[], links text)
    language sql stable security definer set search_path = sightline, pg_temp as $$
      select k.role, k.permissions, o.links from organizations o
        left join api_keys k on p_by_key and k.org_id = o.id and link_hash(k.id) = p_owner
      where o.id = p_org $$`,
  ),
  define(
    "list_organizations(p_after text, p_most int)",
    `returns table (id text, name text, plan text, created_at timestamptz)
    language sql stable security definer set search_path = sightline, pg_temp as $$
      select o.id, o.name, o.plan, o.created_at from organizations o
      where o.id > p_after order by o.id limit p_most $$`,
  ),
]
