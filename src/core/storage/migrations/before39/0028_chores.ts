import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** When a process last began each periodic work, so that of several processes one does it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [
    `create table chores (name text primary key, ran_at timestamptz not null default now())`,
    `grant select, insert, update on chores to sightline_app`,
  ])
})
