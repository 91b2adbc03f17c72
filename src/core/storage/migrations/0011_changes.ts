import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** What changed, in the transaction that changed it: the latest change of each thing, and of things that are gone. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  // Not forced: deletions are forgotten across organizations, as the tables' owner.
  yield* isolate(sql, ["changes", "change_horizons"], { force: false })
  yield* statements(sql, [...RECORDING, ...Object.entries(RECORDED).flatMap(([table, type]) => recorded(table, type))])
  yield* statements(sql, LINKS.flatMap(linked))
  yield* statements(sql, EXPORTS)
  yield* statements(sql, [...FORGETTING, ...RESTORED])
})

const TABLES = [
  `create table changes (
    org_id text not null references organizations on delete cascade,
    type text not null,
    id text not null,
    deleted boolean not null default false,
    xact xid8 not null default pg_current_xact_id(),
    created_xact xid8 not null default pg_current_xact_id(),
    changed_at timestamptz(3) not null default now(),
    primary key (org_id, type, id)
  )`,
  `create index changes_created on changes (org_id, created_xact, type collate "C", id collate "C") where not deleted`,
  `create index changes_since on changes (org_id, xact, type collate "C", id collate "C")
    where deleted or xact <> created_xact`,
  `create index changes_deleted on changes (changed_at) where deleted`,
  // Deletions up to this transaction are forgotten.
  `create table change_horizons (
    org_id text primary key references organizations on delete cascade,
    xact xid8 not null
  )`,
  // A creation is told at its own place, whatever came after it: who reads past the place has been told of the thing.
  `create view creations with (security_invoker = true) as
    select org_id, type, id, 'created' as action, changed_at, created_xact as xact from changes where not deleted`,
  `create view later_changes with (security_invoker = true) as
    select org_id, type, id, case when deleted then 'deleted' else 'updated' end as action, changed_at, xact
    from changes where deleted or xact <> created_xact`,
  `create view feed with (security_invoker = true) as
    select * from creations union all select * from later_changes`,
  `grant select on creations, later_changes, feed to sightline_app`,
]

/** Statement triggers: one write for all that a statement changed. Rows are taken in order, so that no two wait for each other. */
const RECORDING = [
  `create function record_written() returns trigger language plpgsql
    set search_path = sightline, pg_temp set plan_cache_mode = force_generic_plan as $$
  begin
    insert into changes as c (org_id, type, id)
      select w.org_id, tg_argv[0], w.id from written w order by w.org_id, w.id
      on conflict (org_id, type, id) do update set xact = excluded.xact, changed_at = excluded.changed_at, deleted = false,
        created_xact = case when c.deleted then excluded.created_xact else c.created_xact end;
    return null;
  end $$`,
  // An organization that is erased takes its changes along.
  `create function record_deleted() returns trigger language plpgsql
    set search_path = sightline, pg_temp set plan_cache_mode = force_generic_plan as $$
  begin
    insert into changes (org_id, type, id, deleted)
      select w.org_id, tg_argv[0], w.id, true from written w
      where exists (select from organizations o where o.id = w.org_id) order by w.org_id, w.id
      on conflict (org_id, type, id) do update
        set xact = excluded.xact, changed_at = excluded.changed_at, deleted = true;
    return null;
  end $$`,
  // What hangs on a deal is written after it, mostly: then the deal is recorded already.
  `create function record_linked() returns trigger language plpgsql
    set search_path = sightline, pg_temp as $$
  begin
    update changes c set xact = pg_current_xact_id(), changed_at = now()
      from (select distinct org_id, deal_id from written) w
      where c.org_id = w.org_id and c.type = 'deal' and c.id = w.deal_id and not c.deleted
        and c.xact <> pg_current_xact_id();
    return null;
  end $$`,
]

const RECORDED = { deals: "deal", documents: "document", associations: "association" }
const LINKS = ["deal_collaborators", "deal_product_labels", "deal_competitors", "deal_drivers"]

const on = (table: string, event: "insert" | "update" | "delete", call: string) =>
  `create trigger record_${event} after ${event} on ${table}
    referencing ${event === "delete" ? "old" : "new"} table as written for each statement execute function ${call}`

const recorded = (table: string, type: string) => [
  on(table, "insert", `record_written('${type}')`),
  on(table, "update", `record_written('${type}')`),
  on(table, "delete", `record_deleted('${type}')`),
]

const linked = (table: string) =>
  (["insert", "update", "delete"] as const).map((event) => on(table, event, "record_linked()"))

/** How far an export is stands in its job: its end is a change, its progress is none. */
const EXPORTS = [
  on("exports", "insert", `record_written('export')`),
  on("exports", "delete", `record_deleted('export')`),
  `create function record_export_ended() returns trigger language plpgsql
    set search_path = sightline, pg_temp as $$
  begin
    update changes set xact = pg_current_xact_id(), changed_at = now()
      where org_id = new.org_id and type = 'export' and id = new.subject and not deleted;
    return null;
  end $$`,
  `create trigger record_ended after update of state on jobs for each row
    when (new.kind = 'export' and new.state <> old.state and new.state in ('completed', 'failed', 'cancelled'))
    execute function record_export_ended()`,
]

const FORGETTING = [
  `create function forget_deletions(p_kept interval, p_most int) returns int
    language sql volatile security definer set search_path = sightline, pg_temp as $$
    with gone as (
      delete from changes where ctid = any(array(
        select ctid from changes where deleted and changed_at < now() - p_kept
        order by changed_at limit p_most for update skip locked))
      returning org_id, xact
    ), horizon as (
      insert into change_horizons (org_id, xact) select org_id, max(xact) from gone group by org_id
        on conflict (org_id) do update set xact = greatest(change_horizons.xact, excluded.xact)
    )
    select count(*)::int from gone $$`,
  `revoke all on function forget_deletions(interval, int) from public`,
  `grant execute on function forget_deletions(interval, int) to sightline_app`,
]

/**
 * A database that was restored from a dump counts its transactions anew: changes of numbers yet to come would not be seen
 * until then. They become changes of now; a webhook that has come further than that begins anew.
 */
const RESTORED = [
  `create function renumber_restored_changes() returns void
    language plpgsql volatile security definer set search_path = sightline, pg_temp as $$
  declare org text;
  begin
    perform pg_advisory_xact_lock(hashtext('sightline.migrate'));
    for org in select o.id from organizations o
      where greatest((select max(c.xact) from creations c where c.org_id = o.id), (select max(c.xact) from later_changes c where c.org_id = o.id),
        (select h.xact from change_horizons h where h.org_id = o.id)) >= pg_snapshot_xmax(pg_current_snapshot())
    loop
      update changes set xact = pg_current_xact_id(), created_xact = pg_current_xact_id() where org_id = org;
      insert into change_horizons (org_id, xact) values (org, pg_current_xact_id())
        on conflict (org_id) do update set xact = excluded.xact;
    end loop;
    update webhooks set cursor = '', seen = '0' where seen > pg_snapshot_xmax(pg_current_snapshot());
  end $$`,
  `revoke all on function renumber_restored_changes() from public`,
  `grant execute on function renumber_restored_changes() to sightline_app`,
]
