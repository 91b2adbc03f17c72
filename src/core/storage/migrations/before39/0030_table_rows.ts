import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** Which parts of a chunk are rows of tables, and the labels of their columns. Documents that were read before have none until they are read again. */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [`alter table document_chunks add column tables jsonb not null default '[]'`]),
)
