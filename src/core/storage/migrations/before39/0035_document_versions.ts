import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** Versions of a document: which one it replaces and which one replaces it. A replaced one is kept, and not searched once the new one is read. */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [
    `alter table documents add column version int not null default 1, add column replaces text, add column replaced_by text`,
    `create index documents_by_replaces on documents (org_id, replaces) where replaces is not null`,
    `create index documents_by_replaced_by on documents (org_id, replaced_by) where replaced_by is not null`,
  ]),
)
