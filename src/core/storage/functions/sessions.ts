import { define } from "./define.ts"

/** The key is valid, and the secret that signed in still works. */
const KEY_WORKS = `k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
  and (k.hash = s.key_hash or (k.previous_hash = s.key_hash and k.previous_expires_at > now()))`

/** Recognize sessions of the console, before the organization of a request is known. */
export const SESSIONS = [
  // Charges the session's own window and no other limit.
  define(
    "admit_session(p_hash bytea, p_limit int)",
    `returns table (outcome text, org_id text, key_id text, session_id text, role text, permissions text[], identity text, name text,
      scope text, "limit" int, remaining int, reset_at float8, retry_after_ms float8)
    language plpgsql volatile security definer
    set search_path = sightline, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    #variable_conflict use_column
    declare f record; now_ms bigint; w bigint; used int; setting text;
    begin
    select s.org_id, s.id, s.minute, s.minute_used, s.key_id, k.role, k.permissions, k.identity, k.name into f
      from sessions s join api_keys k on k.org_id = s.org_id and k.id = s.key_id
      where s.hash = p_hash and not s.is_link and s.expires_at > now() and ${KEY_WORKS} for update of s;
    if not found then
      outcome := 'ended';
      return next;
      return;
    end if;
    setting := set_config('synchronous_commit', 'off', true);
    now_ms := clock_ms();
    w := minute_window(f.minute, now_ms);
    used := case when f.minute <> w then 0 else f.minute_used end;
    org_id := f.org_id; key_id := f.key_id; session_id := f.id; role := f.role; permissions := f.permissions;
    identity := f.identity; name := f.name;
    "limit" := p_limit; reset_at := (w + 1) * 60000; retry_after_ms := greatest(reset_at - now_ms, 1);
    outcome := case when used < p_limit then 'admitted' else 'limited' end;
    scope := 'session';
    if used < p_limit then
      used := used + 1;
      update sessions s set minute = w, minute_used = used where s.org_id = f.org_id and s.id = f.id;
    end if;
    remaining := p_limit - used;
    return next;
    end $$`,
  ),
  // Turns a one-time link into a session, once: afterwards the link's hash is gone.
  define(
    "open_session(p_link bytea, p_hash bytea, p_is_local boolean, p_lasts interval, p_browser text, p_address text)",
    `returns table (org_id text, id text, key_id text, identity text, name text)
    language sql volatile security definer set search_path = sightline, pg_temp as $$
    update sessions s set hash = p_hash, is_link = false, browser = p_browser, address = p_address,
        created_at = now(), expires_at = least(now() + p_lasts, k.expires_at)
      from api_keys k
      where k.org_id = s.org_id and k.id = s.key_id and s.hash = p_link and s.is_link and s.expires_at > now()
        and (p_is_local or not s.is_local) and ${KEY_WORKS}
      returning s.org_id, s.id, s.key_id, k.identity, k.name $$`,
  ),
]
