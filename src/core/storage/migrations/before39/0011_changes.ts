import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** The latest change of each object, deleted ones included. The transaction that changes an object writes it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  // Not forced: retention removes old deletions across organizations, as the tables' owner.
  yield* isolate(sql, ["changes", "change_horizons"], { force: false })
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
  // Deletions up to this transaction are removed.
  `create table change_horizons (
    org_id text primary key references organizations on delete cascade,
    xact xid8 not null
  )`,
  // A creation keeps its position in the feed, whatever changes later, so a reader past that position knows the object.
  `create view creations with (security_invoker = true) as
    select org_id, type, id, 'created' as action, changed_at, created_xact as xact from changes where not deleted`,
  `create view later_changes with (security_invoker = true) as
    select org_id, type, id, case when deleted then 'deleted' else 'updated' end as action, changed_at, xact
    from changes where deleted or xact <> created_xact`,
  `create view feed with (security_invoker = true) as
    select * from creations union all select * from later_changes`,
  `grant select on creations, later_changes, feed to sightline_app`,
]
