import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** Measures read these: the probability of a stage, the types of renewals, and the category of reasons that are no decision. */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [
    "alter table stages add column probability double precision",
    // Citus adds no column together with a check.
    "alter table stages add constraint stages_probability_check check (probability between 0 and 1)",
    `alter table organizations
      add column renewal_types text[] not null default '{Renewal}',
      add column no_decision text`,
  ]),
)
