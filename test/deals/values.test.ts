import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Deals } from "../../src/core/deals/Deals.ts"
import type { DealFilters } from "../../src/core/deals/filters/filters.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

const RECORDS = [
  { type: "stage", id: "s_won", name: "Won", category: "won" },
  { type: "stage", id: "s_lost", name: "Lost", category: "lost" },
  { type: "owner", id: "o_farah", name: "Farah Rasmussen" },
  { type: "owner", id: "o_ida", name: "Ida Öberg" },
  { type: "competitor", id: "k_1", name: "Orvanta" },
  { type: "competitor", id: "k_2", name: "Nimbrel" },
  { type: "reason", id: "r_price", name: "Price" },
  { type: "feature", id: "f_sso", name: "Single Sign-On" },
  { type: "segment", id: "seg_big", name: "Big Deals", filters: { owner_ids: ["FARAH RASMUSSEN"], region: ["emea"] } },
  { type: "metric", id: "m_champion", name: "Champion Strength" },
  { type: "answer", id: "a_why", name: "Why now?" },
  { type: "crm_property", crm: "crm_one", object: "deal", id: "forecast__c", label: "Forecast", data_type: "text" },
  { type: "crm_property", crm: "crm_one", object: "account", id: "tier", label: "Tier", data_type: "text" },
  { type: "client", id: "c_1", name: "Acme", industry: "Energy", crm_properties: { tier: "Enterprise" } },
  {
    type: "deal",
    id: "d_1",
    name: "First",
    crm_one_id: "006AbC",
    crm_two_id: "0065g00000AbCdE",
    status: "s_won",
    owner: "o_farah",
    collaborators: ["o_ida"],
    client: "c_1",
    region: "EMEA",
    deal_type: "Renewal",
    product_labels: ["Core"],
    competitors: [{ competitor: "k_1", is_primary: true }],
    drivers: [{ reason: "r_price", positive: true }],
    crm_properties: { forecast__c: "Commit" },
    custom_metrics: { "Champion Strength": { score: 4 } },
    custom_answers: { "Why now?": "Budget" },
  },
  { type: "deal", id: "d_2", name: "Second", crm_one_id: "006ABC", status: "s_lost" },
  { type: "association", id: "a_1", deal: "d_1", feature: "f_sso" },
]

/** Ids and names in any case. Each finds only the first deal. */
const FOUND: ReadonlyArray<DealFilters> = [
  ...["s_won", "S_WON", "won", "WON"].map((value) => ({ status: [value] })),
  ...["o_farah", "O_Farah", "farah rasmussen"].map((value) => ({ owner_ids: [value] })),
  ...["o_ida", "ida öberg", "IDA ÖBERG"].map((value) => ({ collaborators: [value] })),
  ...["K_1", "orvanta"].flatMap((value) => [{ competitors: [value] }, { primary_competitors: [value] }]),
  ...["R_price", "PRICE"].map((value) => ({ driver_ids: [value] })),
  ...["F_SSO", "single sign-on"].map((value) => ({ feature_ids: [value] })),
  ...["SEG_BIG", "big deals"].map((value) => ({ segment_ids: [value] })),
  ...["EMEA", "emea"].map((value) => ({ region: [value] })),
  { deal_type: ["RENEWAL"] },
  { industry: ["energy"] },
  { product_labels: ["core"] },
  // Folded: marks of their own, full width, soft hyphens, spaces that do not break.
  ...["Ida O\u0308berg", "ida\u00a0ÖBERG"].map((value) => ({ collaborators: [value] })),
  { segment_ids: ["Big  De\u00adals"] },
  { region: ["ＥＭＥＡ"] },
  { deal_type: ["Re\u00adnewal"] },
  { industry: ["Ener\u200bgy"] },
  { product_labels: ["Ｃore"] },
  { searchQuery: "Fi\u00adrst" },
  { deal_ids: ["D_1"] },
  ...["0065g00000AbCdE", "0065g00000AbCdEAAV"].map((value) => ({ crm_two_ids: [value] })),
  { crm_one_ids: ["006AbC"] },
  { crm_filters: [{ property: "forecast__c", operator: "is", value: "COMMIT" }] },
  { crm_filters: [{ property: "FORECAST", operator: "is", value: "commit" }] },
  { crm_account_filters: [{ property: "Tier", operator: "is", value: "enterprise" }] },
  { crm_account_filters: [{ property: { map_to: "industry" }, operator: "is", value: "ENERGY" }] },
]

/** Unknown names: the filter, the value, the intended value, and the message. */
const UNKNOWN: ReadonlyArray<readonly [keyof DealFilters, string, string | undefined, RegExp]> = [
  ["status", "Lsot", "Lost", /status has no stage 'Lsot': there are Lost, Won \(did you mean Lost\?\)/],
  ["owner_ids", "Farah Rasmusen", "Farah Rasmussen", /has no owner 'Farah Rasmusen'/],
  ["collaborators", "o_farrah", "o_farah", /has no owner/],
  ["competitors", "Orvana", "Orvanta", /has no competitor 'Orvana'/],
  ["primary_competitors", "Zyzzyva", undefined, /there are Nimbrel, Orvanta/],
  ["driver_ids", "Prise", "Price", /has no reason/],
  ["feature_ids", "single-sign-on?", "Single Sign-On", /has no feature/],
  ["segment_ids", "Big Deal", "Big Deals", /has no segment/],
]

