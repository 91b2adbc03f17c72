import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { compose } from "../../src/core/answers/quotes/compose.ts"
import { layerLexical } from "../../src/core/search/layerLexical.ts"
import { SearchIndex } from "../../src/core/search/SearchIndex.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { workspaceOf } from "./judging.ts"
import { HANDBOOK, QUESTIONS, UNANSWERABLE } from "./handbook.ts"
import { layerOrganizations } from "../support/organizations.ts"

const search = (org: string, text: string) =>
  Effect.flatMap(SearchIndex, (index) => index.search(org, { text, limit: 10 }))

for (const engine of engines) {
  const services = Layer.mergeAll(layerLexical, layerOrganizations).pipe(
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
    })
  })
}
