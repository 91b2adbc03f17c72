import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** Indexes of `pgvector` over signatures and of `pg_textsearch` over words, on databases that have these extensions. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [...STATISTICS, ...WORDS])
})

const STATISTICS = [
  // `length` gives the planner the number of vectors of a model. Statistics of signatures and vectors are of no use.
  `create statistics passage_vector_lengths on length(signature) from passage_vectors`,
  `alter table passage_vectors alter signature set statistics 0, alter vector set statistics 0`,
]

/** An index is made of this function. */
const WORDS = [
  // Repeats each stem as often as it occurs: the index takes a text, and no column stores one.
  `create function words_of(p_lexemes tsvector) returns text
    language sql immutable parallel safe as $$
    select string_agg(repeat(lexeme || ' ', cardinality(positions)), '') from unnest(p_lexemes) $$`,
]
