import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** The costs of the runs of analyses, and how much they may cost in a month. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [
    // A run that lasts beyond the end of a month has a row for each.
    `create table analysis_spending (
      org_id text not null references organizations on delete cascade,
      month date not null,
      run_id text not null,
      input_tokens bigint not null,
      output_tokens bigint not null,
      primary key (org_id, month, run_id)
    )`,
    `create index analysis_spending_of_run on analysis_spending (org_id, run_id)`,
    `alter table organizations add column analysis_budget int check (analysis_budget >= 0)`,
  ])
  yield* isolate(sql, ["analysis_spending"])
})
