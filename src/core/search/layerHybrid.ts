import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Embedder } from "../ports/Embedder.ts"
import { Database } from "../storage/Database.ts"
import { keywords } from "./keywords.ts"
import { type ResultRow, resultOf } from "./layerLexical.ts"
import { SearchIndex } from "./SearchIndex.ts"
import { search } from "./sql.ts"
import { type Nearby, stored } from "./vectorSql.ts"

/** What a question's vector is worth waiting for. */
const PATIENCE = "1500 millis"
/** Milliseconds without another try after one that failed. */
const REST = 10_000
/** Of a question, in UTF-16 units: models take no more than so much of a text. */
const LONGEST = 2000

/** By words and by vectors. Where there are no vectors, or none of the question, by words alone. */
export const layerHybrid = Layer.effect(
  SearchIndex,
  Effect.gen(function* () {
    const database = yield* Database
    const { sql } = database
    const embedder = yield* Embedder
    const resting = new Map<string, number>()

    const vectorOf = Effect.fnUntraced(function* (model: string, text: string) {
      if ((yield* Clock.currentTimeMillis) < (resting.get(model) ?? 0)) return undefined
      const asked = Effect.timeout(embedder.embed(model, [text.slice(0, LONGEST).toWellFormed()]), PATIENCE)
      return yield* Effect.matchEffect(asked, {
        onSuccess: ([vector = []]) => Effect.succeed(stored(vector)),
        onFailure: (error) =>
          Effect.gen(function* () {
            // What refuses one question may take the next.
            if (error._tag !== "EmbeddingFailed") resting.set(model, (yield* Clock.currentTimeMillis) + REST)
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
      const vector = yield* vectorOf(serving.model, text)
      if (vector?.dimensions !== serving.dimensions) return undefined
      return { ...vector, model: serving.model, indexed: serving.indexed ? org : undefined } satisfies Nearby
    })

    return SearchIndex.of({
      search: Effect.fn("SearchIndex.search")(function* (org, query) {
        const near = yield* nearby(org, query.text)
        const asked = { ...query, text: keywords(query.text) }
        const [row] = yield* database.scoped<ResultRow>(org, search(sql, asked, near))
        return resultOf(row)
      }),
    })
  }),
)
