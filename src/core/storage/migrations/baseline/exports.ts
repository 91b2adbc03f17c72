import { isolate } from "../support.ts"
import { linkIndex } from "./indexed.ts"

/** Bulk exports of deals. The job of an export has its progress. */
export const EXPORTS = [
  `create table exports (
    org_id text not null references organizations on delete cascade,
    id text not null,
    job_id text not null,
    columns jsonb not null,
    filters jsonb not null,
    csv_safe boolean not null,
    file text,
    sha256 text,
    file_size float8,
    row_count int,
    created_at timestamptz(3) not null default now(),
    completed_at timestamptz(3),
    primary key (org_id, id),
    foreign key (org_id, job_id) references jobs
  )`,
  `create index on exports (created_at)`,
  linkIndex("exports"),
  // Not forced: retention deletes expired exports across organizations, as the tables' owner.
  ...isolate(["exports"], { force: false }),
]
