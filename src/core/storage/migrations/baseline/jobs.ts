import { isolate } from "../support.ts"

/** Background jobs and their leases, and when periodic work last ran. */
export const JOBS = [
  // `traceparent` continues the trace of the request that enqueued the job.
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
    traceparent text check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$'),
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
  `create index jobs_ended on jobs (ended_at)`,
  // Not forced: a claim reads all organizations, as the tables' owner.
  ...isolate(["jobs"], { force: false }),

  // When a process last began each periodic work, so that of several processes one does it.
  `create table chores (name text primary key, ran_at timestamptz not null default now())`,
  `grant select, insert, update on chores to sightline_app`,
]
