import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** The questions behind custom metrics and answers, which analyses answer for the deals that match `filters`; and when analyses run. */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [
    ...["metrics", "answers"].flatMap((table) => [
      `alter table ${table} add column question text`,
      `alter table ${table} add column filters jsonb not null default '{}'`,
    ]),
    // Citus adds no column together with a check.
    `alter table answers add column form text`,
    `alter table answers add column options text[] not null default '{}'`,
    `alter table answers add constraint answers_form_check check (form in ('boolean', 'sentence', 'paragraph', 'option'))`,
    `alter table analysis_calls drop constraint analysis_calls_purpose_check`,
    `alter table analysis_calls add constraint analysis_calls_purpose_check check (purpose in ('find', 'write', 'score', 'answer'))`,
    `alter table organizations add column analysis text not null default 'manual'`,
    `alter table organizations add constraint organizations_analysis_check check (analysis in ('manual', 'automatic'))`,
  ]),
)
