import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** Warnings belong to the document, which the API shows, and have a code. */
export default Effect.flatMap(SqlClient, (sql) => statements(sql, MOVE))

const CODE = `case
  when message like 'Pages that could not be read%' then 'pages_unreadable'
  when message like 'The sheet %' then 'sheet_hidden'
  when message like 'transcribed by %' then 'transcript_rough'
  else 'encoding_guessed' end`

const MOVE = [
  `alter table documents add column warnings jsonb not null default '[]'`,
  // The policy of document texts also binds their owner. The migration changes no document, so it records no change.
  `alter table document_texts no force row level security`,
  `alter table documents disable trigger user`,
  `update documents d set warnings = (
      select jsonb_agg(jsonb_build_object('code', ${CODE}, 'message', message) order by n)
      from jsonb_array_elements_text(t.warnings) with ordinality w(message, n))
    from document_texts t
    where t.org_id = d.org_id and t.document_id = d.id and t.warnings <> '[]'`,
  `alter table documents enable trigger user`,
  `alter table document_texts force row level security`,
  `alter table document_texts drop column warnings`,
]
