import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { layerDealQuestions } from "../../src/core/answers/questions/layerDealQuestions.ts"
import { Import } from "../../src/core/import/Import.ts"
import type { ImportRecord } from "../../src/core/records/record.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"
import { answerTurns } from "./turns.ts"

for (const engine of engines) {
  const harness = Layer.unwrap(
    Effect.sync(() => layerDealQuestions.pipe(Layer.provideMerge(layerWeb(engine.database)))),
  )
  describe(`lost deals by stage, on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      it.effect("answers by the stages that deals were lost from", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const load = (...all: ReadonlyArray<ImportRecord>) =>
            Effect.flatMap(Import, (imports) => imports.records(org, Stream.fromIterable(all)))
          yield* load(
            { type: "stage", id: "early", name: "Early", category: "open", position: 1 },
            { type: "stage", id: "late", name: "Late", category: "open", position: 2 },
            { type: "stage", id: "lost", name: "Lost", category: "lost", position: 3 },
            ...["early", "late", "late"].map((status, n) => ({
              type: "deal" as const,
              id: `d${n}`,
              name: `Deal ${n}`,
              status,
              amount: 100,
            })),
          )
          yield* load(...[0, 1, 2].map((n) => ({ type: "deal" as const, id: `d${n}`, status: "lost" })))
          const answer = yield* answerTurns(org, "In which stage do we lose the most deals?")
          assert.include(answer, "**Late** has the most lost deals: 2.")
          assert.include(answer, "entered stage Lost")
        }),
      )
    })
  })
}
