import { KEPT } from "./retention.ts"

/**
 * What the functions do on Citus instead, by name. There a statement over all organizations locks no rows and takes no parameter of a
 * function in SQL. So these find organizations over all shards, and then write in one at a time.
 */

/** Where an operator makes Citus refuse statements over several shards, as the tests do, these still run. */
export const OVER_ALL_SHARDS = `set citus.multi_task_query_log_level = 'off'`

const OWNERS = `security definer set search_path = sightline, pg_temp ${OVER_ALL_SHARDS} as $$
  #variable_conflict use_column`

/** Organizations that one call of a background function visits. */
const MAX_VISITED = 100

/** Deletes at most `p_most` expired rows, of one organization after the other. */
const forgetting = (table: string, past: string) => `returns int language plpgsql volatile ${OWNERS}
  declare visited text; forgotten int; total int := 0;
  begin
    for visited in select r.org_id from ${table} r where ${past} group by r.org_id limit ${MAX_VISITED} loop
      exit when total >= p_most;
      with expired as materialized (
        select r.ctid as place from ${table} r where r.org_id = visited and ${past} limit p_most - total for update of r skip locked
      ), gone as (
        delete from ${table} d using expired e where d.org_id = visited and d.ctid = e.place returning 1
      )
      select count(*)::int into forgotten from gone;
      total := total + forgotten;
    end loop;
    return total;
  end $$`

const IS_DUE = `j.state in ('queued', 'running') and j.due_at <= now() and (j.state = 'queued' or j.lease_until <= now())`
const IS_ENABLED = `w.status = 'enabled' and (w.expires_at is null or w.expires_at > now())`
const IS_PENDING = `d.state = 'pending' and d.due_at <= now() and (d.lease_until is null or d.lease_until <= now())`
const LACKS_VECTORS = `((s.vectors < t.passages or not s.complete) and s.leased_until < now())`

/** Functions in SQL with parameters that Citus plans within PL/pgSQL alone. */
export const IN_PLPGSQL: ReadonlySet<string> = new Set(["deals_named_like", "query_terms", "passages_matching"])

/** On a worker only a superuser may create a function with a parameter of an extension: the connection has not loaded it. */
const PARAMETER = /\s+set (pg_trgm\.\w+) = (\S+)/

export const inPlpgsql = (text: string) => {
  const [, name, value] = PARAMETER.exec(text) ?? []
  const set = name === undefined ? "" : `perform set_config('${name}', '${value}', true);`
  return text
    .replace(PARAMETER, "")
    .replace("language sql", "language plpgsql")
    .replace(
      /\bas \$\$([^]*)\$\$$/,
      (_, query: string) => `as $$\n    #variable_conflict use_column\n    begin ${set} return query ${query}; end $$`,
    )
}

