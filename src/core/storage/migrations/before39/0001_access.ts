import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Organizations, their plans and keys, what they have spent, and the replies kept for Idempotency-Key. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  yield* isolate(sql, ["organizations"], { column: "id", force: false })
  yield* isolate(sql, ["api_keys", "organization_usage", "api_key_usage", "idempotent_replies"], { force: false })
  yield* statements(sql, ADMISSION)
})

const TABLES = [
  `create table plans (
    name text primary key,
    requests_per_minute int not null,
    requests_per_key_minute int not null,
    requests_per_month int not null,
    exports_per_month int not null
  )`,
  `insert into plans values
    ('essentials', 10, 5, 10000, 50),
    ('growth', 60, 20, 30000, 200),
    ('enterprise', 300, 100, 100000, 1000)`,
  `grant select on plans to sightline_app`,
  `create table organizations (
    id text primary key,
    name text not null,
    plan text not null references plans,
    created_at timestamptz(3) not null default now()
  )`,
  `create table api_keys (
    org_id text not null references organizations on delete cascade,
    id text not null,
    name text not null,
    role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
    permissions text[],
    display text not null,
    hash bytea not null unique,
    previous_hash bytea unique,
    previous_expires_at timestamptz(3),
    requests_per_minute int check (requests_per_minute > 0),
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    primary key (org_id, id)
  )`,
  // One narrow row an organization and one a key: every admission updates both, in place (HOT).
  `create table organization_usage (
    org_id text primary key references organizations on delete cascade,
    minute bigint not null default 0,
    minute_used int not null default 0,
    month int not null default 0,
    month_used int not null default 0,
    exports_used int not null default 0
  ) with (fillfactor = 20)`,
  `create table api_key_usage (
    org_id text not null,
    key_id text not null,
    minute bigint not null default 0,
    minute_used int not null default 0,
    month int not null default 0,
    month_used int not null default 0,
    primary key (org_id, key_id),
    foreign key (org_id, key_id) references api_keys on delete cascade
  ) with (fillfactor = 20)`,
  `create table idempotent_replies (
    org_id text not null references organizations on delete cascade,
    key text not null,
    fingerprint text not null,
    epoch int not null default 1,
    locked_until timestamptz(3) not null,
    status int,
    headers jsonb,
    body bytea,
    expires_at timestamptz(3) not null,
    primary key (org_id, key)
  )`,
  `create index on idempotent_replies (expires_at)`,
]

/** The result of `admit`. */
const ADMISSION = [
  `create type admission as (
    outcome text, org_id text, key_id text, role text, permissions text[],
    scope text, "limit" int, remaining int, reset_at float8, retry_after_ms float8
  )`,
]
