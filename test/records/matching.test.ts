import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engines } from "../support/engines.ts"
import { counted, counts, deal, ndjson, newOrganization, rows, services } from "../catalogue/support.ts"

for (const engine of engines) {
  describe(`matching records, on ${engine.name}`, () => {
    layer(services(engine), { excludeTestServices: true })((it) => {
      it.effect("matches by id, then CRM id, then name, and refuses ambiguous or conflicting ids", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* ndjson(org, [
            { type: "client", id: "c1", crm_one_id: "A", name: "Acme" },
            { type: "client", name: "Unclaimed" },
            { type: "owner", id: "o1", name: "Twin" },
            { type: "owner", id: "o2", name: "TWIN" },
            { type: "deal", id: "d1", name: "One", crm_one_id: "X", crm_two_id: "Y" },
          ])
          const report = yield* ndjson(org, [
            { type: "client", crm_one_id: "A", industry: "steel" },
            { type: "client", name: "ACME", website_url: "https://acme.example" },
            { type: "client", crm_one_id: "B", name: "unclaimed" },
            { type: "client", crm_one_id: "C", name: "Acme" },
            { type: "client", id: "c2", crm_one_id: "A", name: "Thief" },
            { type: "deal", name: "Two", owner: "twin" },
            { type: "deal", crm_one_id: "X", crm_two_id: "Z" },
            { type: "deal", crm_two_id: "Z", amount: 5 },
          ])
          assert.deepStrictEqual(
            report.errors.map(({ line, field }) => `${line} ${field}`),
            ["5 crm_one_id", "6 owner"],
          )
          assert.deepStrictEqual(counts(report), counted(8, { created: 1, updated: 5, failed: 2 }))
          const clients = yield* rows<{ id: string; name: string; crm_one_id: string; industry: string }>(
            org,
            "clients",
            "crm_one_id",
          )
          assert.deepStrictEqual(
            clients.map(({ name, crm_one_id, industry }) => [name, crm_one_id, industry]),
            [
              ["ACME", "A", "steel"],
              ["unclaimed", "B", null],
              ["Acme", "C", null],
            ],
          )
          assert.deepStrictEqual(
            (yield* rows<any>(org, "deals")).map(({ id, crm_two_id, amount }) => [id, crm_two_id, amount]),
            [["d1", "Z", 5]],
          )
        }),
      )

      it.effect("a deal with a CRM id that is new never matches another by name alone", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* ndjson(org, [{ type: "deal", id: "of-acme", name: "Renewal", amount: 1 }])
          for (const record of [
            { type: "deal", name: "Renewal", crm_one_id: "of-globex", amount: 2 },
            { type: "deal", name: "Renewal", crm_two_id: "of-initech", amount: 3 },
          ]) {
            assert.deepStrictEqual(counts(yield* ndjson(org, [record])), counted(1, { created: 1 }))
          }
          assert.deepStrictEqual(
            (yield* rows<any>(org, "deals", "amount")).map(({ amount, crm_one_id, crm_two_id }) => [
              amount,
              crm_one_id,
              crm_two_id,
            ]),
            [
              [1, null, null],
              [2, "of-globex", null],
              [3, null, "of-initech"],
            ],
          )
        }),
      )

      it.effect("refuses segments with invalid filters or other segments in them", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const report = yield* ndjson(org, [
            { type: "segment", name: "Nested", filters: { segment_ids: ["s"] } },
            { type: "segment", name: "Wrong", filters: { amount: { min: 3, max: 1 } } },
            {
              type: "segment",
              name: "Unknown",
              filters: { crm_filters: [{ property: "nope", operator: "is", value: 1 }] },
            },
            { type: "segment", name: "Old name", filters: { deal_analyzed: ["true"] } },
          ])
          assert.deepStrictEqual(
            report.errors.map(({ line, field }) => `${line} ${field}`),
            ["1 filters.segment_ids", "2 filters.amount", "3 filters.crm_filters[0].property"],
          )
          assert.deepStrictEqual(
            (yield* rows<{ filters: unknown }>(org, "segments")).map(({ filters }) => filters),
            [{ analyzed: true }],
          )
        }),
      )

      it.effect("matches associations without an id by deal, feature and time", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const at = "2026-01-01T00:00:00Z"
          const records = [
            { type: "deal", crm_two_id: "Y", name: "One" },
            { type: "association", deal: "Y", feature: "SSO", created_at: at, sentiment: true, tags: ["b", "a", "b"] },
            {
              type: "association",
              deal: { crm_two_id: "Y" },
              feature: "sso",
              created_at: "2026-02-01",
              sentiment: false,
            },
          ]
          assert.deepStrictEqual(counts(yield* ndjson(org, records)), counted(3, { created: 3 }))
          assert.deepStrictEqual(counts(yield* ndjson(org, records)), counted(3, { unchanged: 3 }))
          const third = yield* ndjson(org, [
            { ...records[1], sentiment: null },
            { type: "association", deal: "Y", feature: "SSO", sentiment: true },
          ])
          assert.deepStrictEqual(counts(third), counted(2, { updated: 1, failed: 1 }))
          assert.deepStrictEqual(
            (yield* rows<any>(org, "associations", "created_at")).map(({ sentiment, tags }) => [sentiment, tags]),
            [
              [null, ["b", "a"]],
              [false, []],
            ],
          )
        }),
      )

      it.effect("ignores names and ids of other organizations", () =>
        Effect.gen(function* () {
          const [mine, other] = [yield* newOrganization, yield* newOrganization]
          yield* ndjson(other, [
            { type: "owner", id: "o1", name: "Theirs" },
            { type: "deal", id: "d1", crm_one_id: "X", name: "Theirs" },
          ])
          const report = yield* ndjson(mine, [
            { type: "deal", id: "d1", crm_one_id: "X", name: "Mine", owner: "Theirs" },
            { type: "deal", id: "d2", name: "Not mine", owner: { id: "o1" } },
          ])
          assert.deepStrictEqual(counts(report), counted(2, { created: 1, failed: 1 }))
          assert.strictEqual((yield* deal(other, "d1")).name, "Theirs")
        }),
      )
    })
  })
}
