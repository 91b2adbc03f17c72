import { define } from "./define.ts"

/** Recognize the secrets of connected applications, before the organization of a request is known. */
export const GRANTS = [
  // Returns no row if the grant ended, or the key that made it, or that key's secret. `is_new_day`: unused today so far.
  define(
    "grant_of(p_hash bytea)",
    `returns table (org_id text, id text, kind text, is_used boolean, is_expired boolean, client_id text, client_name text,
      key_id text, key_hash bytea, identity text, name text, scopes text[], permissions text[], resource text, is_new_day boolean)
    language sql stable security definer set search_path = sightline, pg_temp as $$
    select g.org_id, g.id, s.kind, s.used_at is not null, s.expires_at <= now(), g.client_id, g.client_name,
        g.key_id, g.key_hash, k.identity, k.name, g.scopes, g.permissions, g.resource,
        coalesce(date_trunc('day', g.used_at at time zone 'UTC') < date_trunc('day', now() at time zone 'UTC'), true)
      from grant_secrets s
        join grants g on g.org_id = s.org_id and g.id = s.grant_id
        join api_keys k on k.org_id = g.org_id and k.id = g.key_id
      where s.hash = p_hash and g.revoked_at is null and g.expires_at > now()
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
        and (k.hash = g.key_hash or (k.previous_hash = g.key_hash and k.previous_expires_at > now())) $$`,
  ),
  // Deletes registrations by strangers: unused ones after a day, and those whose last grant has long ended.
  define(
    "forget_oauth_clients(p_kept interval, p_most int)",
    `returns int language sql volatile security definer set search_path = sightline, pg_temp as $$
    with gone as (
      delete from oauth_clients where ctid = any(array(
        select r.ctid from oauth_clients r
        where r.is_dynamic and coalesce(r.used_at + interval '60 days', r.created_at + interval '1 day') < now() - p_kept
        limit p_most for update of r skip locked))
      returning 1
    )
    select count(*)::int from gone $$`,
  ),
]
