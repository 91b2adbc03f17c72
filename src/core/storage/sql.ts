import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * Ends an insert of selected rows that neither resolves conflicts nor returns anything. Without it Citus sends the rows by COPY, which
 * row-level security forbids.
 */
export const WITHOUT_COPY = "returning 1"

/**
 * Lets this transaction reuse plans. Sessions replan every statement, which means a plan for each row whose foreign key is checked.
 * Citus passes on `set local` to the worker that checks them, but not `set_config`.
 */
export const reusePlans = (sql: SqlClient) => sql`set local plan_cache_mode = auto`

/** A timestamp as ISO 8601 in UTC with milliseconds and `Z`. */
export const utc = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Selects `columns` of the rows that the statement `write` writes. `returning` itself may hold only immutable functions on Citus. */
export const selectWritten = (sql: SqlClient, columns: Fragment, write: Fragment): Fragment =>
  sql`with written as (${write} returning *) select ${columns} from written`
