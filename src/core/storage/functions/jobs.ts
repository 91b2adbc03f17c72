import { MAX_VISITED, overAllShards } from "./citus.ts"
import { define } from "./define.ts"

/** The job `j` waits for a worker. */
export const IS_DUE = `j.state in ('queued', 'running') and j.due_at <= now() and (j.state = 'queued' or j.lease_until <= now())`

const CLAIMED = `returns table (org_id text, id text, subject text, epoch int, attempts int, traceparent text)`

/** Claims of one kind take turns. */
const TAKE_TURN = `perform pg_advisory_xact_lock(hashtextextended('sightline.jobs ' || p_kind, 0));`

const STATE = [
  `select 'jobs', j.kind, j.state, count(*)::float8 from jobs j where j.state in ('queued', 'running') group by j.kind, j.state`,
  `select 'age', j.kind, '', date_part('epoch', now() - min(j.due_at)) from jobs j
    where j.state = 'queued' and j.due_at <= now() group by j.kind`,
  `select 'documents', d.status, '', count(*)::float8 from documents d group by d.status`,
  `select 'deliveries', '', '', count(*)::float8 from webhook_deliveries w where w.state = 'pending'`,
]

/** Serve the workers of jobs, across organizations. */
export const JOBS = [
  // Claims the next job that is due or has an expired lease. The organization with the fewest running jobs comes first, then the one
  // that was served longest ago. Each claim raises the job's epoch, which makes writes of earlier holders fail. Claims of one kind
  // take turns, so that each counts the running jobs correctly. Writes of holders take no turn, so a claim checks the job again once
  // it has the lock.
  define(
    "claim_job(p_kind text, p_lease interval, p_per_organization int)",
    `${CLAIMED}
    language plpgsql volatile security definer
    set search_path = sightline, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    #variable_conflict use_column
    begin
    ${TAKE_TURN}
    return query with recursive busy as (
      select j.org_id, count(*) as running from jobs j
      where j.kind = p_kind and j.state = 'running' and j.lease_until > now() group by j.org_id
    ), waiting as (
      (select j.org_id from jobs j where j.kind = p_kind and j.state in ('queued', 'running') order by j.org_id limit 1)
      union all
      select (select j.org_id from jobs j where j.kind = p_kind and j.state in ('queued', 'running')
        and j.org_id > o.org_id order by j.org_id limit 1) from waiting o where o.org_id is not null
    ), next as (
      select d.org_id, d.id from waiting o left join busy b on b.org_id = o.org_id, lateral (
        select j.org_id, j.id, j.due_at from jobs j
        where j.kind = p_kind and j.org_id = o.org_id and ${IS_DUE}
        order by j.due_at, j.id limit 1 for update skip locked
      ) d
      where coalesce(b.running, 0) < p_per_organization
      order by coalesce(b.running, 0),
        (select max(c.claimed_at) from jobs c where c.org_id = o.org_id and c.kind = p_kind) nulls first, d.due_at, d.id
      limit 1
    )
    update jobs j set state = 'running', epoch = j.epoch + 1, attempts = j.attempts + 1, claimed_at = clock_timestamp(),
      lease_until = now() + p_lease, started_at = coalesce(j.started_at, now()), error = null
    from next where j.org_id = next.org_id and j.id = next.id
    returning j.org_id, j.id, j.subject, j.epoch, j.attempts, j.traceparent;
    end $$`,
    `${CLAIMED} ${overAllShards(
      "volatile",
      `declare visited text;
    begin
      ${TAKE_TURN}
      for visited in
        select o.org_id from (
          select j.org_id, count(*) filter (where j.state = 'running' and j.lease_until > now()) as running,
            min(j.due_at) filter (where ${IS_DUE}) as due_at
          from jobs j where j.kind = p_kind and j.state in ('queued', 'running') group by j.org_id
        ) o left join (select c.org_id, max(c.claimed_at) as at from jobs c where c.kind = p_kind group by c.org_id) last
          on last.org_id = o.org_id
        where o.running < p_per_organization and o.due_at is not null
        order by o.running, last.at nulls first, o.due_at, o.org_id limit ${MAX_VISITED}
      loop
        return query select * from claim_job_of(visited, p_kind, p_lease, p_per_organization);
        if found then return; end if;
      end loop;
    end`,
    )}`,
  ),
  // Claims the next job of one organization, by the same rules and in the same turn. On a cluster, it asks one server.
  define(
    "claim_job_of(p_org text, p_kind text, p_lease interval, p_per_organization int)",
    `${CLAIMED}
    language plpgsql volatile security definer set search_path = sightline, pg_temp as $$
    #variable_conflict use_column
    declare running bigint; claimed timestamptz;
    begin
    ${TAKE_TURN}
    claimed := clock_timestamp();
    select count(*) into running from jobs j
      where j.org_id = p_org and j.kind = p_kind and j.state = 'running' and j.lease_until > now();
    if running >= p_per_organization then return; end if;
    return query with next as materialized (
      select j.id from jobs j
      where j.org_id = p_org and j.kind = p_kind and ${IS_DUE}
      order by j.due_at, j.id limit 1 for update skip locked
    )
    update jobs j set state = 'running', epoch = j.epoch + 1, attempts = j.attempts + 1, claimed_at = claimed,
      lease_until = now() + p_lease, started_at = coalesce(j.started_at, claimed), error = null
    from next where j.org_id = p_org and j.id = next.id
    returning j.org_id, j.id, j.subject, j.epoch, j.attempts, j.traceparent;
    end $$`,
  ),
  // While a job of a kind is running, the others wait for it; after the last claim they wait for the next.
  define(
    "longest_wait(p_kinds text[])",
    `returns float8
    language sql stable security definer set search_path = sightline, pg_temp as $$
    select coalesce(max(date_part('epoch', now() - greatest(w.since, w.claimed_at))), 0)
    from unnest(p_kinds) k(kind), lateral (
      select min(greatest(j.due_at, j.lease_until)) as since,
        (select max(c.claimed_at) from jobs c where c.kind = k.kind) as claimed_at
      from jobs j where j.kind = k.kind
        and ((j.state = 'queued' and j.due_at <= now()) or (j.state = 'running' and j.lease_until <= now()))
    ) w
    where w.since is not null
      and not exists (select from jobs b where b.kind = k.kind and b.state = 'running' and b.lease_until > now()) $$`,
    `returns float8 ${overAllShards(
      "stable",
      `declare longest float8;
    begin
      select coalesce(max(date_part('epoch', now() - greatest(k.since, k.claimed_at))), 0) into longest from (
        select j.kind, min(greatest(j.due_at, j.lease_until)) filter (where ${IS_DUE}) as since, max(j.claimed_at) as claimed_at,
          bool_or(j.state = 'running' and j.lease_until > now()) as is_running
        from jobs j where j.kind = any(p_kinds) group by j.kind
      ) k where k.since is not null and not k.is_running;
      return longest;
    exception when connection_exception or cannot_connect_now or admin_shutdown or crash_shutdown then
      -- The organizations of the other workers are served.
      return null;
    end`,
    )}`,
  ),
  // Measures the whole service: jobs, documents and pending deliveries. Ages are those of due jobs.
  define(
    "service_state()",
    `returns table (metric text, label text, state text, value float8)
    language sql stable security definer set search_path = sightline, pg_temp as $$
    ${STATE.join("\n    union all\n    ")} $$`,
    `returns table (metric text, label text, state text, value float8) ${overAllShards(
      "stable",
      `begin
      ${STATE.map((query) => `return query ${query};`).join("\n      ")}
    end`,
    )}`,
  ),
]
