import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** The workspace's own words for the scores of win-loss metrics. */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [`alter table organizations add column rubrics jsonb not null default '{}'`]),
)
