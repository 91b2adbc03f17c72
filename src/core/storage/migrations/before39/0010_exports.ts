import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Bulk exports of deals. The job of an export has its progress. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  // Not forced: retention deletes expired exports across organizations, as the tables' owner.
  yield* isolate(sql, ["exports"], { force: false })
})

const TABLES = [
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
]
