import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Import } from "../../src/core/import/Import.ts"
import { engines } from "../support/engines.ts"
import {
  bytesOf,
  counted,
  counts,
  deal,
  ndjson,
  newOrganization,
  rows,
  services,
  staleJson,
} from "../catalogue/support.ts"

const WORKSPACE = [
  { type: "association", id: "as1", deal: "opp-1", feature: "SSO", sentiment: true, tags: ["must", "have"] },
  {
    type: "deal",
    id: "d1",
    crm_one_id: "opp-1",
    name: "Acme rollout",
    amount: 1250.5,
    status: "Closed won",
    previous_status: "negotiation",
    close_date: "2026-03-31",
    created_at: "2026-01-02T03:04:05+02:00",
    owner: "Ann",
    collaborators: ["o2", { name: "o2" }],
    client: "acc-9",
    deal_type: "New business",
    region: "EMEA",
    product_labels: ["Beta", "Alpha"],
    competitors: [{ competitor: "Rival", is_primary: true }, "k2"],
    drivers: [
      { reason: "Price", positive: false, summary: "too dear" },
      { reason: { id: "r1" }, positive: true },
    ],
    summary: { executive_summary: "Went well" },
    scorecard: { product_fit: { score: 4.5, explanation: "fits" }, relationship: { score: 2 } },
    deal_analyzed: true,
    crm_properties: { forecast: "commit", seats: "40", renewal: "2027-01-01T10:00:00Z", strategic: "yes" },
    custom_metrics: { "Deal Health": { score: 7, explanation: "green" } },
    custom_answers: { "Why us": "Speed" },
  },
  { type: "client", crm_one_id: "acc-9", name: "Acme", industry: "software", crm_properties: { tier: 1 } },
  { type: "crm_property", crm: "crm_one", object: "account", id: "tier", label: "Tier", data_type: "number" },
  { type: "crm_property", crm: "crm_one", object: "deal", id: "forecast", data_type: "text" },
  { type: "crm_property", crm: "crm_one", object: "deal", id: "seats", data_type: "number" },
  { type: "crm_property", crm: "crm_two", object: "deal", id: "renewal", data_type: "date" },
  { type: "crm_property", crm: "crm_two", object: "deal", id: "strategic", data_type: "boolean" },
  { type: "owner", id: "o2", name: "Bo", email: "bo@example.com" },
  { type: "competitor", id: "k2", name: "Kappa" },
  { type: "reason", id: "r1", name: "Security", category: "product" },
  { type: "stage", id: "s1", name: "Negotiation", category: "open", position: 3 },
  { type: "feature", name: "SSO", product: "Core", product_area: "Access" },
  { type: "metric", name: "deal health" },
  {
    type: "segment",
    name: "Big",
    filters: { amount: { min: 1000 }, crm_filters: [{ property: "forecast", operator: "is", value: "commit" }] },
  },
]

