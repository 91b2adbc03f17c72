import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Who is told of changes, how far in the feed each is, and what is sent to them. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  // Not forced: the dispatcher looks across organizations, as the tables' owner.
  yield* isolate(sql, ["webhooks", "webhook_deliveries"], { force: false })
  yield* statements(sql, DISPATCH)
})

const TABLES = [
  `create table webhooks (
    org_id text not null references organizations on delete cascade,
    id text not null,
    url text not null,
    description text,
    event_types text[] not null,
    status text not null default 'enabled' check (status in ('enabled', 'paused', 'disabled')),
    notice text,
    secret bytea not null,
    previous_secret bytea,
    previous_expires_at timestamptz(3),
    cursor text not null,
    seen xid8 not null,
    failing_since timestamptz(3),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (org_id, id)
  )`,
  `create index webhooks_enabled on webhooks (org_id, id) where status = 'enabled'`,
  `create table webhook_deliveries (
    org_id text not null,
    id text not null,
    n bigint generated always as identity,
    webhook_id text not null,
    event text not null,
    subject text not null,
    body text not null,
    state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
    attempts int not null default 0,
    epoch int not null default 0,
    due_at timestamptz(3) not null default now(),
    lease_until timestamptz(3),
    response_status int,
    error text,
    created_at timestamptz(3) not null default now(),
    ended_at timestamptz(3),
    primary key (org_id, id),
    foreign key (org_id, webhook_id) references webhooks on delete cascade
  )`,
  `create index webhook_deliveries_log on webhook_deliveries (org_id, webhook_id, n)`,
  `create index webhook_deliveries_due on webhook_deliveries (org_id, webhook_id, due_at, n) where state = 'pending'`,
  `create index webhook_deliveries_of_subject on webhook_deliveries (org_id, webhook_id, subject, n)`,
  `create index webhook_deliveries_leased on webhook_deliveries (org_id, webhook_id, lease_until) where lease_until is not null`,
  `create index webhook_deliveries_ended on webhook_deliveries (ended_at)`,
]

const DISPATCH = [
  // Those for whom there are changes that they have not seen.
  // A look at the feed's end for each: `exists` has the planner read the whole feed once and join it.
  `create function webhooks_behind(p_most int) returns table (org_id text, id text)
    language plpgsql volatile security definer
    set search_path = sightline, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    #variable_conflict use_column
    begin
    return query select w.org_id, w.id from webhooks w
    where w.status = 'enabled' and (
      select true from feed f where f.org_id = w.org_id and f.xact >= w.seen
        and f.xact < pg_snapshot_xmin(pg_current_snapshot()) limit 1)
    limit p_most;
    end $$`,
  // Of what one webhook is told of one thing, the first comes first: while it is pending, the others wait. An endpoint that
  // fails is asked once at a time, after those that do not. Organizations take turns, the one with the fewest under way first.
  `create function claim_deliveries(p_lease interval, p_each int, p_most int)
    returns table (org_id text, id text, webhook_id text, body text, epoch int, attempts int, url text,
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
      where w.status = 'enabled'
    ), next as (
      select org_id, id from claimable order by failing_since nulls first, turn limit p_most
    )
    update webhook_deliveries d set epoch = d.epoch + 1, attempts = d.attempts + 1, lease_until = now() + p_lease
    from next, webhooks w
    where d.org_id = next.org_id and d.id = next.id and w.org_id = d.org_id and w.id = d.webhook_id
    returning d.org_id, d.id, d.webhook_id, d.body, d.epoch, d.attempts, w.url, w.secret,
      case when w.previous_expires_at > now() then w.previous_secret end;
    end $$`,
  ...["webhooks_behind(int)", "claim_deliveries(interval, int, int)"].flatMap((name) => [
    `revoke all on function ${name} from public`,
    `grant execute on function ${name} to sightline_app`,
  ]),
]
