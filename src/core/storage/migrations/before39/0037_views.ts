import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Saved filters, columns and reports, and boards of reports. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  yield* isolate(sql, ["boards", "views"])
})

// `key_id` names the key or identity that made it; keys are elsewhere on Citus, so no foreign key holds it.
const TABLES = [
  `create table boards (
    org_id text not null references organizations on delete cascade,
    id text not null,
    key_id text not null,
    name text not null,
    is_shared boolean not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (org_id, id)
  )`,
  `create table views (
    org_id text not null references organizations on delete cascade,
    id text not null,
    key_id text not null,
    name text not null,
    is_shared boolean not null,
    board_id text,
    filters jsonb not null,
    columns text[],
    sort text,
    sort_order text,
    report jsonb,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (org_id, id),
    foreign key (org_id, board_id) references boards on delete cascade
  )`,
  `create index views_of_board on views (org_id, board_id) where board_id is not null`,
]
