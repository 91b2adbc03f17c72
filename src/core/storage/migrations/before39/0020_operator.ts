import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** Erasures whose files are not removed yet. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, ERASURES)
})

/** Belongs to no organization, because it outlives the one that it names. Removed with the last file. */
const ERASURES = [
  `create table pending_erasures (
    organization text primary key,
    erased_at timestamptz(3) not null default now()
  )`,
  `grant select, insert, delete on pending_erasures to sightline_app`,
]
