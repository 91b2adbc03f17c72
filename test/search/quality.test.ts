import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { cranfield, hasRetrievalData, type Judged, nDcg, squad } from "../../bench/support/retrieval.ts"
import { compose } from "../../src/core/answers/extractive/compose.ts"
import { layerLexical } from "../../src/core/search/layerLexical.ts"
import { SearchIndex } from "../../src/core/search/SearchIndex.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/workspace/Organizations.ts"
import { addDocuments, type Source } from "../support/addDocuments.ts"
import { engines } from "../support/engines.ts"
import { HANDBOOK, QUESTIONS, UNANSWERABLE } from "./handbook.ts"

const workspaceOf = Effect.fnUntraced(function* (documents: ReadonlyArray<Source>) {
  const { id } = yield* (yield* Organizations).create({ name: "Quality", plan: "growth" })
  yield* addDocuments(id, documents)
  return id
})

const search = (org: string, text: string) =>
  Effect.flatMap(SearchIndex, (index) => index.search(org, { text, limit: 10 }))

const quality = (org: string, questions: ReadonlyArray<Judged>) =>
  Effect.map(
    Effect.forEach(questions, ({ question, grades }) =>
      Effect.map(search(org, question), ({ passages }) =>
        nDcg(
          passages.map(({ id, n }) => `${id}#${n}`),
          grades,
        ),
      ),
    ),
    (gains) => gains.reduce((sum, gain) => sum + gain, 0) / gains.length,
  )

for (const engine of engines) {
  const services = Layer.mergeAll(layerLexical, Organizations.layer).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provide(engine.database),
  )
  describe(`quality on ${engine.name}: a gate that may only rise`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      it.effect("our own handbook: questions are found first, answered first, or refused", () =>
        Effect.gen(function* () {
          const org = yield* workspaceOf(HANDBOOK)
          const missed: Array<string> = []
          for (const { question, answer } of QUESTIONS) {
            const [quote] = compose(question, yield* search(org, question))
            const sentence = quote?.passage.text.slice(quote.start, quote.end) ?? "refused"
            if (!sentence.includes(answer)) missed.push(`${question} → ${sentence}`)
          }
          assert.isAtMost(missed.length, 1, missed.join("\n"))
          const answered: Array<string> = []
          for (const question of UNANSWERABLE) {
            const [quote] = compose(question, yield* search(org, question))
            if (quote !== undefined) answered.push(`${question} → ${quote.passage.text.slice(quote.start, quote.end)}`)
          }
          assert.isAtMost(answered.length, 1, answered.join("\n"))
        }),
      )

      if (hasRetrievalData && engine.name === "PostgreSQL") {
        const judged = Effect.gen(function* () {
          const { documents, questions } = cranfield()
          const abstracts = yield* quality(yield* workspaceOf(documents), questions)
          assert.isAtLeast(abstracts, 0.378)
          const articles = squad()
          const asked = articles.questions.filter((_, n) => n % 20 === 0)
          assert.isAtLeast(yield* quality(yield* workspaceOf(articles.documents), asked), 0.87)
        })
        it.effect("a part of public sets with human judgements", () => judged, 240_000)
      }
    })
  })
}

if (!hasRetrievalData) console.log("no ../shared/data/retrieval here: quality is measured on our own handbook alone")
