import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Passages of documents and deal records, with their words and the organization's counts for BM25. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [...TABLES, ...INDEXES])
  yield* isolate(sql, ["deal_records"])
  // Not forced on their owner: the functions that search run as the owner.
  yield* isolate(sql, ["passages", "passage_terms", "passage_totals", "stale_deal_records"], { force: false })
})

const TABLES = [
  // A deal's record as it was last rendered. Offsets of headings and chunks are in UTF-16 units of `body`.
  `create table deal_records (
    org_id text not null,
    deal_id text not null,
    body text not null,
    headings jsonb not null,
    chunks jsonb not null,
    primary key (org_id, deal_id),
    foreign key (org_id, deal_id) references deals on delete cascade
  )`,
  // Without a document, the passage is a piece of the deal's record. `n` finds its text in document_chunks or deal_records.
  `create table passages (
    id bigint generated always as identity primary key,
    org_id text not null,
    document_id text,
    deal_id text,
    competitor_id text,
    type text check (type in ('asset', 'intel')),
    created_at timestamptz(3) not null,
    n int not null,
    length int not null,
    lexemes tsvector not null,
    foreign key (org_id, document_id) references documents on delete cascade,
    foreign key (org_id, deal_id) references deals on delete cascade
  )`,
  // Ranking reads the words of many rows: compressed, each read would unpack them.
  `alter table passages alter column lexemes set storage external`,
  `alter table passages set (toast_tuple_target = 8160)`,
  `create table passage_terms (
    org_id text not null,
    lexeme text not null,
    passages int not null,
    primary key (org_id, lexeme)
  ) with (fillfactor = 70)`,
  `create table passage_totals (
    org_id text primary key,
    passages int not null,
    length float8 not null
  )`,
  `create table stale_deal_records (
    org_id text not null,
    deal_id text not null,
    marked_at timestamptz not null default now(),
    primary key (org_id, deal_id)
  )`,
]

const INDEXES = [
  `create unique index passages_of_documents on passages (org_id, document_id, n) where document_id is not null`,
  `create index passages_of_deals on passages (org_id, deal_id) where deal_id is not null`,
  `create index passages_by_lexeme on passages using gin (org_id, lexemes) with (fastupdate = off)`,
]
