import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** A place for the records of an import that wait for the end of their file. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  // Not forced: what a crashed import left is forgotten across organizations, as the table's owner.
  yield* isolate(sql, ["import_pages"], { force: false })
})

const TABLES = [
  // Worth nothing after a crash: the file is imported again.
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
