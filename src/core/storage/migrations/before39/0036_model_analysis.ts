import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Replies of a language model about deals, and the values that an analysis by one wrote. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [
    // Each answer by the hash of its question: the next run and a worker that takes over do not ask again.
    `create table analysis_calls (
      org_id text not null,
      deal_id text not null,
      key text not null,
      document_id text,
      purpose text not null check (purpose in ('find', 'write', 'score')),
      answer jsonb not null,
      input_tokens int not null,
      output_tokens int not null,
      created_at timestamptz(3) not null default now(),
      primary key (org_id, deal_id, key),
      foreign key (org_id, deal_id) references deals on delete cascade,
      foreign key (org_id, document_id) references documents on delete cascade
    )`,
    `create index analysis_calls_of_document on analysis_calls (org_id, document_id) where document_id is not null`,
    // \`published\` is what the last run wrote to the deal's columns: what differs from it there is a person's.
    `alter table deal_analyses add column written jsonb, add column published jsonb,
      add column input_tokens bigint not null default 0, add column output_tokens bigint not null default 0`,
  ])
  yield* isolate(sql, ["analysis_calls"])
})
