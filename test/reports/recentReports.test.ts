import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Report } from "../../src/core/reports/contract.ts"
import { layerReports } from "../../src/core/reports/layerReports.ts"
import type { ReportQuery } from "../../src/core/reports/Reports.ts"
import { RecentReports } from "../../src/core/reports/RecentReports.ts"
import { Reports } from "../../src/core/reports/Reports.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { NAMED_RECORDS, ndjson, organizationWith, rolledBack, services } from "../catalogue/support.ts"
import { baseUrl } from "./support.ts"

const WORKSPACE = [
  ...NAMED_RECORDS,
  { type: "stage", id: "lost", name: "Lost", category: "lost" },
  { type: "client", id: "c1", name: "Client", industry: "Retail", crm_properties: { tier: "gold" } },
  { type: "crm_property", crm: "crm_one", object: "account", id: "tier", data_type: "text" },
  { type: "feature", id: "f1", name: "SSO", product: "Core" },
  { type: "reason", id: "r1", name: "Price", category: "Money" },
  ...[1000, 2000, 3000].map((amount, n) => ({
    type: "deal",
    id: `d${n}`,
    name: `Deal ${n}`,
    amount,
    status: n === 0 ? "Lost" : "Won",
    owner: "Ann",
    client: { id: "c1" },
    close_date: `2025-0${n + 2}-10`,
    competitors: ["Orvanta"],
    drivers: [{ reason: { id: "r1" }, positive: true }],
    custom_metrics: { Health: { score: n + 1 } },
  })),
  { type: "association", id: "a1", deal: "d1", feature: "SSO", sentiment: true },
]

const QUERIES: ReadonlyArray<ReportQuery> = [
  { subject: "deals", measures: ["win_rate", "deals", "amount"], groupBy: ["competitor"], limit: 1, filters: {} },
  { subject: "deals", groupBy: ["close_date.quarter", "status"], filters: {} },
  { subject: "deals", groupBy: ["owner", "outcome"], filters: {} },
  { subject: "deals", groupBy: ["industry", "crm_crm_one_account_tier"], filters: {} },
  { subject: "deals", groupBy: ["segment"], filters: {} },
  { subject: "deals", groupBy: ["driver_category", "driver_effect"], filters: { segment_ids: ["s1"] } },
  { subject: "deals", measures: ["custom_metric_m1_avg"], groupBy: ["driver"], filters: {} },
  {
    subject: "deals",
    compare: "previous_year",
    groupBy: ["client"],
    filters: { close_date: { from: "2026-01-01", to: "2026-12-31" } },
  },
  { subject: "associations", measures: ["mentions", "positive"], groupBy: ["feature", "product"], filters: {} },
]

/** Each changes what some of the queries return. */
const WRITES: ReadonlyArray<object> = [
  { type: "deal", id: "d0", amount: 1600 },
  { type: "deal", id: "d3", name: "New", client: "Other", competitors: ["Nimbrel"], close_date: "2026-03-01" },
  { type: "deal", id: "d2", deleted: true },
  { type: "deal", id: "d1", drivers: [{ reason: { id: "r1" }, positive: false }] },
  { type: "stage", id: "lost", category: "won" },
  { type: "stage", id: "lost", name: "Abandoned" },
  { type: "competitor", name: "Orvanta", website_url: "https://orvanta.example" },
  { type: "owner", name: "Ann", email: "ann@example.com" },
  { type: "client", id: "c1", industry: "Energy" },
  { type: "client", id: "c1", crm_properties: { tier: "silver" } },
  { type: "feature", id: "f1", product: "Edge" },
  { type: "reason", id: "r1", category: "Budget" },
  { type: "metric", id: "m1", name: "Fitness" },
  { type: "segment", id: "s1", filters: { amount: { min: 1900 } } },
  { type: "segment", id: "s1", name: "All of them" },
  { type: "association", id: "a1", sentiment: false },
  { type: "association", id: "a2", deal: "d0", feature: "Audit log" },
  { type: "association", id: "a1", deleted: true },
]

const run = (org: string, query: ReportQuery) => Effect.flatMap(Reports, (reports) => reports.run(org, query))

const runAll = (org: string) => Effect.forEach(QUERIES, (query) => run(org, query))

/** The same reports, computed without what the other service has in memory. */
const computeAll = (org: string) => Effect.provide(runAll(org), Layer.fresh(layerReports))

for (const engine of engines) {
  describe(`the cache of reports on ${engine.name}`, () => {
    const all = layerReports.pipe(Layer.provideMerge(Layer.merge(services(engine), baseUrl)))
    layer(all, { excludeTestServices: true })((it) => {
      it.effect("answers again without the deals, for its organization alone", () =>
        Effect.gen(function* () {
          const [org, other] = [yield* organizationWith(WORKSPACE), yield* organizationWith(WORKSPACE)]
          const before = yield* runAll(org)
          const { sql, transaction } = yield* Database
          // A writer that breaks the rules: it does not advance the sequence.
          for (const each of [org, other]) yield* transaction(each, sql`delete from deals where org_id = ${each}`)
          assert.deepStrictEqual(yield* runAll(org), before)
          assert.strictEqual((yield* run(other, QUERIES[0]!)).totals.values["deals"], 0)
          assert.strictEqual((yield* computeAll(org))[0]!.totals.values["deals"], 0)
        }),
      )

      it.effect("is never older than the last write of any kind", () =>
        Effect.gen(function* () {
          const org = yield* organizationWith(WORKSPACE)
          let before = yield* runAll(org)
          for (const record of WRITES) {
            const report = yield* ndjson(org, [record])
            assert.strictEqual(report.created + report.updated + report.deleted, 1, JSON.stringify([record, report]))
            const after = yield* runAll(org)
            assert.deepStrictEqual(after, yield* computeAll(org), JSON.stringify(record))
            if (!["competitor", "owner"].includes((record as { type: string }).type)) {
              assert.notDeepEqual(after, before, JSON.stringify(record))
            }
            before = after
          }
          yield* (yield* Organizations).change(org, { fiscal_start: 4 })
          const after = yield* runAll(org)
          assert.deepStrictEqual(after, yield* computeAll(org))
          assert.notDeepEqual(after, before)
        }),
      )

      it.effect("keeps nothing of a transaction that is rolled back", () =>
        Effect.gen(function* () {
          const org = yield* organizationWith(WORKSPACE)
          const { sql } = yield* Database
          yield* rolledBack(
            org,
            Effect.gen(function* () {
              yield* sql`delete from deals where org_id = ${org}`
              assert.strictEqual((yield* run(org, QUERIES[0]!)).totals.values["deals"], 0)
            }),
          )
          assert.strictEqual((yield* run(org, QUERIES[0]!)).totals.values["deals"], 3)
        }),
      )
    })
  })
}

describe("the reports in memory", () => {
  const reportOf = (rows: number) => ({ data: Array.from({ length: rows }, () => ({})) }) as unknown as Report

  it("are those used last, and of bounded size", () => {
    const recent = new RecentReports()
    recent.put("kept", reportOf(1000))
    for (let n = 0; n < 1000; n++) {
      recent.put(`${n}`, reportOf(1000))
      assert.isDefined(recent.get("kept"))
    }
    assert.isAtMost(recent.size, 20)
    assert.isUndefined(recent.get("0"))
    assert.isDefined(recent.get("999"))
    for (let n = 0; n < 5000; n++) recent.put(`empty ${n}`, reportOf(0))
    assert.isAtMost(recent.size, 1000)
  })
})
