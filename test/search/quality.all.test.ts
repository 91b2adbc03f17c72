import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { cranfield, hasRetrievalData, squad } from "../../bench/support/retrieval.ts"
import { layerLexical } from "../../src/core/search/layerLexical.ts"
import { SearchIndex } from "../../src/core/search/SearchIndex.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { needs } from "../support/needs.ts"
import { compared, layerCompared } from "./comparing.ts"
import { qualityOf, workspaceOf } from "./judging.ts"
import { layerOrganizations } from "../support/organizations.ts"

const [, engine] = engines

describe("a part of public sets with human judgements", needs("shared/data/retrieval", hasRetrievalData), () => {
  const words = Layer.mergeAll(layerLexical, layerOrganizations).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provide(engine.database),
  )
  layer(words, { excludeTestServices: true })((it) => {
    it.effect("is found by words: a gate that may only rise", () =>
      Effect.gen(function* () {
        const index = yield* SearchIndex
        const { documents, questions } = cranfield()
        assert.isAtLeast(yield* qualityOf(index, yield* workspaceOf(documents), questions), 0.378)
        const articles = squad()
        const asked = articles.questions.filter((_, n) => n % 20 === 0)
        assert.isAtLeast(yield* qualityOf(index, yield* workspaceOf(articles.documents), asked), 0.87)
      }),
    )
  })

  layer(layerCompared(engine), { excludeTestServices: true })((it) => {
    it.effect("is found hardly worse with a poor model's vectors", () =>
      Effect.gen(function* () {
        const abstracts = cranfield()
        yield* compared("cranfield", abstracts.documents, abstracts.questions)
        const articles = squad()
        const asked = articles.questions.filter((_, n) => n % 40 === 0)
        yield* compared("squad", articles.documents, asked)
      }),
    )
  })
})
