import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** The settings of a workspace. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, SETTINGS)
})

const SETTINGS = [
  `alter table organizations
    add column currency text check (currency ~ '^[A-Z]{3}$'),
    add column fiscal_start int not null default 1 check (fiscal_start between 1 and 12),
    add column our_names text[] not null default '{}',
    add column our_domains text[] not null default '{}'`,
]
