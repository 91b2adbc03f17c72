import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Plans of imports, which dry runs make. */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [
    `create table import_plans (
      org_id text not null references organizations on delete cascade,
      id text not null,
      body text not null check (octet_length(body) <= 262144),
      created_at timestamptz not null default now(),
      primary key (org_id, id)
    )`,
    `create index on import_plans (org_id, created_at)`,
    // Not forced: retention deletes old ones across organizations, as the table's owner.
    ...isolate(["import_plans"], { force: false }),
  ]),
)
