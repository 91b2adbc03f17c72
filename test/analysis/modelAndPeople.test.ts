import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { findKnown, layerModelWeb, Model, OTHER_CALL, right, scoresOf } from "./scriptedModel.ts"
import { analyzed, CALL, ended, type Finding, get, importAll, send, upload, workspace } from "./workspace.ts"

const ofKind = (analysis: { findings: ReadonlyArray<Finding> }, kind: string, name: string) => {
  const found = analysis.findings.find((each) => each.kind === kind && each.target.name === name)
  if (found === undefined) throw new Error(`no finding ${kind} ${name}`)
  return found
}

const MORE = `WEBVTT

00:00:01.000 --> 00:00:09.000
<v Dana Reyes (Hartwell)>The price is too high for what we would use. Dashboards are clumsy and slow.
`

const prepared = Effect.gen(function* () {
  const { org, key } = yield* workspace
  yield* upload("d1", "Second call.vtt", CALL, key)
  yield* Effect.flatMap(Model, (model) => model.conduct(right))
  return { org, key }
})

const patch = Effect.fnUntraced(function* (key: string, path: string, body: object) {
  const reply = yield* send("PATCH", path, key, body)
  if (reply.status !== 200) throw new Error(reply.text)
})

const judge = (key: string, { id }: Finding, judgement: object) =>
  patch(key, `/deals/d1/analysis/findings/${id}`, judgement)

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerModelWeb(engine)))
  describe(`people and the analysis by a model on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      it.effect("leaves what a person wrote, removed or verified, and names the contradiction", () =>
        Effect.gen(function* () {
          const { key } = yield* prepared
          const model = yield* Model
          yield* importAll(key, [
            {
              type: "deal",
              id: "d1",
              summary: { deal_overview: "From the CRM.", lessons_learned: "Ask earlier." },
              scorecard: { price_sensitivity: { score: 1, explanation: "They never asked." } },
              competitors: [{ competitor: "k_orvanta", is_primary: true }],
            },
            { type: "association", deal: "d1", feature: "f_sso", influence_summary: "From the CRM", sentiment: true },
          ])
          const { analysis } = yield* analyzed("d1", key)
          const deal = yield* get("/deals/d1?columns=*", key)
          assert.strictEqual(deal.summary.deal_overview, "From the CRM.")
          assert.strictEqual(deal.summary.lessons_learned, "Ask earlier.")
          assert.isString(deal.summary.executive_summary)
          assert.deepStrictEqual(deal.scorecard.price_sensitivity, { score: 1, explanation: "They never asked." })
          assert.deepStrictEqual(
            deal.competitors.map(({ id, is_primary }: any) => [id, is_primary]),
            [["k_orvanta", true]],
          )
          const features = yield* get("/product-intelligence", key)
          assert.deepStrictEqual(
            features.data.map((each: any) => each.influence_summary),
            ["From the CRM"],
          )
          const { findings, ...conflict } = analysis.conflicts.find((each: any) => each.field === "scorecard")
          assert.deepStrictEqual(conflict, {
            field: "scorecard",
            target: { id: "price_sensitivity", name: "price sensitivity" },
            recorded: 1,
            proposed: 4,
          })
          assert.strictEqual(findings.length, 2)

          // A person edits one section, removes another and a driver; a new document changes what the model writes.
          const written = deal.summary.executive_summary
          const { decision_drivers: _, ...rest } = deal.summary
          yield* patch(key, "/deals/d1", {
            summary: { ...rest, executive_summary: "In my words." },
            drivers: [{ reason: "r_support", positive: true, summary: "They answer fast" }],
          })
          yield* upload("d1", "Third call.vtt", MORE, key)
          yield* model.conduct(({ form, data }, nth) =>
            form === "record_scores" ? { fill: scoresOf(data, [5], nth) } : right({ form, data } as any, nth),
          )
          const again = (yield* analyzed("d1", key)).analysis
          const after = yield* get("/deals/d1?columns=*", key)
          assert.notStrictEqual(again.sections[0].text, written, "the model writes another text now")
          assert.strictEqual(after.summary.executive_summary, "In my words.")
          assert.isUndefined(after.summary.decision_drivers)
          assert.deepStrictEqual(
            after.drivers.map((each: any) => each.reason_id ?? each.id),
            ["r_support"],
          )

          yield* send("POST", "/deals/d1/analysis/verify", key)
          const verified = yield* get("/deals/d1?columns=*", key)
          yield* upload("d1", "Fourth call.vtt", OTHER_CALL, key)
          assert.strictEqual((yield* analyzed("d1", key)).analysis.state, "ready")
          const { updated_at: __, ...last } = yield* get("/deals/d1?columns=*", key)
          assert.deepInclude(verified, last, "a verified deal stays as it is")

          yield* patch(key, "/deals/d1", { analysis_verified: false })
          assert.isTrue((yield* get("/deals/d1/analysis", key)).stale, "what was held waits to be written")
          yield* model.conduct(right)
          const { analysis: released } = yield* analyzed("d1", key)
          assert.deepStrictEqual([released.stale, model.asked().length], [false, 0])
          const { summary } = yield* get("/deals/d1?columns=summary", key)
          assert.strictEqual(summary.key_quotes.length, last.summary.key_quotes.length + 1)
          assert.strictEqual(summary.executive_summary, "In my words.")
        }),
      )

      it.effect("leaves an association or quote to which a person added something, and a corrected feature", () =>
        Effect.gen(function* () {
          const { key } = yield* prepared
          yield* analyzed("d1", key)
          const associations = Effect.map(get("/product-intelligence", key), ({ data }) => data)
          const [written] = yield* associations
          assert.deepStrictEqual(written.tags, ["unverified"])
          const { summary } = yield* get("/deals/d1?columns=summary", key)
          const [quote] = summary.key_quotes
          yield* importAll(key, [
            { type: "association", id: written.id, deal: "d1", feature: "f_sso", tags: ["unverified", "Q3"] },
            { type: "deal", id: "d1", summary: { ...summary, key_quotes: [{ ...quote, note: "Call 2, decisive" }] } },
          ])
          // Another text for the same feature.
          const second = CALL.replace("We love single sign on, it works great.", "Single sign on is a joy to use.")
          yield* upload("d1", "Third call.vtt", second, key)
          yield* analyzed("d1", key)
          const after = yield* associations
          assert.deepStrictEqual(
            after.map((each: any) => [each.id, each.influence_summary, each.tags]),
            [[written.id, written.influence_summary, ["unverified", "Q3"]]],
          )
          const kept = (yield* get("/deals/d1?columns=summary", key)).summary.key_quotes
          assert.deepInclude(kept, { ...quote, note: "Call 2, decisive" })

          yield* importAll(key, [
            { type: "association", id: written.id, deal: "d1", feature: "f_dash", tags: ["unverified"] },
          ])
          yield* upload("d1", "Fourth call.vtt", second.replace("a joy", "a delight"), key)
          yield* analyzed("d1", key)
          assert.deepStrictEqual(
            (yield* associations).map((each: any) => [each.id, each.feature_id]),
            [[written.id, "f_dash"]],
          )
        }),
      )

      it.effect("follows its own findings: what is no longer said leaves the deal", () =>
        Effect.gen(function* () {
          const { key } = yield* prepared
          const document = yield* upload(
            "d1",
            "Third call.vtt",
            MORE.replaceAll("Dana Reyes (Hartwell)", "Dana (Hartwell)"),
            key,
          )
          yield* Effect.flatMap(Model, (model) =>
            model.conduct(({ form, data }, nth) => {
              if (form !== "record_findings") return right({ form, data } as any, nth)
              const dashboards = {
                kind: "feature",
                target: "Dashboards",
                effect: "negative",
                quote: "Dashboards are clumsy",
              }
              return { fill: { findings: [...findKnown(data), ...findKnown(data, [dashboards])] } }
            }),
          )
          yield* analyzed("d1", key)
          const featuresOf = Effect.map(get("/deals/d1?columns=features", key), ({ features }) =>
            features.map((each: any) => each.feature_id).toSorted(),
          )
          assert.deepStrictEqual(yield* featuresOf, ["f_dash", "f_sso"])
          yield* send("DELETE", `/documents/${document}`, key)
          yield* analyzed("d1", key)
          assert.deepStrictEqual(yield* featuresOf, ["f_sso"])
        }),
      )

      it.effect("writes without what a person rejected, and with what a person corrected", () =>
        Effect.gen(function* () {
          const { key } = yield* prepared
          const model = yield* Model
          const { analysis } = yield* analyzed("d1", key)
          yield* judge(key, ofKind(analysis, "driver", "Price"), { state: "rejected" })
          yield* judge(key, ofKind(analysis, "feature", "Single sign-on"), { state: "accepted", target: "Dashboards" })
          assert.isTrue((yield* get("/deals/d1/analysis", key)).stale)
          yield* model.conduct(right)
          const again = (yield* analyzed("d1", key)).analysis
          assert.isFalse(again.stale)
          assert.isFalse(
            model.asked().some(({ form }) => form === "record_findings"),
            "no window is read again",
          )
          const [written] = model.asked()
          assert.deepStrictEqual(
            written!.data.findings.map(({ kind, target }: any) => `${kind} ${target}`).toSorted(),
            [
              "competitor Orvanta",
              "feature Dashboards",
              "metric price sensitivity",
              "metric price sensitivity",
              "metric product fit",
              "quote Price",
            ],
          )
          const deal = yield* get("/deals/d1?columns=drivers,features", key)
          assert.deepStrictEqual(
            deal.drivers.map((each: any) => each.reason_id ?? each.id),
            ["r_support"],
          )
          assert.strictEqual(ofKind(again, "driver", "Price").state, "rejected")
        }),
      )

      it.effect("pays for nothing twice after a worker died before it published", () =>
        Effect.gen(function* () {
          const { org, key } = yield* prepared
          const model = yield* Model
          yield* analyzed("d1", key)
          yield* model.conduct(right)
          const { sql, transaction } = yield* Database
          const job = { id: "run_dead", kind: "analysis", subject: "d1", state: "running", attempts: 1, epoch: 1 }
          yield* transaction(
            org,
            Effect.all([
              sql`update deal_analyses set run_id = 'run_dead', state = 'running', inputs = null, finished_at = null, written = null
                where org_id = ${org} and deal_id = 'd1'`,
              sql`insert into jobs ${sql.insert({ org_id: org, ...job })}`,
              sql`update jobs set lease_until = now() - interval '1 minute', claimed_at = now() where org_id = ${org} and id = 'run_dead'`,
            ]),
          )
          assert.deepInclude(yield* ended("run_dead", key), { status: "completed", attempts: 2 })
          assert.deepStrictEqual(model.asked(), [])
          assert.isNotNull((yield* get("/deals/d1/analysis", key)).sections)
        }),
      )

      it.effect("deletes what the model answered about a document with the document", () =>
        Effect.gen(function* () {
          const { org, key } = yield* workspace
          const document = yield* upload("d1", "Second call.vtt", CALL, key)
          yield* Effect.flatMap(Model, (model) => model.conduct(right))
          yield* analyzed("d1", key)
          const { sql, scoped } = yield* Database
          const kept = scoped<{ purpose: string }>(
            org,
            sql`select purpose from analysis_calls where org_id = scope.org order by purpose`,
          )
          assert.deepStrictEqual(
            (yield* kept).map(({ purpose }) => purpose),
            ["find", "score", "score", "score", "write"],
          )
          yield* send("DELETE", `/documents/${document}`, key)
          assert.notInclude(JSON.stringify(yield* kept), "find")
          yield* analyzed("d1", key)
          assert.deepStrictEqual(yield* kept, [], "nothing is left to write from")
          const deal = yield* get("/deals/d1?columns=summary,competitors,features", key)
          assert.deepInclude(deal, { summary: null, competitors: [], features: [] })
        }),
      )
    })
  })
}
