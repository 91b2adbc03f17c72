import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/**
 * The feed orders by a sequence of each organization in place of transaction ids, and writers record what they change in place of
 * triggers. Earlier cursors stay valid: their numbers become the first of the sequence.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [...WITHOUT_TRIGGERS, ...SEQUENCES, ...VIEWS])
  // Not forced: the dispatcher of webhooks reads all organizations, as the tables' owner.
  yield* isolate(sql, ["change_feeds"], { force: false })
})

/** The triggers of databases that an earlier release made, and the functions that they ran. */
const WITHOUT_TRIGGERS = [
  `do $$ declare former record; begin
    for former in
      select p.oid::regprocedure as name from pg_proc p
      where p.pronamespace = 'sightline'::regnamespace and p.prorettype = 'trigger'::regtype
        and p.proname ~ '^(record_(written|deleted|linked|export_ended|renamed_\\w+)|mark_\\w+|deals_changed)$'
    loop
      execute format('drop function %s cascade', former.name);
    end loop;
  end $$`,
  `drop function if exists renumber_restored_changes()`,
  `drop sequence if exists deals_revision`,
  // They read `xact` of the feed. Their current text is in functions/.
  `drop function if exists webhooks_behind(int)`,
  `drop function if exists forget_deletions(interval, int)`,
]

const renumbered = (table: string, column: string, name: string) => [
  `alter table ${table} alter column ${column} drop default`,
  `alter table ${table} alter column ${column} type bigint using ${column}::text::bigint`,
  `alter table ${table} rename column ${column} to ${name}`,
]

const SEQUENCES = [
  `drop view feed, creations, later_changes`,
  `drop index changes_created, changes_since`,
  ...renumbered("changes", "xact", "sequence"),
  ...renumbered("changes", "created_xact", "created_sequence"),
  ...renumbered("change_horizons", "xact", "sequence"),
  `alter table webhooks alter column seen type bigint using seen::text::bigint`,
  `create index changes_created on changes (org_id, created_sequence, type collate "C", id collate "C") where not deleted`,
  `create index changes_since on changes (org_id, sequence, type collate "C", id collate "C")
    where deleted or sequence <> created_sequence`,
  // One narrow row an organization, updated in place (HOT) by every transaction that writes.
  `create table change_feeds (
    org_id text primary key references organizations on delete cascade,
    last bigint not null
  ) with (fillfactor = 20)`,
  // Every earlier transaction has a lower number; a restored dump may have higher ones.
  `insert into change_feeds (org_id, last)
    select o.id, greatest(pg_current_xact_id()::text::bigint,
      (select max(c.sequence) from changes c where c.org_id = o.id),
      (select max(h.sequence) from change_horizons h where h.org_id = o.id))
    from organizations o`,
]

const VIEWS = [
  // A creation keeps its position, whatever changes later, so a reader past that position knows the object.
  `create view creations with (security_invoker = true) as
    select org_id, type, id, 'created' as action, changed_at, created_sequence as sequence from changes where not deleted`,
  `create view later_changes with (security_invoker = true) as
    select org_id, type, id, case when deleted then 'deleted' else 'updated' end as action, changed_at, sequence
    from changes where deleted or sequence <> created_sequence`,
  `grant select on creations, later_changes to sightline_app`,
]
