import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** The audit log, and the lineage of keys and webhooks. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  yield* isolate(sql, ["audit_log"], { force: false })
  yield* statements(sql, [...APPEND_ONLY, ...ERASURES, ...LINEAGE])
})

const TABLES = [
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
]

/** The application inserts and reads. Only `forget_audit_log` deletes entries. */
const APPEND_ONLY = [`revoke update, delete on audit_log from sightline_app`]

/** Records that an organization was erased, and when. A look-up needs the organization's id. */
const ERASURES = [
  `create table erasures (organization_hash bytea not null, at timestamptz(3) not null default clock_timestamp())`,
  `grant select on erasures to sightline_app`,
]

const LINEAGE = [
  `alter table api_keys add column created_by text`,
  `create index api_keys_of on api_keys (org_id, created_by)`,
  `create index api_keys_display on api_keys (display)`,
  `alter table webhooks add column created_by text, add column expires_at timestamptz(3)`,
]
