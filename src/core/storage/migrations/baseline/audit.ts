import { isolate } from "../support.ts"

/** The audit log. */
export const AUDIT = [
  `create table audit_log (
    org_id text not null references organizations on delete cascade,
    id text not null,
    at timestamptz(3) not null default clock_timestamp(),
    action text not null,
    target text,
    actor jsonb,
    details jsonb,
    request_id text,
    address text,
    primary key (org_id, id)
  )`,
  `create index audit_log_newest on audit_log (org_id, at, id collate "C")`,
  `create index audit_log_at on audit_log (at)`,
  // Append-only: the application inserts and reads, and only `forget_audit_log` deletes, across organizations.
  ...isolate(["audit_log"], { force: false, grant: "select, insert" }),
]
