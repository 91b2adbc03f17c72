import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Work that outlives the request, and who does it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  // Not forced: the claim looks across organizations, as the tables' owner.
  yield* isolate(sql, ["jobs"], { force: false })
  yield* statements(sql, CLAIM)
})

const TABLES = [
  `create table jobs (
    org_id text not null references organizations on delete cascade,
    id text not null,
    kind text not null,
    subject text not null,
    state text not null default 'queued' check (state in ('queued', 'running', 'completed', 'failed', 'cancelled')),
    stage text not null default 'queued',
    progress real not null default 0 check (progress between 0 and 1),
    attempts int not null default 0,
    epoch int not null default 0,
    due_at timestamptz(3) not null default now(),
    lease_until timestamptz(3),
    error text,
    created_at timestamptz(3) not null default now(),
    started_at timestamptz(3),
    claimed_at timestamptz,
    ended_at timestamptz(3),
    primary key (org_id, id)
  )`,
  `create index jobs_due on jobs (kind, org_id, due_at, id) where state in ('queued', 'running')`,
  `create index jobs_running on jobs (org_id, kind) where state = 'running'`,
  `create index jobs_claimed on jobs (org_id, kind, claimed_at)`,
  `create index jobs_last_claimed on jobs (kind, claimed_at)`,
  `create index jobs_of_subject on jobs (org_id, subject, created_at)`,
]

/**
 * `claim_job(kind, lease, per_organization)`: the next job that is due, or whose holder let its lease lapse. The
 * organization with the fewest running comes first, then the one that was served longest ago. Each claim raises the job's epoch: what an
 * earlier holder still writes is refused by it. Claims of a kind take turns, so that none counts too few running; what a
 * holder writes takes none, so that a job is looked at again once it is locked. However many are due, it reads one of each organization.
 */
const CLAIM = [
  `create function claim_job(p_kind text, p_lease interval, p_per_organization int)
    returns table (org_id text, id text, subject text, epoch int, attempts int)
    language plpgsql volatile security definer
    set search_path = sightline, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    #variable_conflict use_column
    begin
    perform pg_advisory_xact_lock(hashtextextended('sightline.jobs ' || p_kind, 0));
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
        where j.kind = p_kind and j.org_id = o.org_id and j.state in ('queued', 'running')
          and j.due_at <= now() and (j.state = 'queued' or j.lease_until <= now())
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
    returning j.org_id, j.id, j.subject, j.epoch, j.attempts;
    end $$`,
  `revoke all on function claim_job(text, interval, int) from public`,
  `grant execute on function claim_job(text, interval, int) to sightline_app`,
  // While one of a kind is being worked on, the others wait for it; and from the last claim on, for the next.
  `create function longest_wait(p_kinds text[]) returns float8
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
  `revoke all on function longest_wait(text[]) from public`,
  `grant execute on function longest_wait(text[]) to sightline_app`,
]
