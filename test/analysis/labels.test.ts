import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { parse } from "papaparse"
import { engines } from "../support/engines.ts"
import { Web } from "../support/web.ts"
import { layerModelWeb, MODEL, Model, prepared, right, scoresOf } from "./scriptedModel.ts"
import { analyzed, API, CALL, get, importAll, ofKind, send, upload } from "./workspace.ts"

const PAIRS = [
  // What the model scores, and what a person does.
  { found: 4, verdict: "verified" },
  { found: 2, verdict: 3 },
  { found: 5, verdict: 1 },
  { found: 1, verdict: "verified" },
  { found: 3, verdict: 4 },
  { found: 3, verdict: "nothing" },
] as const

/** Cohen's kappa by its definition: a table of pairs, and the table that chance would make of its margins. */
const kappaOf = (pairs: ReadonlyArray<readonly [number, number]>) => {
  const levels = [1, 2, 3, 4, 5]
  const part = (holds: (pair: readonly [number, number]) => boolean) => pairs.filter(holds).length / pairs.length
  let [seen, chance] = [0, 0]
  for (const i of levels)
    for (const j of levels) {
      const weight = (i - j) ** 2 / 16
      seen += weight * part(([a, b]) => a === i && b === j)
      chance += weight * part(([a]) => a === i) * part(([, b]) => b === j)
    }
  return 1 - seen / chance
}

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerModelWeb(engine)))
  describe(`labels on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      it.effect("have every judgement beside what was found, as pages and as files", () =>
        Effect.gen(function* () {
          const { key } = yield* prepared()
          const { analysis } = yield* analyzed("d1", key)
          assert.deepStrictEqual((yield* get("/analysis/labels", key)).data, [])
          const [feature, rival, driver] = [
            ofKind(analysis, "feature", "Single sign-on"),
            ofKind(analysis, "competitor", "Orvanta"),
            ofKind(analysis, "driver", "Price"),
          ]
          const judge = (id: string, body: object) => send("PATCH", `/deals/d1/analysis/findings/${id}`, key, body)
          yield* judge(feature.id, { state: "accepted", target: "Dashboards", effect: "negative" })
          yield* judge(rival.id, { state: "rejected" })
          yield* judge(driver.id, { state: "accepted" })

          const { data, next_cursor } = yield* get("/analysis/labels", key)
          assert.isNull(next_cursor)
          const byId = new Map<string, any>(data.map((each: any) => [each.id, each]))
          assert.sameMembers([...byId.keys()], [feature.id, rival.id, driver.id])
          assert.deepInclude(byId.get(feature.id), {
            kind: "feature",
            state: "accepted",
            deal_id: "d1",
            found_target: "Single sign-on",
            found_effect: "positive",
            target: "Dashboards",
            effect: "negative",
            side: "buyer",
            by: MODEL,
            document_name: "Second call.vtt",
          })
          assert.match(byId.get(feature.id).judged_by, /^key_/)
          const { id: _, start, end, quote } = byId.get(driver.id)
          assert.strictEqual(quote, "The price is too high for what we would use.")
          assert.strictEqual(end - start, quote.length)
          assert.deepInclude(byId.get(rival.id), { state: "rejected", found_target: "Orvanta", target: "Orvanta" })

          const file = (accept: string) =>
            Effect.flatMap(Web, (web) => web.request(`${API}/analysis/labels`, key, { headers: { accept } }))
          const lines = yield* file("application/x-ndjson")
          assert.deepStrictEqual(
            lines.text
              .trimEnd()
              .split("\n")
              .map((line) => JSON.parse(line)),
            data,
          )
          const table = parse<any>((yield* file("text/csv")).text.trimEnd(), { header: true }).data
          const asCells = (label: object) =>
            Object.fromEntries(
              Object.entries(label).map(([name, value]) => [name, value === null ? "" : String(value)]),
            )
          assert.deepStrictEqual(table, data.map(asCells))
          assert.strictEqual((yield* file("text/html")).status, 406)
          for (const cursor of ["%20", "eyJ9", "-1", "WyJjcmVhdGVkX2F0Il0"])
            assert.strictEqual((yield* send("GET", `/analysis/labels?cursor=${cursor}`, key)).status, 400, cursor)
        }),
      )

      it.effect("say how well the scores of a model agree with people's", () =>
        Effect.gen(function* () {
          const { key } = yield* prepared()
          const model = yield* Model
          yield* importAll(
            key,
            PAIRS.map((_, n) => ({ type: "deal", id: `s${n}`, name: `Scored ${n}` })),
          )
          for (const [n, { found, verdict }] of PAIRS.entries()) {
            yield* upload(`s${n}`, `Call ${n}.vtt`, CALL, key)
            yield* model.conduct((asked, nth) =>
              asked.form === "record_scores" ? { fill: scoresOf(asked.data, [found], nth) } : right(asked, nth),
            )
            yield* analyzed(`s${n}`, key)
            const reply =
              verdict === "verified"
                ? yield* send("POST", `/deals/s${n}/analysis/verify`, key)
                : verdict === "nothing"
                  ? undefined
                  : yield* send("PATCH", `/deals/s${n}`, key, {
                      scorecard: { price_sensitivity: { score: verdict, explanation: "As I heard it." } },
                    })
            if (reply !== undefined) assert.strictEqual(reply.status, 200, reply.text)
          }
          const pairs = PAIRS.flatMap(({ found, verdict }) =>
            verdict === "nothing" ? [] : [[found, verdict === "verified" ? found : verdict] as const],
          )
          const { scores } = yield* get("/analysis/quality", key)
          const { kappa, ...counts } = scores.find(({ metric }: any) => metric === "price_sensitivity")
          assert.deepStrictEqual(counts, {
            metric: "price_sensitivity",
            by: MODEL,
            version: "prompt-1",
            scores: pairs.length,
            same: 2,
          })
          assert.approximately(kappa, kappaOf(pairs), 1e-9)

          const { data } = yield* get("/analysis/labels", key)
          assert.deepStrictEqual(
            data
              .filter(({ found_target }: any) => found_target === "price_sensitivity")
              .map(({ deal_id, state, found_score, score }: any) => [deal_id, state, found_score, score]),
            [
              ["s0", "accepted", 4, 4],
              ["s1", "rejected", 2, 3],
              ["s2", "rejected", 5, 1],
              ["s3", "accepted", 1, 1],
              ["s4", "rejected", 3, 4],
            ],
          )
        }),
      )
    })
  })
}
