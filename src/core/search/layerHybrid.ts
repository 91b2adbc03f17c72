import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Embedder } from "../ports/Embedder.ts"
import { Database } from "../storage/Database.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import { inInstants } from "./inInstants.ts"
import { selectKeywords } from "./keywords.ts"
import { type ResultRow, resultOf } from "./layerLexical.ts"
import { SearchIndex } from "./SearchIndex.ts"
import { search } from "./sql.ts"
import { encodeVector, type Nearby } from "./vectorSql.ts"

/** The wait for the vector of a question. */
const EMBEDDING_TIMEOUT_MS = 1500
/** The pause after a failure. */
const RETRY_INTERVAL_MS = 10_000
/** In UTF-16 units: embedding models limit the length of a text. */
const MAX_QUESTION_LENGTH = 2000

/** Searches by words and by vectors; by words alone if the workspace or the question has no vectors. */
export const layerHybrid = Layer.effect(
  SearchIndex,
  Effect.gen(function* () {
    const database = yield* Database
    const { sql } = database
    const embedder = yield* Embedder
    const pausedUntil = new Map<string, number>()

    const embedQuestion = Effect.fnUntraced(function* (model: string, text: string) {
      if ((yield* Clock.currentTimeMillis) < (pausedUntil.get(model) ?? 0)) return undefined
      const vector = Effect.timeout(
        embedder.embed(model, [text.slice(0, MAX_QUESTION_LENGTH).toWellFormed()]),
        EMBEDDING_TIMEOUT_MS,
      )
      return yield* Effect.matchEffect(vector, {
        onSuccess: ([vector = []]) => Effect.succeed(encodeVector(vector)),
        onFailure: (error) =>
          Effect.gen(function* () {
            // An endpoint that rejects one question can accept the next.
            if (error._tag !== "EmbeddingFailed")
              pausedUntil.set(model, (yield* Clock.currentTimeMillis) + RETRY_INTERVAL_MS)
            yield* Effect.logWarning("could not embed a question; searched by words only", error)
            return undefined
          }),
      })
    })

    const nearby = Effect.fnUntraced(function* (org: string, text: string) {
      const [serving] = yield* database.scoped<{ model: string; dimensions: number | null; indexed: boolean }>(
        org,
        sql`select model, dimensions, to_regclass(vector_index_name(org_id, model, dimensions)) is not null as indexed
          from vector_sets where org_id = scope.org and complete
          order by (model = ${embedder.model}) desc limit 1`,
      )
      if (serving === undefined || text.trim() === "") return undefined
      const vector = yield* embedQuestion(serving.model, text)
      if (vector?.dimensions !== serving.dimensions) return undefined
      return { ...vector, model: serving.model, indexed: serving.indexed ? org : undefined } satisfies Nearby
    })

    return SearchIndex.of({
      search: Effect.fn("SearchIndex.search")(function* (org, query) {
        const near = yield* nearby(org, query.text)
        const within = yield* Effect.provideService(inInstants(org, query), Database, database)
        const lexical = { ...within, text: selectKeywords(query.text) }
        const [row] = yield* database.scoped<ResultRow>(org, search(sql, lexical, near))
        return resultOf(row)
      }),
    })
  }).pipe(inOrganization),
)
