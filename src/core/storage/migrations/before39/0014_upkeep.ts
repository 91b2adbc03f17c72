import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** An index for the deletion of old jobs. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [`create index jobs_ended on jobs (ended_at)`])
})
