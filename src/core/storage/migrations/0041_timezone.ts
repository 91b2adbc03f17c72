import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** The time zone of a workspace, in which its days begin and end. The check keeps quotes out of SQL texts. */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [
    "alter table organizations add column timezone text not null default 'UTC'",
    // Citus adds no column together with a check.
    `alter table organizations add constraint organizations_timezone_check
      check (timezone ~ '^[A-Za-z][A-Za-z0-9_+/-]*$')`,
  ]),
)
