import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** Identities of an embedding host are keys without a secret. After a revocation, the same identity gets a new row. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [
    `alter table api_keys add column identity text`,
    `create unique index api_keys_by_identity on api_keys (org_id, identity)
      where identity is not null and revoked_at is null`,
  ])
})
