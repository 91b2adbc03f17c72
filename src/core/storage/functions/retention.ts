import { defineQueryOverAllShards, MAX_VISITED, overAllShards } from "./citus.ts"
import { define } from "./define.ts"

/** Select the rows that are past their retention, by table. */
const KEPT = {
  // Keeps a document's last job, which explains its status. An export's jobs leave with the export.
  jobs: `r.ended_at < now() - p_kept
    and not exists (select from exports e where e.org_id = r.org_id and e.job_id = r.id)
    and (not exists (select from documents d where d.org_id = r.org_id and d.id = r.subject)
      or exists (select from jobs l where l.org_id = r.org_id and l.subject = r.subject and l.created_at > r.created_at))`,
  webhook_deliveries: `r.ended_at < now() - p_kept`,
  idempotent_replies: `r.expires_at < now() - p_kept`,
  import_log: `r.created_at < now() - p_kept`,
  import_pages: `r.created_at < now() - p_kept`,
  import_plans: `r.created_at < now() - p_kept`,
  imports: `r.started_at < now() - p_kept`,
  cited_reports: `r.expires_at < now() - p_kept`,
  figures: `r.expires_at < now() - p_kept`,
  sessions: `r.expires_at < now() - p_kept`,
  grant_secrets: `r.expires_at < now() - p_kept`,
  grants: `r.expires_at < now() - p_kept`,
}

/** Deletes at most `p_most` expired rows, across organizations; on Citus of one after the other. Returns how many it deleted. */
const forgetting = (table: string, past: string) =>
  define(
    `forget_${table}(p_kept interval, p_most int)`,
    `returns int language sql volatile security definer set search_path = sightline, pg_temp as $$
    with gone as (
      delete from ${table} where ctid = any(array(
        select r.ctid from ${table} r where ${past} limit p_most for update of r skip locked))
      returning 1
    )
    select count(*)::int from gone $$`,
    `returns int ${overAllShards(
      "volatile",
      `declare visited text; forgotten int; total int := 0;
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
    end`,
    )}`,
  )

/** Delete what is kept for a limited time. */
export const RETENTION = [
  ...Object.entries(KEPT).map(([table, past]) => forgetting(table, past)),
  // `change_horizons` records, for each organization, the last deletion that its feed has forgotten.
  define(
    "forget_deletions(p_kept interval, p_most int)",
    `returns int language sql volatile security definer set search_path = sightline, pg_temp as $$
    with gone as (
      delete from changes where ctid = any(array(
        select ctid from changes where deleted and changed_at < now() - p_kept
        order by changed_at limit p_most for update skip locked))
      returning org_id, sequence
    ), horizon as (
      insert into change_horizons (org_id, sequence) select org_id, max(sequence) from gone group by org_id
        on conflict (org_id) do update set sequence = greatest(change_horizons.sequence, excluded.sequence)
    )
    select count(*)::int from gone $$`,
    // All of an organization at once, since the horizon rises in a statement of its own. `p_most` ends the call after one.
    `returns int ${overAllShards(
      "volatile",
      `declare visited record; forgotten int; total int := 0; kept_since timestamptz := now() - p_kept;
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
    end`,
    )}`,
  ),
  // Only this function deletes entries, and never before their retention ends.
  forgetting("audit_log", "r.at < now() - greatest(p_kept, interval '400 days')"),
  // Of refused sign-ins, a flood of months keeps the newest.
  define(
    "forget_refused_sign_ins(p_kept interval, p_most int)",
    `returns int language sql volatile security definer set search_path = sightline, pg_temp as $$
    with gone as (
      delete from refused_sign_ins where ctid = any(array(
        select r.ctid from refused_sign_ins r where r.at < greatest(now() - p_kept,
          (select n.at from refused_sign_ins n order by n.at desc offset 100000 limit 1))
        limit p_most for update of r skip locked))
      returning 1
    )
    select count(*)::int from gone $$`,
  ),
  // Returns exports whose file is older than `p_download`, or whose record is older than `p_record` (`whole`). `epoch`: how often the
  // export was started.
  defineQueryOverAllShards(
    "expired_exports(p_download interval, p_record interval, p_most int)",
    `returns table (org_id text, id text, job_id text, epoch int, whole boolean)
    language sql stable security definer set search_path = sightline, pg_temp as $$
      select e.org_id, e.id, e.job_id, j.epoch, e.created_at < now() - p_record
      from exports e join jobs j on j.org_id = e.org_id and j.id = e.job_id
      where e.created_at < now() - p_record or (e.file is not null and e.completed_at < now() - p_download)
      order by e.created_at limit p_most $$`,
  ),
]
