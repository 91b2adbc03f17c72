import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { EXTENSIONS, statements } from "./support.ts"

/** Moves the extensions out of the own schema, so that another Sightline can share the database. */
export default Effect.flatMap(SqlClient, (sql) => statements(sql, [EXTENSIONS]))