for (const engine of engines) {
  describe(`filter values on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      const setUp = Effect.gen(function* () {
        const web = yield* Web
        const { org, key } = yield* web.tenant()
        const report = yield* web.request("/api/v1/import", key, {
          method: "POST",
          headers: { "content-type": "application/x-ndjson" },
          body: RECORDS.map((record) => JSON.stringify(record)).join("\n"),
        })
        assert.strictEqual(report.json.failed, 0, report.text)
        const get = (filters: object, more = "") => {
          const query = Object.entries(filters).map(
            ([name, value]) => [name, JSON.stringify(value)] as [string, string],
          )
          return web.request(`/api/v1/deals?${new URLSearchParams(query)}${more}`, key)
        }
        const post = (body: object) =>
          web.request("/api/v1/deals/export", key, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          })
        return { org, get, post }
      })

      it.effect("name rows by id or name, ignoring case", () =>
        Effect.gen(function* () {
          const { get } = yield* setUp
          for (const filters of FOUND) {
            const { status, json } = yield* get(filters, "&columns=name")
            assert.deepStrictEqual([status, json], [200, [{ id: "d_1", name: "First" }]], JSON.stringify(filters))
          }
          const others = { owner_filter_type: "is not" }
          const { json } = yield* get(
            { owner_ids: ["FARAH rasmussen"] },
            `&${new URLSearchParams(others)}&columns=name`,
          )
          assert.deepStrictEqual(json, [{ id: "d_2", name: "Second" }])
        }),
      )

      it.effect("that name no row are all refused at once with suggestions, in lists and exports", () =>
        Effect.gen(function* () {
          const { get, post } = yield* setUp
          for (const [field, value, meant, message] of UNKNOWN) {
            const { status, json } = yield* get({ [field]: [value] })
            assert.strictEqual(status, 400, field)
            assert.match(json.error.message, message)
            const [problem] = json.error.details.invalid_fields
            assert.deepStrictEqual([problem.field, problem.did_you_mean], [field, meant])
            assert.strictEqual((yield* get({ [field]: [value] }, "&count=true")).status, 400)
          }
          const all = Object.fromEntries(UNKNOWN.map(([field, value]) => [field, [value]]))
          const fields = (reply: { json: any }) =>
            reply.json.error.details.invalid_fields.map(({ field }: { field: string }) => field)
          assert.sameMembers(fields(yield* get(all)), Object.keys(all))
          const within = yield* post({ columns: ["id", "crm_forcast"], filters: all })
          assert.sameMembers(fields(within), [...Object.keys(all).map((field) => `filters.${field}`), "columns"])
          assert.sameMembers(fields(yield* post({ columns: ["id"], ...all })), Object.keys(all))
          const property = yield* get({ crm_filters: [{ property: "Forcast", operator: "is", value: "x" }] })
          assert.strictEqual(property.json.error.details.invalid_fields[0].did_you_mean, "Forecast")
        }),
      )

      it.effect("of open sets match nothing if no deal has them", () =>
        Effect.gen(function* () {
          const { get } = yield* setUp
          for (const field of ["region", "industry", "deal_type", "product_labels", "deal_ids", "crm_one_ids"]) {
            const { status, json } = yield* get({ [field]: ["Nowhere"] })
            assert.deepStrictEqual([status, json], [200, []], field)
          }
        }),
      )

      it.effect("compare CRM ids exactly, because those of a CRM may differ only by case", () =>
        Effect.gen(function* () {
          const { get } = yield* setUp
          const idsOf = (values: ReadonlyArray<string>) =>
            Effect.map(get({ crm_one_ids: values }), ({ json }) => json.map(({ id }: { id: string }) => id).sort())
          assert.deepStrictEqual(yield* idsOf(["006ABC"]), ["d_2"])
          assert.deepStrictEqual(yield* idsOf(["006AbC"]), ["d_1"])
          assert.deepStrictEqual(yield* idsOf(["006abc"]), [])
        }),
      )

      it.effect("of columns name properties, metrics and answers by id or label too", () =>
        Effect.gen(function* () {
          const { get } = yield* setUp
          const columns = [
            "crm_forecast",
            "custom_metric_score_m_champion",
            "custom_answer_A_WHY",
            "crm_crm_one_account_TIER",
          ]
          const { json } = yield* get({ deal_ids: ["d_1"] }, `&columns=${columns.join(",")}`)
          assert.deepStrictEqual(json, [
            {
              id: "d_1",
              crm_forecast: "Commit",
              custom_metric_score_m_champion: 4,
              custom_answer_A_WHY: "Budget",
              crm_crm_one_account_TIER: "Enterprise",
            },
          ])
        }),
      )

      it.effect("cost one more statement if they name rows, and no more otherwise", () =>
        Effect.gen(function* () {
          const { org } = yield* setUp
          const database = yield* Database
          let statements = 0
          const counting = Database.of({
            ...database,
            scoped: (of, statement) => Effect.suspend(() => (statements++, database.scoped(of, statement))),
          })
          const deals = yield* Effect.provide(
            Deals,
            Layer.fresh(Deals.layer).pipe(Layer.provide(Layer.succeed(Database, counting))),
          )
          const cost = (filters: DealFilters) =>
            Effect.map(deals.count(org, filters), () => {
              const cost = statements
              statements = 0
              return cost
            })
          // A host's first call also asks whether the organization exists.
          assert.strictEqual(yield* cost({}), 2)
          assert.strictEqual(yield* cost({}), 1)
          assert.strictEqual(yield* cost({ region: ["emea"], deal_ids: ["d_1"], amount: { min: 1 } }), 1)
          assert.strictEqual(yield* cost({ status: ["won"] }), 2)
          assert.strictEqual(
            yield* cost({ status: ["won"], owner_ids: ["o_ida"], competitors: ["Orvanta"], segment_ids: ["seg_big"] }),
            2,
          )
        }),
      )
    })
  })
}
