import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { engines } from "../support/engines.ts"
import { layerModelWeb, Model, prepared, right } from "./scriptedModel.ts"
import { analyzed, get, send } from "./workspace.ts"

const RUBRIC = { 1: "No word of the price", 3: "Procurement bargains", 5: "They leave over the price" }

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerModelWeb(engine)))
  describe(`the workspace's rubrics on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      it.effect("score in the workspace's words, and cost the scores alone when they change", () =>
        Effect.gen(function* () {
          const { key } = yield* prepared()
          const model = yield* Model
          yield* analyzed("d1", key)
          const rubrics = { price_sensitivity: RUBRIC, product_fit: RUBRIC }
          const changed = yield* send("PUT", "/workspace", key, { rubrics })
          assert.deepStrictEqual(changed.json.rubrics, rubrics)
          assert.isTrue((yield* get("/deals/d1/analysis", key)).stale)
          yield* model.conduct(right)
          yield* analyzed("d1", key)
          const asked = model.asked()
          assert.deepStrictEqual(
            asked.map(({ form }) => form),
            ["record_scores", "record_scores", "record_scores"],
          )
          for (const { data } of asked) {
            assert.deepStrictEqual(
              data.metrics.map(({ metric, rubric }: any) => ({ metric, rubric })),
              [{ metric: "price_sensitivity", rubric: RUBRIC }],
            )
          }
          yield* send("PUT", "/workspace", key, { rubrics: {} })
          yield* model.conduct(right)
          yield* analyzed("d1", key)
          assert.include(JSON.stringify(model.asked()[0]?.data.metrics), "the price is said to decide")
        }),
      )

      it.effect("are refused with a part missing, an unknown metric, or no text", () =>
        Effect.gen(function* () {
          const { key } = yield* prepared()
          for (const [rubrics, field] of [
            [{ price_sensitivity: { 1: "low", 5: "high" } }, "rubrics.price_sensitivity.3"],
            [{ price: RUBRIC }, "rubrics.price"],
            [{ relationship: { ...RUBRIC, 3: " " } }, "rubrics.relationship.3"],
          ] as const) {
            const { status, text } = yield* send("PUT", "/workspace", key, { rubrics })
            assert.strictEqual(status, 400, text)
            assert.include(text, field)
          }
          assert.deepStrictEqual((yield* get("/workspace", key)).settings.rubrics, {})
        }),
      )
    })
  })
}
