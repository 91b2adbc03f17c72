import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Records of an import that wait for the end of their file. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  // Not forced: retention deletes the leftovers of crashed imports across organizations, as the table's owner.
  yield* isolate(sql, ["import_pages"], { force: false })
})

const TABLES = [
  // Unlogged: after a crash, the caller imports the file again.
  `create unlogged table import_pages (
    org_id text not null references organizations on delete cascade,
    run_id text not null,
    type text not null,
    n int not null,
    body text not null,
    created_at timestamptz(3) not null default now(),
    primary key (org_id, run_id, type, n)
  )`,
  `alter table import_pages alter column body set storage external`,
]
