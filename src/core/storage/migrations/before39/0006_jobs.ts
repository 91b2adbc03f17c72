import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Background jobs and their leases. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  // Not forced: a claim reads all organizations, as the tables' owner.
  yield* isolate(sql, ["jobs"], { force: false })
})

const TABLES = [
  `create table jobs (
    org_id text not null references organizations on delete cascade,
    id text not null,
    kind text not null,
    subject text not null,
    state text not null default 'queued' check (state in ('queued', 'running', 'completed', 'failed', 'cancelled')),
    stage text not null default 'queued',
    progress real not null default 0 check (progress between 0 and 1),
    attempts int not null default 0,
    epoch int not null default 0,
    due_at timestamptz(3) not null default now(),
    lease_until timestamptz(3),
    error text,
    created_at timestamptz(3) not null default now(),
    started_at timestamptz(3),
    claimed_at timestamptz,
    ended_at timestamptz(3),
    primary key (org_id, id)
  )`,
  `create index jobs_due on jobs (kind, org_id, due_at, id) where state in ('queued', 'running')`,
  `create index jobs_running on jobs (org_id, kind) where state = 'running'`,
  `create index jobs_claimed on jobs (org_id, kind, claimed_at)`,
  `create index jobs_last_claimed on jobs (kind, claimed_at)`,
  `create index jobs_of_subject on jobs (org_id, subject, created_at)`,
]
