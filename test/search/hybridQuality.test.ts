import { assert, describe, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { cranfield, hasRetrievalData, type Judged, nDcg, squad } from "../../bench/support/retrieval.ts"
import { compose } from "../../src/core/answers/extractive/compose.ts"
import { Embedder } from "../../src/core/ports/Embedder.ts"
import { Embeddings } from "../../src/core/search/Embeddings.ts"
import { layerHybrid } from "../../src/core/search/layerHybrid.ts"
import { layerLexical } from "../../src/core/search/layerLexical.ts"
import { SearchIndex } from "../../src/core/search/SearchIndex.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/workspace/Organizations.ts"
import { addDocuments, type Source } from "../support/addDocuments.ts"
import { engines } from "../support/engines.ts"
import { embedded } from "./embeddingServer.ts"
import { HANDBOOK, QUESTIONS, UNANSWERABLE } from "./handbook.ts"

class Lexical extends Context.Service<Lexical, SearchIndex["Service"]>()("test/Lexical") {}

/** What a poor model may cost. */
const TOLERANCE = 0.015

const workspaceOf = Effect.fnUntraced(function* (documents: ReadonlyArray<Source>) {
  const { id } = yield* (yield* Organizations).create({ name: "Quality", plan: "growth" })
  yield* addDocuments(id, documents)
  yield* (yield* Embeddings).refresh(id)
  return id
})

const quality = (index: SearchIndex["Service"], org: string, questions: ReadonlyArray<Judged>) =>
  Effect.map(
    Effect.forEach(questions, ({ question, grades }) =>
      Effect.map(index.search(org, { text: question, limit: 10 }), ({ passages }) =>
        nDcg(
          passages.map(({ id, n }) => `${id}#${n}`),
          grades,
        ),
      ),
    ),
    (gains) => gains.reduce((sum, gain) => sum + gain, 0) / gains.length,
  )

const compared = Effect.fnUntraced(function* (
  name: string,
  documents: ReadonlyArray<Source>,
  questions: ReadonlyArray<Judged>,
) {
  const org = yield* workspaceOf(documents)
  const words = yield* quality(yield* Lexical, org, questions)
  const both = yield* quality(yield* SearchIndex, org, questions)
  assert.isAtLeast(both, words - TOLERANCE, `${name}: ${both.toFixed(3)}, by words alone ${words.toFixed(3)}`)
  return org
})

const judgedHandbook: ReadonlyArray<Judged> = QUESTIONS.map(({ question, answer }) => ({
  question,
  grades: new Map(
    HANDBOOK.flatMap(({ name, chunks }) =>
      chunks.flatMap((chunk, n) => (chunk.includes(answer) ? [[`${name}#${n}`, 1] as const] : [])),
    ),
  ),
}))

const layerWeak = Layer.succeed(Embedder, {
  model: "weak",
  embed: (_, texts) => Effect.sync(() => texts.map((text) => embedded(text))),
})

for (const engine of engines) {
  const services = Layer.mergeAll(
    layerHybrid,
    Embeddings.layer,
    Organizations.layer,
    Layer.effect(Lexical, SearchIndex).pipe(Layer.provide(layerLexical)),
  ).pipe(Layer.provide(layerWeak), Layer.provideMerge(Database.layer), Layer.provide(engine.database))
  describe(`a poor model's vectors on ${engine.name} cost little`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      it.effect("our own handbook: finds, answers and refuses as well as words alone", () =>
        Effect.gen(function* () {
          const org = yield* compared("handbook", HANDBOOK, judgedHandbook)
          const index = yield* SearchIndex
          const quoted = Effect.fnUntraced(function* (question: string) {
            const [quote] = compose(question, yield* index.search(org, { text: question, limit: 10 }))
            return quote?.passage.text.slice(quote.start, quote.end)
          })
          const answers = yield* Effect.forEach(QUESTIONS, ({ question }) => quoted(question))
          const missed = QUESTIONS.filter(({ answer }, index) => !answers[index]?.includes(answer))
          assert.isAtMost(missed.length, 1, JSON.stringify(missed))
          const invented = (yield* Effect.forEach(UNANSWERABLE, quoted)).filter((quote) => quote !== undefined)
          assert.isAtMost(invented.length, 1, JSON.stringify(invented))
        }),
      )

      if (hasRetrievalData && engine.name === "PostgreSQL") {
        const judged = Effect.gen(function* () {
          const abstracts = cranfield()
          yield* compared("cranfield", abstracts.documents, abstracts.questions)
          const articles = squad()
          const asked = articles.questions.filter((_, n) => n % 40 === 0)
          yield* compared("squad", articles.documents, asked)
        })
        it.effect("a part of public sets with human judgements", () => judged, 240_000)
      }
    })
  })
}

if (!hasRetrievalData) console.log("no ../shared/data/retrieval here: fusion is measured on our own handbook alone")
