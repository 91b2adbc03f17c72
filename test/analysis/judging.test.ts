import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { engines } from "../support/engines.ts"
import { layerWeb } from "../support/web.ts"
import { analyzed, CALL, type Finding, get, importAll, ofKind, send, upload, workspace } from "./workspace.ts"

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerWeb(engine.database)))
  describe(`a person's judgement of findings on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      it.effect("publishes what a person accepts, takes it back on rejection, and never overwrites a judgement", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          yield* upload("d1", "Second call.vtt", CALL, key)
          const { analysis } = yield* analyzed("d1", key)
          const judge = (finding: Finding, body: object) =>
            send("PATCH", `/deals/d1/analysis/findings/${finding.id}`, key, body)
          const columns = () => get("/deals/d1?columns=competitors,drivers,features,summary", key)
          const before = yield* columns()

          const rival = ofKind(analysis, "competitor", "Orvanta")
          const accepted = yield* judge(rival, { state: "accepted" })
          assert.deepInclude(accepted.json, { state: "accepted", effect: "negative" }, accepted.text)
          assert.match(accepted.json.judged_by, /^key_/)
          yield* judge(ofKind(analysis, "feature", "Single sign-on"), { state: "accepted" })
          yield* judge(ofKind(analysis, "driver", "Price"), { state: "accepted", effect: "neutral" })
          yield* judge(ofKind(analysis, "quote", "Price"), { state: "accepted" })
          const after = yield* columns()
          assert.deepStrictEqual(after.competitors, [
            { id: "k_orvanta", name: "Orvanta", is_primary: false, is_incumbent: false },
          ])
          assert.deepInclude(after.features[0], { feature_id: "f_sso", sentiment: true, tags: [] })
          assert.deepInclude(after.drivers[1], { reason_id: "r_price", positive: null })
          assert.deepStrictEqual(after.summary, {
            key_quotes: [{ speaker: "Dana Reyes (Hartwell)", quote: "The price is too high for what we would use." }],
          })

          // A new document changes the inputs; the judgements stay.
          yield* upload("d1", "Third call.vtt", CALL.replace("single sign on", "the dashboards"), key)
          assert.isTrue((yield* get("/deals/d1/analysis", key)).stale)
          const again = (yield* analyzed("d1", key)).analysis
          assert.isFalse(again.stale)
          assert.strictEqual(ofKind(again, "competitor", "Orvanta").state, "accepted")
          assert.deepInclude(ofKind(again, "driver", "Price"), { state: "accepted", effect: "neutral" })
          assert.strictEqual(ofKind(again, "feature", "Dashboards").state, "proposed")

          for (const [kind, name] of [
            ["competitor", "Orvanta"],
            ["feature", "Single sign-on"],
            ["driver", "Price"],
            ["quote", "Price"],
          ] as const) {
            const reply = yield* judge(ofKind(analysis, kind, name), { state: "rejected" })
            assert.strictEqual(reply.json.state, "rejected", reply.text)
          }
          assert.deepStrictEqual(yield* columns(), before)
        }),
      )

      it.effect("publishes another accepted finding of the same target when the first is rejected", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          yield* upload("d1", "Second call.vtt", CALL, key)
          yield* upload("d1", "Third call.vtt", CALL.replace("The price is too high", "The price is far too high"), key)
          const { analysis } = yield* analyzed("d1", key)
          const prices = (analysis.findings as ReadonlyArray<Finding>).filter(
            ({ kind, target }) => kind === "driver" && target.name === "Price",
          )
          assert.lengthOf(prices, 2)
          const judge = ({ id }: Finding, state: string) =>
            send("PATCH", `/deals/d1/analysis/findings/${id}`, key, { state })
          const recorded = Effect.map(get("/deals/d1?columns=drivers", key), ({ drivers }) =>
            drivers.flatMap((each: any) => (each.reason_id === "r_price" ? [each.summary] : [])),
          )
          for (const each of prices) yield* judge(each, "accepted")
          assert.deepStrictEqual(yield* recorded, [prices[0]!.quote])
          yield* judge(prices[0]!, "rejected")
          assert.deepStrictEqual(yield* recorded, [prices[1]!.quote])
          yield* judge(prices[1]!, "rejected")
          assert.deepStrictEqual(yield* recorded, [])
        }),
      )

      it.effect("keeps both of two findings that are accepted at the same time", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          yield* upload("d1", "Second call.vtt", CALL, key)
          const { analysis } = yield* analyzed("d1", key)
          const accept = ({ id }: Finding) =>
            send("PATCH", `/deals/d1/analysis/findings/${id}`, key, { state: "accepted" })
          yield* Effect.all(
            [accept(ofKind(analysis, "quote", "Price")), accept(ofKind(analysis, "quote", "Support"))],
            { concurrency: "unbounded" },
          )
          assert.lengthOf((yield* get("/deals/d1?columns=summary", key)).summary.key_quotes, 2)
        }),
      )

      it.effect("leaves what the deal already has when a finding is accepted and rejected", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          yield* importAll(key, [
            { type: "deal", id: "d1", competitors: [{ competitor: "k_orvanta", is_primary: true }] },
            { type: "association", deal: "d1", feature: "f_sso", influence_summary: "From the CRM", sentiment: false },
          ])
          yield* upload("d1", "Second call.vtt", CALL, key)
          const { analysis } = yield* analyzed("d1", key)
          const columns = () => get("/deals/d1?columns=competitors,features,drivers", key)
          const before = yield* columns()
          for (const state of ["accepted", "rejected"]) {
            for (const [kind, name] of [
              ["competitor", "Orvanta"],
              ["feature", "Single sign-on"],
              ["driver", "Support"],
            ] as const) {
              const { id } = ofKind(analysis, kind, name)
              assert.strictEqual(
                (yield* send("PATCH", `/deals/d1/analysis/findings/${id}`, key, { state })).status,
                200,
              )
            }
            assert.deepStrictEqual(yield* columns(), before, state)
          }
        }),
      )

      it.effect("corrects the target by name, and refuses a target that the catalogue lacks or a quote has not", () =>
        Effect.gen(function* () {
          const { key } = yield* workspace
          yield* upload("d1", "Second call.vtt", CALL, key)
          const { analysis } = yield* analyzed("d1", key)
          const path = `/deals/d1/analysis/findings/${ofKind(analysis, "feature", "Single sign-on").id}`
          const changed = yield* send("PATCH", path, key, { state: "accepted", target: "dashboards" })
          assert.deepInclude(changed.json, { target: { id: "f_dash", name: "Dashboards" }, state: "accepted" })
          const deal = yield* get("/deals/d1?columns=features", key)
          assert.deepStrictEqual(
            deal.features.map((each: any) => each.feature_id),
            ["f_dash"],
          )
          const unknown = yield* send("PATCH", path, key, { state: "accepted", target: "Dashbords" })
          assert.strictEqual(unknown.status, 400)
          assert.include(unknown.text, "Dashboards")
          const quote = `/deals/d1/analysis/findings/${ofKind(analysis, "quote", "Price").id}`
          assert.strictEqual((yield* send("PATCH", quote, key, { state: "accepted", target: "Price" })).status, 400)
          const quality = (yield* get("/analysis/quality", key)).data.find((each: any) => each.kind === "feature")
          assert.deepInclude(quality, { by: "extracted", accepted: 0, changed: 1, rejected: 0, precision: 0 })
        }),
      )
    })
  })
}
