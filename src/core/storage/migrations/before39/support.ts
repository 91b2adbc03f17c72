import type { SqlClient } from "effect/sql/SqlClient"
import { isolate as isolation, statements } from "../support.ts"

export { EXTENSIONS, statements } from "../support.ts"

/** Runs the statements of row-level security for these tables. */
export const isolate = (sql: SqlClient, ...of: Parameters<typeof isolation>) => statements(sql, isolation(...of))
