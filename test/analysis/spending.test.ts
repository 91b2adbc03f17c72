import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { engines } from "../support/engines.ts"
import { layerModelWeb, Model, OTHER_CALL, prepared, right } from "./scriptedModel.ts"
import { analyzed, CALL, ended, get, send, upload } from "./workspace.ts"

const estimate = Effect.fnUntraced(function* (key: string, filters: object = {}) {
  const reply = yield* send("POST", "/deals/analysis/estimate", key, { filters })
  assert.strictEqual(reply.status, 200, reply.text)
  return reply.json
})

const sum = ({ input, output }: { readonly input: number; readonly output: number }) => input + output

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerModelWeb(engine)))
  describe(`the cost of analyses on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      it.effect("is estimated before a run, counted by it, and nothing for what has not changed", () =>
        Effect.gen(function* () {
          const { key } = yield* prepared()
          yield* upload("d2", "First call.vtt", CALL, key)
          const before = yield* estimate(key)
          assert.deepInclude(before, { deals: 2, unchanged: 0, documents: 2, windows: 2, method: "model", cost: null })
          assert.isAbove(before.tokens.input, 0)
          assert.strictEqual((yield* estimate(key, { deal_ids: ["d2"] })).deals, 1)
          assert.lengthOf((yield* Model).asked(), 0, "an estimate asks no model")

          const started = yield* send("POST", "/deals/analysis", key, {})
          yield* ended(started.json.run_id, key)
          const run = yield* get(`/analysis/runs/${started.json.run_id}`, key)
          assert.deepInclude(run, { status: "completed", progress: 1, deals: 2, ready: 2, failed: 0, failures: [] })
          const analyses = [yield* get("/deals/d1/analysis", key), yield* get("/deals/d2/analysis", key)]
          assert.strictEqual(run.findings, analyses[0].findings.length + analyses[1].findings.length)
          assert.strictEqual(sum(run.tokens), sum(analyses[0].tokens) + sum(analyses[1].tokens))
          assert.isAbove(sum(run.tokens), 0)
          const spending = yield* get("/analysis/spending", key)
          assert.deepStrictEqual([spending.tokens, spending.budget], [run.tokens, null])
          assert.strictEqual(spending.month, new Date().toISOString().slice(0, 7))

          assert.deepInclude(yield* estimate(key), {
            deals: 2,
            unchanged: 2,
            windows: 0,
            tokens: { input: 0, output: 0 },
          })
          yield* upload("d1", "Third call.vtt", OTHER_CALL, key)
          const changed = yield* estimate(key)
          assert.deepInclude(changed, { unchanged: 1, documents: 2, windows: 2 })
          assert.isAtMost(sum(changed.tokens), sum(run.tokens), "from the averages of the stored calls")
          const again = yield* analyzed("d1", key)
          assert.isAtMost(sum((yield* get(`/analysis/runs/${again.run.id}`, key)).tokens), sum(changed.tokens))
        }),
      )

      it.effect("stops at the budget of the month, for the deal after the one that used it up", () =>
        Effect.gen(function* () {
          const { key } = yield* prepared()
          yield* upload("d2", "First call.vtt", CALL, key)
          const set = (analysis_budget: number | null) => send("PUT", "/workspace", key, { analysis_budget })
          assert.strictEqual((yield* set(-1)).status, 400)
          assert.strictEqual((yield* set(1)).json.analysis_budget, 1)
          assert.strictEqual((yield* get("/workspace", key)).settings.analysis_budget, 1)

          const started = yield* send("POST", "/deals/analysis", key, {})
          assert.strictEqual(started.status, 202, started.text)
          yield* ended(started.json.run_id, key)
          const run = yield* get(`/analysis/runs/${started.json.run_id}`, key)
          assert.deepInclude(run, { status: "completed", ready: 1, failed: 1 })
          assert.match(run.failures[0].reason, /budget of 1 tokens/)

          const asked = (yield* Model).asked().length
          const began = Date.now()
          const refused = yield* send("POST", "/deals/d2/analysis", key)
          const refusedAt = Date.now()
          assert.strictEqual(refused.status, 429)
          assert.deepInclude(refused.json.error, { code: "rate_limit_exceeded", details: { scope: "analysis" } })
          const wait = Number(refused.headers.get("retry-after"))
          const monthEnds = Date.parse((yield* get("/analysis/spending", key)).resets_at)
          assert.isAtLeast(wait, Math.floor((monthEnds - refusedAt) / 1000))
          assert.isAtMost(wait, Math.ceil((monthEnds - began) / 1000))
          assert.strictEqual((yield* Model).asked().length, asked)

          yield* set(null)
          yield* (yield* Model).conduct(right)
          assert.strictEqual((yield* analyzed("d2", key)).analysis.state, "ready")
        }),
      )

      it.effect("of an unknown run is not found", () =>
        Effect.gen(function* () {
          const { key } = yield* prepared()
          assert.strictEqual((yield* send("GET", "/analysis/runs/run_none", key)).status, 404)
          const other = yield* prepared()
          const { run } = yield* analyzed("d1", key)
          assert.strictEqual((yield* send("GET", `/analysis/runs/${run.id}`, other.key)).status, 404)
        }),
      )
    })
  })
}
