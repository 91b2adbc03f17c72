import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** The mail to which a document was attached. Deleting the mail deletes it, by the code that also removes its file. */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [
    `alter table documents add column parent_id text`,
    `create index documents_by_parent on documents (org_id, parent_id) where parent_id is not null`,
  ]),
)
