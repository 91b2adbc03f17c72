import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** How short links find what they open, which signing secret the database is used with, and how an export takes its slot. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [...HASHES, ...OPENING, ...SECRETS, ...EXPORT_QUOTA])
})

/** A link carries the beginning of an id's SHA-256 in place of the id. `convert_to` would not do: it is not immutable. */
const HASHES = [
  `create function link_hash(p_id text) returns bytea language sql immutable strict parallel safe as $$
    select substring(sha256(replace(p_id, '\\', '\\\\')::bytea) from 1 for 9) $$`,
  `create index organizations_by_link on organizations (link_hash(id))`,
  `create index api_keys_by_link on api_keys (link_hash(id))`,
  ...["deals", "documents", "exports"].map(
    (table) => `create index ${table}_by_link on ${table} (org_id, link_hash(id))`,
  ),
]

/**
 * `open_link(owner, by_key, target, id)`: no row where the key that asked for the link was revoked or has expired; a null
 * id where its thing is gone. Runs as the owner, as `admit` does: a key is known before its organization is.
 */
const OPENING = [
  `create function open_link(p_owner bytea, p_by_key boolean, p_target text, p_id bytea)
    returns table (org_id text, id text)
    language plpgsql stable security definer
    set search_path = sightline, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    #variable_conflict use_column
    declare org text;
    begin
    if p_by_key then
      select k.org_id into org from api_keys k where link_hash(k.id) = p_owner
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
    end case;
    org_id := org;
    return next;
    end $$`,
  `revoke all on function open_link(bytea, boolean, text, bytea) from public`,
  `grant execute on function open_link(bytea, boolean, text, bytea) to sightline_app`,
]

/**
 * The fingerprint of the secret that signs links and seals webhook secrets. `sealed_webhooks` lists, across organizations,
 * what a rotation seals anew. Webhooks that were paused only because their secret could not be opened go on: now they wait.
 */
const SECRETS = [
  `create table signing_secret (
    is_only boolean primary key default true check (is_only),
    fingerprint text not null,
    since timestamptz(3) not null default now()
  )`,
  `grant select, insert, update, delete on signing_secret to sightline_app`,
  `create function sealed_webhooks(p_after text, p_most int)
    returns table (org_id text, id text, secret bytea, previous_secret bytea)
    language sql stable security definer set search_path = sightline, pg_temp as $$
      select w.org_id, w.id, w.secret, w.previous_secret from webhooks w
      where w.id > p_after order by w.id limit p_most $$`,
  `revoke all on function sealed_webhooks(text, int) from public`,
  `grant execute on function sealed_webhooks(text, int) to sightline_app`,
  `update webhooks set status = 'enabled', notice = null
    where status = 'paused' and notice like 'its secret cannot be read any more%'`,
]

/**
 * `take_export(org)` takes one export of the month, where one is left. `admit` took it before the request was known to be
 * valid; it is called with no exports now. In the session's scope, as the role that serves.
 */
const EXPORT_QUOTA = [
  `create function take_export(p_org text)
    returns table (taken boolean, "limit" int, "resetAt" float8, "retryAfterMs" float8)
    language plpgsql volatile set search_path = sightline, pg_temp as $$
    declare now_ms bigint := clock_ms(); m int := month_of(now_ms); charged int;
    begin
    select p.exports_per_month into "limit"
      from organizations o join plans p on p.name = o.plan where o.id = p_org;
    if not found then return; end if;
    update organization_usage u set
        month_used = case when u.month < m then 0 else u.month_used end,
        exports_used = case when u.month < m then 1 else u.exports_used + 1 end,
        month = greatest(u.month, m)
      where u.org_id = p_org and (u.month < m or u.exports_used < "limit")
      returning u.month into charged;
    taken := found;
    if not taken then
      select greatest(u.month, m) into charged from organization_usage u where u.org_id = p_org;
    end if;
    "resetAt" := month_end_ms(coalesce(charged, m));
    "retryAfterMs" := greatest("resetAt" - now_ms, 1);
    return next;
    end $$`,
]
