import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Webhooks, the position of each in the feed, and their deliveries. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  // Not forced: the dispatcher reads all organizations, as the tables' owner.
  yield* isolate(sql, ["webhooks", "webhook_deliveries"], { force: false })
})

const TABLES = [
  `create table webhooks (
    org_id text not null references organizations on delete cascade,
    id text not null,
    url text not null,
    description text,
    event_types text[] not null,
    status text not null default 'enabled' check (status in ('enabled', 'paused', 'disabled')),
    notice text,
    secret bytea not null,
    previous_secret bytea,
    previous_expires_at timestamptz(3),
    cursor text not null,
    seen xid8 not null,
    failing_since timestamptz(3),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (org_id, id)
  )`,
  `create index webhooks_enabled on webhooks (org_id, id) where status = 'enabled'`,
  `create table webhook_deliveries (
    org_id text not null,
    id text not null,
    n bigint generated always as identity,
    webhook_id text not null,
    event text not null,
    subject text not null,
    body text not null,
    state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
    attempts int not null default 0,
    epoch int not null default 0,
    due_at timestamptz(3) not null default now(),
    lease_until timestamptz(3),
    response_status int,
    error text,
    created_at timestamptz(3) not null default now(),
    ended_at timestamptz(3),
    primary key (org_id, id),
    foreign key (org_id, webhook_id) references webhooks on delete cascade
  )`,
  `create index webhook_deliveries_log on webhook_deliveries (org_id, webhook_id, n)`,
  `create index webhook_deliveries_due on webhook_deliveries (org_id, webhook_id, due_at, n) where state = 'pending'`,
  `create index webhook_deliveries_of_subject on webhook_deliveries (org_id, webhook_id, subject, n)`,
  `create index webhook_deliveries_leased on webhook_deliveries (org_id, webhook_id, lease_until) where lease_until is not null`,
  `create index webhook_deliveries_ended on webhook_deliveries (ended_at)`,
]
