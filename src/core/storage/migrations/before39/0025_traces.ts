import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** A job continues the trace of the request that enqueued it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [
    `alter table jobs add column traceparent text check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$')`,
  ])
})
