import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** An export has a format with options, and says what a spreadsheet does not show of its file. */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [
    `alter table exports
      add column options jsonb not null default '{}',
      add column warnings jsonb not null default '[]'`,
  ]),
)
