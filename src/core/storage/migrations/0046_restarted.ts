import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** `admit` says that the window of a wrong clock starts anew, for the log. */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [`alter type admission add attribute restarted boolean`]),
)