for (const engine of engines) {
  describe(`import on ${engine.name}`, () => {
    layer(services(engine), { excludeTestServices: true })((it) => {
      it.effect("imports a workspace in any order, and changes nothing the second time", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const first = yield* ndjson(org, WORKSPACE)
          assert.deepStrictEqual(first.errors, [])
          assert.deepStrictEqual(counts(first), counted(WORKSPACE.length, { created: WORKSPACE.length }))
          const columns = [
            "*",
            "crm_forecast",
            "crm_seats",
            "crm_renewal",
            "crm_strategic",
            "crm_crm_one_account_tier",
            "custom_metric_score_dealhealth",
            "custom_metric_explanation_DealHealth",
            "custom_answer_whyus",
          ]
          const found = yield* deal(org, "d1", columns)
          const { updated_at } = found
          assert.strictEqual(found.deal_status, "Closed won")
          assert.strictEqual(found.previous_status_id, "s1")
          assert.strictEqual(found.created_at, "2026-01-02T01:04:05.000Z")
          assert.strictEqual(found.owner_name, "Ann")
          assert.strictEqual(found.client_name, "Acme")
          assert.deepStrictEqual(
            found.collaborators.map((each: any) => each.name),
            ["Bo", "o2"],
          )
          assert.deepStrictEqual(found.product_labels, ["Alpha", "Beta"])
          assert.deepStrictEqual(
            found.competitors.map((each: any) => [each.name, each.is_primary]),
            [
              ["Rival", true],
              ["Kappa", false],
            ],
          )
          assert.deepStrictEqual(
            found.drivers.map((each: any) => [each.name, each.positive, each.summary]),
            [
              ["Price", false, "too dear"],
              ["Security", true, null],
            ],
          )
          assert.deepStrictEqual(found.scorecard.product_fit, { score: 4.5, explanation: "fits" })
          assert.deepStrictEqual(found.scorecard.relationship, { score: 2, explanation: null })
          assert.deepStrictEqual(
            found.features.map((each: any) => [each.name, each.tags]),
            [["SSO", ["must", "have"]]],
          )
          assert.deepStrictEqual(
            found.segments.map((each: any) => each.name),
            ["Big"],
          )
          assert.deepStrictEqual(
            columns.slice(1).map((column) => found[column]),
            ["commit", 40, "2027-01-01T10:00:00.000Z", true, 1, 7, "green", "Speed"],
          )
          const stages = yield* rows<{ name: string; category: string }>(org, "stages", "name")
          assert.deepStrictEqual(
            stages.map(({ name, category }) => [name, category]),
            [
              ["Closed won", "won"],
              ["Negotiation", "open"],
            ],
          )
          assert.deepStrictEqual(yield* staleJson(org), [])

          const again = yield* ndjson(org, WORKSPACE.toReversed())
          assert.deepStrictEqual(counts(again), counted(WORKSPACE.length, { unchanged: WORKSPACE.length }))
          assert.strictEqual((yield* deal(org, "d1")).updated_at, updated_at)
        }),
      )

      it.effect("keeps omitted fields, clears null fields, and merges maps by key", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* ndjson(org, WORKSPACE)
          const report = yield* ndjson(org, [
            {
              type: "deal",
              crm_one_id: "opp-1",
              amount: null,
              owner: null,
              competitors: null,
              scorecard: { product_fit: { score: 5 }, relationship: null },
              crm_properties: { seats: null },
              custom_answers: null,
            },
          ])
          assert.deepStrictEqual(counts(report), counted(1, { updated: 1 }))
          const found = yield* deal(org, "d1", [
            "*",
            "crm_forecast",
            "crm_seats",
            "custom_answer_whyus",
            "custom_metric_score_dealhealth",
          ])
          assert.deepStrictEqual(
            [
              found.amount,
              found.owner_id,
              found.competitors,
              found.name,
              found.close_date,
              found.crm_forecast,
              found.crm_seats,
            ],
            [null, null, [], "Acme rollout", "2026-03-31", "commit", null],
          )
          assert.deepStrictEqual(found.scorecard.product_fit, { score: 5, explanation: "fits" })
          assert.deepStrictEqual(found.scorecard.relationship, { score: null, explanation: null })
          assert.deepStrictEqual([found.custom_answer_whyus, found.custom_metric_score_dealhealth], [null, 7])
          assert.deepStrictEqual(yield* staleJson(org), [])
        }),
      )

      it.effect("skips a record with bad fields, reports each field, and imports the others", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const text = [
            '{"type":"deal","id":"ok","name":"Good"}',
            '{"type":"deal","id":"bad","name":"Bad","amount":"many","close_date":"2026-02-30","colour":"red","scorecard":{"product_fit":{"score":9}},"owner":"Never made"}',
            "not json",
            "",
            '{"type":"nothing"}',
            '{"type":"deal","id":"p","name":"P","crm_properties":{"unheard":1}}',
            '{"type":"deal","id":"q","name":"Q","owner":{"id":"nobody"},"client":"Never made either"}',
            '{"type":"deal","id":"nul","name":"a\\u0000b"}',
            '{"type":"association","deal":"missing","feature":"X"}',
            '{"type":"deal","id":"new without a name"}',
            '{"type":"deal","id":"half","name":"\\ud800 half"}',
            `{"type":"deal","id":"long","name":"${"x".repeat(1_100_000)}"}`,
            '{"type":"owner","id":"last","name":"After a long line"}',
          ].join("\r\n")
          const report = yield* (yield* Import).run(org, { format: "ndjson", bytes: bytesOf(text) })
          assert.deepStrictEqual(counts(report), counted(12, { created: 3, failed: 9 }))
          assert.deepStrictEqual(report.errors.map(({ line, field }) => `${line} ${field}`).sort(), [
            "10 name",
            "12 record",
            "2 amount",
            "2 close_date",
            "2 colour",
            "2 scorecard.product_fit.score",
            "3 record",
            "5 type",
            "6 crm_properties.unheard",
            "7 owner",
            "8 name",
            "9 deal",
          ])
          assert.deepStrictEqual(
            (yield* rows<{ id: string }>(org, "deals", "id")).map(({ id }) => id),
            ["half", "ok"],
          )
          assert.deepStrictEqual(
            (yield* rows<{ name: string }>(org, "owners")).map(({ name }) => name),
            ["After a long line"],
          )
          assert.deepStrictEqual(yield* rows(org, "clients"), [])
          for (const { reason } of report.errors) assert.notMatch(reason, /select|insert|constraint|\/src\//i)
        }),
      )

      it.effect("stored JSON follows renames of competitors and reasons", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* ndjson(org, WORKSPACE)
          yield* ndjson(org, [
            { type: "competitor", id: "k2", name: "Omega" },
            { type: "reason", id: "r1", name: "Safety" },
          ])
          assert.deepStrictEqual(yield* staleJson(org), [])
          const found = yield* deal(org, "d1")
          assert.include(
            found.competitors.map((each: any) => each.name),
            "Omega",
          )
          assert.include(
            found.drivers.map((each: any) => each.name),
            "Safety",
          )
        }),
      )

      it.effect("keeps deferred records of a long file in the database, and removes them at the end", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const deals = Array.from({ length: 2600 }, (_, n) => ({
            type: "deal",
            id: `d${n}`,
            name: `Deal ${n}`,
            owner: { id: "late" },
          }))
          const records = [...deals, { type: "owner", id: "late", name: "Late" }]
          const seen: Array<number> = []
          const report = yield* (yield* Import).records(org, Stream.fromIterable(records), {
            inMemory: 1,
            onProgress: ({ created }) => Effect.sync(() => void seen.push(created)),
          })
          assert.deepStrictEqual(counts(report), counted(2601, { created: 2601 }))
          assert.deepStrictEqual(yield* rows(org, "import_pages"), [])
          assert.deepStrictEqual(
            seen.toSorted((a, b) => a - b),
            seen,
          )
          assert.isAbove(seen.length, 4)
        }),
      )

      it.effect("a value that the database rejects fails only its own record", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const report = yield* ndjson(org, [
            { type: "deal", id: "a", name: "A" },
            { type: "deal", id: "b", name: "B", created_at: "0001-01-01T00:00:00+14:00" },
            { type: "deal", id: "c", name: "C" },
          ])
          assert.deepStrictEqual(counts(report), counted(3, { created: 2, failed: 1 }))
          assert.deepStrictEqual(
            report.errors.map(({ line }) => line),
            [2],
          )
        }),
      )
    })
  })
}
