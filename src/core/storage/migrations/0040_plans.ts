import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** A limit of a plan may be null: no limit. Identities of an embedding host have a window of their own. */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [
    `alter table plans
      alter column requests_per_minute drop not null,
      alter column requests_per_key_minute drop not null,
      alter column requests_per_month drop not null,
      alter column exports_per_month drop not null`,
    `alter table organization_usage
      add column identities_minute bigint not null default 0,
      add column identities_used int not null default 0`,
  ]),
)
