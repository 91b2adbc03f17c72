import { defineQueryOverAllShards, MAX_VISITED, overAllShards } from "./citus.ts"
import { define } from "./define.ts"

/** The webhook `w` gets deliveries. */
export const IS_ENABLED = `w.status = 'enabled' and (w.expires_at is null or w.expires_at > now())`
/** The delivery `d` waits for its attempt. */
export const IS_PENDING = `d.state = 'pending' and d.due_at <= now() and (d.lease_until is null or d.lease_until <= now())`

/** A search in all organizations that keeps its plan: sessions plan every statement anew. */
const KEEPS_PLAN = `language plpgsql volatile security definer
    set search_path = sightline, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    #variable_conflict use_column`

const BEHIND = `begin
    return query select w.org_id, w.id from webhooks w join change_feeds f on f.org_id = w.org_id and f.last >= w.seen
      where ${IS_ENABLED} limit p_most;
    end`

const CLAIMED = `returns table (org_id text, id text, webhook_id text, body text, epoch int, attempts int, url text,
      secret bytea, previous_secret bytea)`

/**
 * The deliveries of the webhook `w` that may be sent, the first of each subject. `org` names the organization, and `inFlight` selects
 * the webhook's row of `running`.
 */
const sendable = (columns: string, org: { readonly w: string; readonly d: string }, inFlight: string) => `
        select ${columns} from webhook_deliveries d
        where d.org_id = ${org.w} and d.webhook_id = w.id and ${IS_PENDING}
          and not exists (
            select from webhook_deliveries e where e.org_id = ${org.d} and e.webhook_id = d.webhook_id
              and e.subject = d.subject and e.state = 'pending' and e.n < d.n)
        order by d.due_at, d.n
        limit greatest(0, case when w.failing_since is null then p_each else 1 end - coalesce((
          select r.n from running r where ${inFlight}), 0))
        for update of d skip locked`

/** Leases the deliveries of the query `next`. */
const lease = (matches: string, at: string) => `
    update webhook_deliveries d set epoch = d.epoch + 1, attempts = d.attempts + 1, lease_until = now() + p_lease
    from next, webhooks w
    where ${matches}
    returning d.org_id, d.id, d.webhook_id, d.body, d.epoch, d.attempts, w.url, w.secret,
      case when w.previous_expires_at > ${at} then w.previous_secret end`

/** Serve the dispatcher of webhooks, across organizations. */
export const WEBHOOKS = [
  // Returns the webhooks that have not seen all changes of their organization.
  define(
    "webhooks_behind(p_most int)",
    `returns table (org_id text, id text) ${KEEPS_PLAN} ${BEHIND} $$`,
    `returns table (org_id text, id text) ${overAllShards("volatile", BEHIND)}`,
  ),
  // Sends the events of one thing in order: while the first is pending, the others wait. A failing endpoint gets one request at a
  // time, after the other endpoints. Organizations take turns, the one with the fewest deliveries in flight first.
  define(
    "claim_deliveries(p_lease interval, p_each int, p_most int)",
    `${CLAIMED} ${KEEPS_PLAN}
    begin
    return query with running as (
      select r.org_id, r.webhook_id, count(*) as n from webhook_deliveries r
      where r.state = 'pending' and r.lease_until > now() group by r.org_id, r.webhook_id
    ), claimable as (
      select d.org_id, d.id, w.failing_since, row_number() over (partition by w.org_id order by w.failing_since nulls first)
        + coalesce((select sum(r.n) from running r where r.org_id = w.org_id), 0) as turn
      from webhooks w cross join lateral (${sendable(
        "d.org_id, d.id",
        { w: "w.org_id", d: "d.org_id" },
        "r.org_id = w.org_id and r.webhook_id = w.id",
      )}
      ) d
      where ${IS_ENABLED}
    ), next as (
      select org_id, id from claimable order by failing_since nulls first, turn limit p_most
    )${lease("d.org_id = next.org_id and d.id = next.id and w.org_id = d.org_id and w.id = d.webhook_id", "now()")};
    end $$`,
    `${CLAIMED} ${overAllShards(
      "volatile",
      `declare waiting text[]; visited text; n int := 0; taken int := 0; claimed int; at timestamptz := now();
    begin
      select array_agg(o.org_id order by o.running, o.org_id) into waiting from (
        select d.org_id, count(*) filter (where d.lease_until > now()) as running
        from webhook_deliveries d join webhooks w on w.org_id = d.org_id and w.id = d.webhook_id
        where d.state = 'pending' and ${IS_ENABLED} group by d.org_id having bool_or(${IS_PENDING})
        order by 2, 1 limit ${MAX_VISITED}
      ) o;
      foreach visited in array coalesce(waiting, '{}') loop
        -- What is left, in equal parts.
        return query with running as materialized (
          select r.webhook_id, count(*) as n from webhook_deliveries r
          where r.org_id = visited and r.state = 'pending' and r.lease_until > now() group by r.webhook_id
        ), next as materialized (
          select c.id from webhooks w cross join lateral (${sendable(
            "d.id, d.due_at",
            { w: "visited", d: "visited" },
            "r.webhook_id = w.id",
          )}
          ) c
          where w.org_id = visited and ${IS_ENABLED}
          order by w.failing_since nulls first, c.due_at
          limit ceil((p_most - taken)::float8 / (cardinality(waiting) - n))
        )${lease("d.org_id = visited and d.id = next.id and w.org_id = visited and w.id = d.webhook_id", "at")};
        get diagnostics claimed = row_count;
        taken := taken + claimed;
        n := n + 1;
        exit when taken >= p_most;
      end loop;
    end`,
    )}`,
  ),
  defineQueryOverAllShards(
    "sealed_webhooks(p_after text, p_most int)",
    `returns table (org_id text, id text, secret bytea, previous_secret bytea)
    language sql stable security definer set search_path = sightline, pg_temp as $$
      select w.org_id, w.id, w.secret, w.previous_secret from webhooks w
      where w.id > p_after order by w.id limit p_most $$`,
  ),
]
