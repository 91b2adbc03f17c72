import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** Reports and filters of stage changes in a period read this index. */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [
    `create index deal_stage_changes_by_time on deal_stage_changes (org_id, changed_at) include (deal_id, status_id, previous_status_id)`,
  ]),
)
