import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Findings of a deal's documents, their reviews, and the aliases of competitors, features and reasons. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [...ALIASES, ...TABLES])
  yield* isolate(sql, ["deal_analyses", "findings"])
})

const ALIASES = ["competitors", "features", "reasons"].map(
  (table) => `alter table ${table} add column aliases text[] not null default '{}'`,
)

const TABLES = [
  `create table deal_analyses (
    org_id text not null,
    deal_id text not null,
    run_id text not null,
    state text not null check (state in ('queued', 'running', 'ready', 'failed')),
    method text,
    version text,
    inputs text,
    conversation jsonb,
    omitted int not null default 0,
    failure_reason text,
    queued_at timestamptz(3) not null default now(),
    finished_at timestamptz(3),
    verified_at timestamptz(3),
    primary key (org_id, deal_id),
    foreign key (org_id, deal_id) references deals on delete cascade
  )`,
  `create index deal_analyses_of_run on deal_analyses (org_id, run_id, deal_id) where state in ('queued', 'running')`,
  // Offsets are in UTF-16 units of the document's text. `published` names what an acceptance wrote to the deal.
  `create table findings (
    org_id text not null,
    id text not null,
    deal_id text not null,
    document_id text not null,
    kind text not null check (kind in ('driver', 'feature', 'competitor', 'quote', 'metric', 'answer')),
    target_id text,
    target_name text not null,
    effect text check (effect in ('positive', 'negative', 'neutral')),
    side text not null check (side in ('buyer', 'seller', 'unknown')),
    speaker text,
    quote text not null,
    start_at int not null,
    end_at int not null,
    start_second float8,
    state text not null default 'proposed' check (state in ('proposed', 'accepted', 'rejected')),
    method text not null,
    version text not null,
    found_target_id text,
    found_effect text,
    published text,
    judged_by text,
    judged_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    primary key (org_id, id),
    foreign key (org_id, deal_id) references deals on delete cascade,
    foreign key (org_id, document_id) references documents on delete cascade
  )`,
  `create index findings_of_deal on findings (org_id, deal_id, state)`,
  `create index findings_of_document on findings (org_id, document_id)`,
]
