import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { JobQueue } from "../../src/core/jobs/JobQueue.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { layerModelWeb, Model, OTHER_CALL, prepared, right } from "./scriptedModel.ts"
import { analyzed, ended, get, getUntil, send, upload } from "./workspace.ts"

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerModelWeb(engine)))
  describe(`the analysis by a model that fails on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      it.effect("waits while the model is down, says so, and goes on with what was answered", () =>
        Effect.gen(function* () {
          const { org, key } = yield* prepared(({ form, data }, nth) =>
            form === "record_findings" ? right({ form, data } as any, nth) : { acts: [{ status: 503 }] },
          )
          const model = yield* Model
          const { run_id } = (yield* send("POST", "/deals/d1/analysis", key)).json
          const reason = "the language model does not respond; the analysis goes on once it does"
          const hasError = ({ error }: { error: string | null }) => error !== null
          const waiting = yield* getUntil("an error", "/deals/d1/analysis", key, hasError)
          assert.deepInclude(waiting, { state: "queued", error: reason })
          const run = yield* getUntil("an error", `/runs/${run_id}`, key, hasError)
          assert.deepInclude(run, { status: "queued", error: reason, attempts: 0 })
          yield* model.conduct(right)
          const { sql, transaction } = yield* Database
          yield* transaction(org, sql`update jobs set due_at = now() where org_id = ${org} and id = ${run_id}`)
          yield* Effect.flatMap(JobQueue, (jobs) => jobs.wake("analysis", org))
          assert.deepInclude(yield* ended(run_id, key), { status: "completed", error: null })
          assert.isFalse(
            model.asked().some(({ form }) => form === "record_findings"),
            "the windows were paid for",
          )
          assert.deepInclude(yield* get("/deals/d1/analysis", key), { state: "ready", error: null })
        }),
      )

      it.effect("waits for a model that is silent", () =>
        Effect.gen(function* () {
          const { org, key } = yield* prepared()
          yield* (yield* Model).conduct(() => ({ acts: [{ hang: true }] }), 0.5)
          const { run_id } = (yield* send("POST", "/deals/d1/analysis", key)).json
          const waiting = yield* getUntil("an error", "/deals/d1/analysis", key, ({ error }) => error !== null)
          assert.strictEqual(waiting.state, "queued")
          const { sql, transaction } = yield* Database
          yield* transaction(
            org,
            sql`update deal_analyses set queued_at = now() - interval '25 hours' where org_id = ${org}`,
          )
          yield* transaction(org, sql`update jobs set due_at = now() where org_id = ${org} and id = ${run_id}`)
          yield* Effect.flatMap(JobQueue, (jobs) => jobs.wake("analysis", org))
          const reason = "the language model did not respond for 24 hours"
          assert.deepInclude(yield* ended(run_id, key), { status: "failed", error: reason })
          assert.deepInclude(yield* get("/deals/d1/analysis", key), { state: "failed", error: reason })
        }),
      )

      it.effect("ends with a reason if the model answers rubbish or refuses, and keeps the other deals", () =>
        Effect.gen(function* () {
          const model = yield* Model
          for (const [acts, part] of [
            [[{ text: "Sure! Here is my analysis of the call." }], "configure a model that calls tools"],
            [[{ call: "record_findings", args: { findings: "none" } }], "configure a model that calls tools"],
            [[{ raw: "data: {]\n\n" }], "cannot be read"],
            [[{ status: 401 }], "SIGHTLINE_MODEL_"],
          ] as const) {
            const { key } = yield* prepared(() => ({ acts }))
            const { run, analysis } = yield* analyzed("d1", key)
            assert.strictEqual(run.status, "failed", part)
            assert.include(run.error, part)
            assert.deepInclude(analysis, { state: "failed", error: run.error })
            assert.strictEqual(model.asked().length, 3)
          }
          const { key } = yield* prepared(({ form, data }, nth) =>
            JSON.stringify(data).includes("seats that nobody uses")
              ? { acts: [{ text: "no" }] }
              : right({ form, data } as any, nth),
          )
          yield* upload("d2", "Third call.vtt", OTHER_CALL, key)
          const { json } = yield* send("POST", "/deals/analysis", key, {})
          assert.strictEqual((yield* ended(json.run_id, key)).status, "completed")
          assert.strictEqual((yield* get("/deals/d1/analysis", key)).state, "ready")
          assert.include((yield* get("/deals/d2/analysis", key)).error, "configure a model")
        }),
      )

      it.effect("accepts a form that is written as text between fences", () =>
        Effect.gen(function* () {
          const { key } = yield* prepared((asked, nth) => {
            const { fill } = right(asked, nth) as { fill: unknown }
            return { acts: [{ text: `Here it is:\n\`\`\`json\n${JSON.stringify(fill)}\n\`\`\`` }] }
          })
          const { analysis } = yield* analyzed("d1", key)
          assert.strictEqual(analysis.findings.length, 7)
        }),
      )
    })
  })
}
