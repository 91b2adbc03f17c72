import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Every import has a row, and for some days the old values of what it changed. */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [
    `create table imports (
      org_id text not null references organizations on delete cascade,
      id text not null,
      created_by text,
      started_at timestamptz(3) not null default now(),
      seen_at timestamptz(3) not null default now(),
      ended_at timestamptz(3),
      complete boolean not null default false,
      counts jsonb not null default '{}',
      undo_refusal text,
      undo_run text,
      undone_at timestamptz(3),
      undone jsonb not null default '{}',
      primary key (org_id, id)
    )`,
    // A row for each batch. `entries` is null once the batch is undone, and `kept` then has the rows that a later change touched.
    `create table import_log (
      org_id text not null references organizations on delete cascade,
      import_id text not null,
      n int not null,
      entries text,
      kept text,
      created_at timestamptz(3) not null default now(),
      primary key (org_id, import_id, n)
    )`,
    // Not forced: retention deletes rows across organizations, as the tables' owner.
    ...isolate(["imports", "import_log"], { force: false }),
  ]),
)
