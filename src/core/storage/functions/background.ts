import { define } from "./define.ts"

/** Tell an idle process what to do. */
export const BACKGROUND = [
  // Returns which of the process's kinds of work are due: kinds of jobs, deliveries to webhooks, stale deal records, and missing
  // vectors of its model.
  define(
    "due_work(p_names text[], p_model text)",
    `returns setof text
    language sql volatile security definer set search_path = sightline, pg_temp as $$
    select k.kind from unnest(p_names) k(kind) where exists (
      select from jobs j where j.kind = k.kind and j.state in ('queued', 'running')
        and j.due_at <= now() and (j.state = 'queued' or j.lease_until <= now()))
    union all select 'webhooks' where 'webhooks' = any(p_names) and (
      exists (select from webhooks_behind(1)) or exists (
        select from webhooks w join webhook_deliveries d on d.org_id = w.org_id and d.webhook_id = w.id
        where w.status = 'enabled' and (w.expires_at is null or w.expires_at > now())
          and d.state = 'pending' and d.due_at <= now() and (d.lease_until is null or d.lease_until <= now())))
    union all select 'records' where 'records' = any(p_names) and exists (select from stale_organizations())
    union all select 'vectors' where 'vectors' = any(p_names) and exists (
      select from passage_totals t left join vector_sets s on s.org_id = t.org_id and s.model = p_model
      where t.passages > 0
        and (s.org_id is null or ((s.vectors < t.passages or not s.complete) and s.leased_until < now()))) $$`,
  ),
]