export const ON_CITUS: Readonly<Record<string, string>> = {
  claim_job: `returns table (org_id text, id text, subject text, epoch int, attempts int, traceparent text)
    language plpgsql volatile ${OWNERS}
    declare visited text;
    begin
      perform pg_advisory_xact_lock(hashtextextended('sightline.jobs ' || p_kind, 0));
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
    end $$`,
  longest_wait: `returns float8 language plpgsql stable ${OWNERS}
    declare longest float8;
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
    end $$`,
  service_state: `returns table (metric text, label text, state text, value float8) language plpgsql stable ${OWNERS}
    begin
      return query select 'jobs', j.kind, j.state, count(*)::float8 from jobs j
        where j.state in ('queued', 'running') group by j.kind, j.state;
      return query select 'age', j.kind, '', date_part('epoch', now() - min(j.due_at)) from jobs j
        where j.state = 'queued' and j.due_at <= now() group by j.kind;
      return query select 'documents', d.status, '', count(*)::float8 from documents d group by d.status;
      return query select 'deliveries', '', '', count(*)::float8 from webhook_deliveries w where w.state = 'pending';
    end $$`,
  ...Object.fromEntries(Object.entries(KEPT).map(([table, past]) => [`forget_${table}`, forgetting(table, past)])),
  // All of an organization at once, since the horizon rises in a statement of its own. `p_most` ends the call after one.
  forget_deletions: `returns int language plpgsql volatile ${OWNERS}
    declare visited record; forgotten int; total int := 0; kept_since timestamptz := now() - p_kept;
    begin
      for visited in
        select r.org_id, max(r.sequence) as sequence from changes r where r.deleted and r.changed_at < kept_since
        group by r.org_id limit ${MAX_VISITED}
      loop
        exit when total >= p_most;
        insert into change_horizons as h (org_id, sequence) values (visited.org_id, visited.sequence)
          on conflict (org_id) do update set sequence = greatest(h.sequence, excluded.sequence);
        delete from changes r where r.org_id = visited.org_id and r.deleted and r.changed_at < kept_since
          and r.sequence <= visited.sequence;
        get diagnostics forgotten = row_count;
        total := total + forgotten;
      end loop;
      return total;
    end $$`,
  forget_audit_log: forgetting("audit_log", "r.at < now() - greatest(p_kept, interval '400 days')"),
  expired_exports: `returns table (org_id text, id text, job_id text, epoch int, whole boolean) language plpgsql stable ${OWNERS}
    begin
      return query select e.org_id, e.id, e.job_id, j.epoch, e.created_at < now() - p_record
        from exports e join jobs j on j.org_id = e.org_id and j.id = e.job_id
        where e.created_at < now() - p_record or (e.file is not null and e.completed_at < now() - p_download)
        order by e.created_at limit p_most;
    end $$`,
  // As the caller: the rows that the caller's transaction has written are visible on the caller's connection alone.
  ids_named: `returns table (given text, id text)
    language plpgsql stable set search_path = sightline, public, pg_temp as $$
    begin
      if p_table not in ('deals', 'metrics', 'answers', 'stages', 'owners', 'competitors', 'reasons', 'clients', 'features', 'segments') then
        return;
      end if;
      return query execute format('select n, t.id from unnest($2) n join %I t on t.org_id = $1 and ' || case
        when p_table = 'deals' then 't.name collate "C" = n collate "C"'
        when p_table in ('metrics', 'answers')
          then 'lower(regexp_replace(t.name, ''\\s+'', '''', ''g'')) = lower(regexp_replace(n, ''\\s+'', '''', ''g''))'
        else 'lower(t.name) = lower(n)' end, p_table)
        using p_org, p_names;
    end $$`,
  record_refused_sign_ins: `returns void language plpgsql volatile ${OWNERS}
    begin
      insert into audit_log (org_id, id, action, target, details, request_id, address)
      select k.org_id, 'audit_' || replace(gen_random_uuid()::text, '-', ''), 'sign_in.refused', r.display,
        jsonb_build_object('reason', r.reason, 'attempts', r.attempts), r.request_id, r.address
      from json_to_recordset(p_refused) as r(display text, reason text, attempts int, request_id text, address text)
      join (select distinct a.org_id, a.display from api_keys a) k on k.display = r.display;
    end $$`,
  lease_vectors: `returns table (org_id text) language plpgsql volatile ${OWNERS}
    declare visited text;
    begin
      insert into vector_sets (org_id, model)
        select t.org_id, p_model from passage_totals t
        where t.passages > 0 and not exists (select from vector_sets s where s.org_id = t.org_id and s.model = p_model)
        on conflict do nothing;
      for visited in
        select s.org_id from vector_sets s join passage_totals t on t.org_id = s.org_id
        where s.model = p_model and ${LACKS_VECTORS} order by s.leased_until, s.org_id limit ${MAX_VISITED}
      loop
        return query update vector_sets s set leased_until = now() + make_interval(secs => p_seconds)
          where s.org_id = visited and s.model = p_model and s.leased_until < now() returning s.org_id;
        if found then return; end if;
      end loop;
    end $$`,
  // Extensions index the rows of one organization. On Citus that would need an index on its shard alone.
  tend_search_index: `returns text language sql as $$ select null::text $$`,
  webhooks_behind: `returns table (org_id text, id text) language plpgsql volatile ${OWNERS}
    begin
      return query select w.org_id, w.id from webhooks w join change_feeds f on f.org_id = w.org_id and f.last >= w.seen
        where ${IS_ENABLED} limit p_most;
    end $$`,
  claim_deliveries: `returns table (org_id text, id text, webhook_id text, body text, epoch int, attempts int, url text,
      secret bytea, previous_secret bytea)
    language plpgsql volatile ${OWNERS}
    declare waiting text[]; visited text; n int := 0; taken int := 0; claimed int; at timestamptz := now();
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
          select c.id from webhooks w cross join lateral (
            select d.id, d.due_at from webhook_deliveries d
            where d.org_id = visited and d.webhook_id = w.id and ${IS_PENDING}
              and not exists (
                select from webhook_deliveries e where e.org_id = visited and e.webhook_id = d.webhook_id
                  and e.subject = d.subject and e.state = 'pending' and e.n < d.n)
            order by d.due_at, d.n
            limit greatest(0, case when w.failing_since is null then p_each else 1 end - coalesce((
              select r.n from running r where r.webhook_id = w.id), 0))
            for update of d skip locked
          ) c
          where w.org_id = visited and ${IS_ENABLED}
          order by w.failing_since nulls first, c.due_at
          limit ceil((p_most - taken)::float8 / (cardinality(waiting) - n))
        )
        update webhook_deliveries d set epoch = d.epoch + 1, attempts = d.attempts + 1, lease_until = now() + p_lease
        from next, webhooks w
        where d.org_id = visited and d.id = next.id and w.org_id = visited and w.id = d.webhook_id
        returning d.org_id, d.id, d.webhook_id, d.body, d.epoch, d.attempts, w.url, w.secret,
          case when w.previous_expires_at > at then w.previous_secret end;
        get diagnostics claimed = row_count;
        taken := taken + claimed;
        n := n + 1;
        exit when taken >= p_most;
      end loop;
    end $$`,
  stale_organizations: `returns table (org_id text) language plpgsql stable ${OWNERS}
    begin
      return query select s.org_id from stale_deal_records s group by s.org_id
        having max(s.marked_at) < now() - interval '2 seconds' or min(s.marked_at) < now() - interval '1 minute';
    end $$`,
  sealed_webhooks: `returns table (org_id text, id text, secret bytea, previous_secret bytea) language plpgsql stable ${OWNERS}
    begin
      return query select w.org_id, w.id, w.secret, w.previous_secret from webhooks w
        where w.id > p_after order by w.id limit p_most;
    end $$`,
  due_work: `returns setof text language plpgsql volatile ${OWNERS}
    begin
      return query select j.kind from jobs j where j.kind = any(p_names) and ${IS_DUE} group by j.kind;
      if 'webhooks' = any(p_names) then
        return query select 'webhooks'::text from webhooks_behind(1);
        return query select 'webhooks'::text from (
          select d.org_id from webhooks w join webhook_deliveries d on d.org_id = w.org_id and d.webhook_id = w.id
          where ${IS_ENABLED} and ${IS_PENDING} limit 1) x;
      end if;
      if 'records' = any(p_names) then
        return query select 'records'::text from stale_organizations() limit 1;
      end if;
      if 'vectors' = any(p_names) then
        return query select 'vectors'::text from (
          select t.org_id from passage_totals t left join vector_sets s on s.org_id = t.org_id and s.model = p_model
          where t.passages > 0 and (s.org_id is null or ${LACKS_VECTORS}) limit 1) x;
      end if;
    end $$`,
}
