import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Vectors of passages, where an embedding endpoint is configured. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  // Not forced on their owner: the functions that share the work run as the owner.
  yield* isolate(sql, ["vector_sets", "passage_vectors"], { force: false })
})

const TABLES = [
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
    primary key (passage_id, model),
    foreign key (org_id, model) references vector_sets on delete cascade
  )`,
  // Stored out of line: a search reads all signatures but few vectors. Uncompressed: numbers do not compress.
  `alter table passage_vectors alter column vector set storage external`,
  `create index passage_vectors_by_model on passage_vectors (org_id, model)`,
]
