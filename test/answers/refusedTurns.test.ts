import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { layerDealQuestions } from "../../src/core/answers/questions/layerDealQuestions.ts"
import { Import } from "../../src/core/import/Import.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"
import { records } from "./dealQuestions.ts"
import { answerTurns } from "./turns.ts"

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
          const ask = (...turns: ReadonlyArray<string>) => answerTurns(org, ...turns)
          const won = "how many won deals per month in 2026"
          assert.include(yield* ask(won, "cumulative", "in EMEA"), "Filter: region EMEA, outcome won, close date")
          assert.include(yield* ask(won, "for the Foobar region", "in EMEA"), "Filter: region EMEA, outcome won")
          const lost = "how many deals did we lose in EMEA"
          assert.include(
            yield* ask(lost, "to whom?", "and in North America?"),
            "Filter: region North America, outcome lost.",
          )
          const churn = "what will our churn be next year?"
          assert.include(yield* ask(churn, "ok then how many deals are open"), "Filter: outcome open.")
          assert.include(
            yield* ask("whats our churn", "ok then deals lost in EMEA"),
            "Filter: region EMEA, outcome lost.",
          )
          // A whole question that was refused stays what is continued: nothing says that "in EMEA" is about the one before it.
          const other = yield* ask(lost, "What is the average foobar of our won deals?", "in EMEA")
          assert.notInclude(other, "Filter:")
        }),
      )
    })
  })
}
