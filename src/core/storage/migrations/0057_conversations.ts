import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Questions with their answers, kept for those who ask for it. `key_id` has no foreign key: on Citus, keys are on another server. */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [
    `create table conversations (
      org_id text not null references organizations on delete cascade,
      id text not null,
      key_id text not null,
      title text not null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (org_id, id)
    )`,
    `create index conversations_of_key on conversations (org_id, key_id, updated_at desc, id)`,
    `create table conversation_turns (
      org_id text not null,
      conversation_id text not null,
      number int not null,
      question text not null,
      answer text not null,
      style text not null check (style in ('links', 'marks')),
      citations jsonb not null,
      asked_at timestamptz(3) not null default now(),
      primary key (org_id, conversation_id, number),
      foreign key (org_id, conversation_id) references conversations on delete cascade
    )`,
    ...isolate(["conversations", "conversation_turns"]),
  ]),
)
