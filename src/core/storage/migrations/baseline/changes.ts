import { isolate } from "../support.ts"

/** The latest change of each object, deleted ones included. The transaction that changes an object writes it. */
export const CHANGES = [
  // One narrow row an organization, updated in place (HOT) by every transaction that writes.
  `create table change_feeds (
    org_id text primary key references organizations on delete cascade,
    last bigint not null
  ) with (fillfactor = 20)`,
  `create table changes (
    org_id text not null references organizations on delete cascade,
    type text not null,
    id text not null,
    deleted boolean not null default false,
    sequence bigint not null,
    created_sequence bigint not null,
    changed_at timestamptz(3) not null default now(),
    primary key (org_id, type, id)
  )`,
  `create index changes_created on changes (org_id, created_sequence, type collate "C", id collate "C") where not deleted`,
  `create index changes_since on changes (org_id, sequence, type collate "C", id collate "C")
    where deleted or sequence <> created_sequence`,
  `create index changes_deleted on changes (changed_at) where deleted`,
  // Deletions up to this number are removed.
  `create table change_horizons (
    org_id text primary key references organizations on delete cascade,
    sequence bigint not null
  )`,
  // A creation keeps its position, whatever changes later, so a reader past that position knows the object.
  `create view creations with (security_invoker = true) as
    select org_id, type, id, 'created' as action, changed_at, created_sequence as sequence from changes where not deleted`,
  `create view later_changes with (security_invoker = true) as
    select org_id, type, id, case when deleted then 'deleted' else 'updated' end as action, changed_at, sequence
    from changes where deleted or sequence <> created_sequence`,
  `grant select on creations, later_changes to sightline_app`,
  // Not forced: retention removes old deletions and the dispatcher of webhooks reads, across organizations, as the tables' owner.
  ...isolate(["change_feeds", "changes", "change_horizons"], { force: false }),
]
