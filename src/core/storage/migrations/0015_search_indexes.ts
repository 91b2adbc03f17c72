import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** Indexes of `pgvector` over signatures and of `pg_textsearch` over words, where whoever runs the database has installed them. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [...STATISTICS, ...WORDS])
})

const STATISTICS = [
  // How many have a vector of a model is told by its length; of signatures and vectors themselves there is nothing to be told.
  `create statistics passage_vector_lengths on length(signature) from passage_vectors`,
  `alter table passage_vectors alter signature set statistics 0, alter vector set statistics 0`,
]

/** An index is made of this function. */
const WORDS = [
  // Stems, each as often as it stands there: the index takes a text, and none is stored for it.
  `create function words_of(p_lexemes tsvector) returns text
    language sql immutable parallel safe as $$
    select string_agg(repeat(lexeme || ' ', cardinality(positions)), '') from unnest(p_lexemes) $$`,
]
