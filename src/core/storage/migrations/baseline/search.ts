import { isolate } from "../support.ts"

/** Passages of documents and deal records, with their words, the organization's counts for BM25, and vectors. */
export const SEARCH = [
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
  `create table stale_deal_records (
    org_id text not null,
    deal_id text not null,
    marked_at timestamptz not null default now(),
    primary key (org_id, deal_id)
  )`,
  // Without a document, the passage is a piece of the deal's record. `n` finds its text in document_chunks or deal_records.
  `create table passages (
    id bigint not null,
    org_id text not null,
    document_id text,
    deal_id text,
    competitor_id text,
    type text check (type in ('asset', 'intel')),
    created_at timestamptz(3) not null,
    n int not null,
    length int not null,
    lexemes tsvector not null,
    primary key (org_id, id),
    foreign key (org_id, document_id) references documents on delete cascade,
    foreign key (org_id, deal_id) references deals on delete cascade
  ) with (toast_tuple_target = 8160)`,
  // Ranking reads the words of many rows: compressed, each read would unpack them.
  `alter table passages alter column lexemes set storage external`,
  `create unique index passages_of_documents on passages (org_id, document_id, n) where document_id is not null`,
  `create index passages_of_deals on passages (org_id, deal_id) where deal_id is not null`,
  `create index passages_by_lexeme on passages using gin (org_id, lexemes) with (fastupdate = off)`,
  `create table passage_terms (
    org_id text not null,
    lexeme text not null,
    passages int not null,
    primary key (org_id, lexeme)
  ) with (fillfactor = 70)`,
  // `last_id` numbers the passages of the organization from 1.
  `create table passage_totals (
    org_id text primary key,
    passages int not null,
    length float8 not null,
    last_id bigint not null default 0
  )`,
  // An organization's vectors by one model. Search uses the set once it was complete; `vectors` is its exact count.
  `create table vector_sets (
    org_id text not null references organizations on delete cascade,
    model text not null,
    dimensions int,
    vectors int not null default 0,
    complete boolean not null default false,
    leased_until timestamptz not null default '-infinity',
    primary key (org_id, model)
  )`,
  // The vector is of unit length, in parts of 32,767: half the size of float4, and read nine times as fast. The signature
  // is the sign of each of its numbers, positive as 1.
  `create table passage_vectors (
    passage_id bigint not null,
    model text not null,
    org_id text not null,
    signature bit varying not null,
    vector smallint[] not null,
    primary key (org_id, passage_id, model),
    foreign key (org_id, model) references vector_sets on delete cascade
  )`,
  // Stored out of line: a search reads all signatures but few vectors. Uncompressed: numbers do not compress. Statistics of both are of
  // no use, but `length` gives the planner the number of vectors of a model.
  `alter table passage_vectors alter signature set statistics 0, alter vector set storage external, alter vector set statistics 0`,
  `create statistics passage_vector_lengths on length(signature) from passage_vectors`,
  `create index passage_vectors_by_model on passage_vectors (org_id, model)`,
  ...isolate(["deal_records"]),
  // Not forced on their owner: the functions that search and that share the work run as the owner.
  ...isolate(["passages", "passage_terms", "passage_totals", "stale_deal_records", "vector_sets", "passage_vectors"], {
    force: false,
  }),
]
