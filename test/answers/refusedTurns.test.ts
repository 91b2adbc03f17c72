import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { AnswerEvent } from "../../src/core/answers/Answerer.ts"
import { DealQuestions } from "../../src/core/answers/DealQuestions.ts"
import { layerDealQuestions } from "../../src/core/answers/deals/layerDealQuestions.ts"
import { Import } from "../../src/core/import/Import.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"
import { records } from "./dealQuestions.ts"

const contentOf = (events: ReadonlyArray<AnswerEvent>) =>
  events.map((event) => (event.type === "content_delta" ? event.content : "")).join("")

for (const engine of engines) {
  const harness = Layer.unwrap(
    Effect.sync(() => layerDealQuestions.pipe(Layer.provideMerge(layerWeb(engine.database)))),
  )
  describe(`questions after a refusal, on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      const workspace = Effect.gen(function* () {
        const { org, key } = yield* (yield* Web).tenant()
        yield* (yield* Import).records(org, Stream.fromIterable(records()))
        return { org, key }
      })

      it.effect("continues the last answer after questions that were refused", () =>
        Effect.gen(function* () {
          const { org } = yield* workspace
          const told = (...turns: ReadonlyArray<string>) =>
            Effect.gen(function* () {
              const messages = turns.map((content) => ({ role: "user" as const, content }))
              const found = yield* (yield* DealQuestions).answer(org, messages)
              return Option.match(found, { onNone: () => "", onSome: ({ events }) => contentOf(events) })
            })
          const won = "how many won deals per month in 2026"
          assert.include(yield* told(won, "cumulative", "in EMEA"), "Filter: region EMEA, outcome won, close date")
          assert.include(yield* told(won, "for the Foobar region", "in EMEA"), "Filter: region EMEA, outcome won")
          const lost = "how many deals did we lose in EMEA"
          assert.include(
            yield* told(lost, "to whom?", "and in North America?"),
            "Filter: region North America, outcome lost.",
          )
          const churn = "what will our churn be next year?"
          assert.include(yield* told(churn, "ok then how many deals are open"), "Filter: outcome open.")
          assert.include(
            yield* told("whats our churn", "ok then deals lost in EMEA"),
            "Filter: region EMEA, outcome lost.",
          )
          // A whole question that was refused stays what is continued: nothing says that "in EMEA" is about the one before it.
          const other = yield* told(lost, "What is the average foobar of our won deals?", "in EMEA")
          assert.notInclude(other, "Filter:")
        }),
      )
    })
  })
}
