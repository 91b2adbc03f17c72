import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"
import { imported, send } from "../catalogue/catalogue.ts"

const deal = (id: string, status: string, deal_type: string, ...reasons: ReadonlyArray<string>) => ({
  type: "deal",
  id,
  name: id,
  status,
  deal_type,
  amount: 1000,
  drivers: reasons.map((reason) => ({ reason })),
})

const RECORDS = [
  { type: "stage", id: "talks", name: "Talks", category: "open", probability: 0.25 },
  { type: "stage", id: "legal", name: "Legal", category: "open" },
  { type: "stage", id: "won", name: "Won", category: "won" },
  { type: "stage", id: "lost", name: "Lost", category: "lost" },
  { type: "reason", id: "stalled", name: "Stalled", category: "No Decision" },
  { type: "reason", id: "price", name: "Price", category: "Commercial" },
  deal("d1", "won", "renewal"),
  deal("d2", "lost", "Renewal", "price", "stalled"),
  deal("d3", "lost", "New", "price"),
  deal("d4", "talks", "Renewal", "stalled"),
  deal("d5", "legal", "New"),
]

for (const engine of engines) {
  describe(`measures that read settings on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      const setUp = Effect.gen(function* () {
        const { request, tenant } = yield* Web
        const { key } = yield* tenant()
        yield* imported(key, RECORDS)
        return {
          key,
          report: (query: string) => request(`/api/v1/deals/report?${query}`, key),
          /** The ids of the deals behind a link. */
          behind: (url: string) =>
            Effect.map(request(url, key), ({ json }) => json.map(({ id }: { id: string }) => id).toSorted()),
        }
      })
      const ALL = "measures=lost_no_decision,renewal_rate,amount_weighted"

      it.effect("follow the settings, and link to the deals that they count", () =>
        Effect.gen(function* () {
          const { key, report, behind } = yield* setUp
          yield* send("PUT", "/workspace", key, { no_decision: "no decision" })
          yield* send("PUT", "/workspace/stages/legal", key, { probability: 0.5 })
          const { json } = yield* report(ALL)
          assert.deepStrictEqual(json.totals.values, { lost_no_decision: 1, renewal_rate: 0.5, amount_weighted: 750 })
          assert.strictEqual(json.totals.intervals.renewal_rate.n, 2)
          assert.isUndefined(json.meta.reasons)
          const { lost_no_decision, renewal_rate, amount_weighted } = json.totals.drills
          assert.deepStrictEqual(yield* behind(lost_no_decision.deals_url), ["d2"])
          assert.deepStrictEqual(yield* behind(renewal_rate.deals_url), ["d1", "d2"])
          assert.deepStrictEqual(yield* behind(amount_weighted.deals_url), ["d4", "d5"])
        }),
      )

      it.effect("count a deal in the group of another of its reasons, and so does the link", () =>
        Effect.gen(function* () {
          const { key, report, behind } = yield* setUp
          yield* send("PUT", "/workspace", key, { no_decision: "No Decision" })
          const { json } = yield* report("measures=lost_no_decision&group_by=driver&driver_ids=price")
          assert.deepStrictEqual(json.data[0].group.driver, { id: "price", name: "Price" })
          assert.strictEqual(json.data[0].values.lost_no_decision, 1)
          assert.deepStrictEqual(yield* behind(json.data[0].drills.lost_no_decision.deals_url), ["d2"])
        }),
      )

      it.effect("are null, with the reason, if the workspace has nothing that they name", () =>
        Effect.gen(function* () {
          const { key, report } = yield* setUp
          const nothing = { lost_no_decision: null, renewal_rate: 0.5, amount_weighted: null }
          const empty = (yield* report(ALL)).json
          assert.deepStrictEqual(empty.totals.values, nothing)
          assert.deepStrictEqual(empty.meta.reasons, {
            lost_no_decision: "the workspace's setting `no_decision` is empty",
            amount_weighted: "open stages have no `probability`: 'Legal'",
          })
          const asked = { messages: [{ role: "user", content: "How many deals did we lose to no decision?" }] }
          const { json: answer } = yield* send("POST", "/responses", key, asked)
          assert.include(answer.message.content, "the workspace's setting no\\_decision is empty")
          yield* send("PUT", "/workspace", key, { no_decision: "Silence", renewal_types: ["Extension", "Upsell"] })
          const { meta, totals } = (yield* report(`${ALL}&status=talks`)).json
          assert.deepStrictEqual(totals.values, { lost_no_decision: null, renewal_rate: null, amount_weighted: 250 })
          assert.deepStrictEqual(meta.reasons, {
            lost_no_decision:
              "no reason has this category, which the workspace's setting `no_decision` names: 'Silence'",
            renewal_rate:
              "no deal has one of these types, which the workspace's setting `renewal_types` names: 'Extension', 'Upsell'",
          })
          assert.deepStrictEqual(Object.keys(totals.drills), ["amount_weighted"])
          const refused = yield* send("PUT", "/workspace/stages/legal", key, { probability: 50 })
          assert.strictEqual(refused.status, 400, refused.text)
        }),
      )
    })
  })
}
