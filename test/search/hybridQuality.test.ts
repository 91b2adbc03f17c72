import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Judged } from "../../bench/support/retrieval.ts"
import { compose } from "../../src/core/answers/quotes/compose.ts"
import { SearchIndex } from "../../src/core/search/SearchIndex.ts"
import { engines } from "../support/engines.ts"
import { compared, layerCompared } from "./comparing.ts"
import { HANDBOOK, QUESTIONS, UNANSWERABLE } from "./handbook.ts"

const judgedHandbook: ReadonlyArray<Judged> = QUESTIONS.map(({ question, answer }) => ({
  question,
  grades: new Map(
    HANDBOOK.flatMap(({ name, chunks }) =>
      chunks.flatMap((chunk, n) => (chunk.includes(answer) ? [[`${name}#${n}`, 1] as const] : [])),
    ),
  ),
}))

for (const engine of engines) {
  describe(`a poor model's vectors on ${engine.name} cost little`, () => {
    layer(layerCompared(engine), { excludeTestServices: true })((it) => {
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
    })
  })
}
