import { define } from "./define.ts"

/** Serve the dispatcher of webhooks, across organizations. */
export const WEBHOOKS = [
  // Returns the webhooks that have not seen all changes of their organization.
  define(
    "webhooks_behind(p_most int)",
    `returns table (org_id text, id text)
    language plpgsql volatile security definer
    set search_path = sightline, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    #variable_conflict use_column
    begin
    return query select w.org_id, w.id from webhooks w join change_feeds f on f.org_id = w.org_id and f.last >= w.seen
      where w.status = 'enabled' and (w.expires_at is null or w.expires_at > now()) limit p_most;
    end $$`,
  ),
  // Sends the events of one thing in order: while the first is pending, the others wait. A failing endpoint gets one request at a
  // time, after the other endpoints. Organizations take turns, the one with the fewest deliveries in flight first.
  define(
    "claim_deliveries(p_lease interval, p_each int, p_most int)",
    `returns table (org_id text, id text, webhook_id text, body text, epoch int, attempts int, url text,
      secret bytea, previous_secret bytea)
    language plpgsql volatile security definer
    set search_path = sightline, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    #variable_conflict use_column
    begin
    return query with running as (
      select r.org_id, r.webhook_id, count(*) as n from webhook_deliveries r
      where r.state = 'pending' and r.lease_until > now() group by r.org_id, r.webhook_id
    ), claimable as (
      select d.org_id, d.id, w.failing_since, row_number() over (partition by w.org_id order by w.failing_since nulls first)
        + coalesce((select sum(r.n) from running r where r.org_id = w.org_id), 0) as turn
      from webhooks w cross join lateral (
        select d.org_id, d.id from webhook_deliveries d
        where d.org_id = w.org_id and d.webhook_id = w.id and d.state = 'pending' and d.due_at <= now()
          and (d.lease_until is null or d.lease_until <= now())
          and not exists (
            select from webhook_deliveries e where e.org_id = d.org_id and e.webhook_id = d.webhook_id
              and e.subject = d.subject and e.state = 'pending' and e.n < d.n)
        order by d.due_at, d.n
        limit greatest(0, case when w.failing_since is null then p_each else 1 end - coalesce((
          select r.n from running r where r.org_id = w.org_id and r.webhook_id = w.id), 0))
        for update of d skip locked
      ) d
      where w.status = 'enabled' and (w.expires_at is null or w.expires_at > now())
    ), next as (
      select org_id, id from claimable order by failing_since nulls first, turn limit p_most
    )
    update webhook_deliveries d set epoch = d.epoch + 1, attempts = d.attempts + 1, lease_until = now() + p_lease
    from next, webhooks w
    where d.org_id = next.org_id and d.id = next.id and w.org_id = d.org_id and w.id = d.webhook_id
    returning d.org_id, d.id, d.webhook_id, d.body, d.epoch, d.attempts, w.url, w.secret,
      case when w.previous_expires_at > now() then w.previous_secret end;
    end $$`,
  ),
  define(
    "sealed_webhooks(p_after text, p_most int)",
    `returns table (org_id text, id text, secret bytea, previous_secret bytea)
    language sql stable security definer set search_path = sightline, pg_temp as $$
      select w.org_id, w.id, w.secret, w.previous_secret from webhooks w
      where w.id > p_after order by w.id limit p_most $$`,
  ),
]
