import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

const deal = (
  id: string,
  status: string,
  close_date: string,
  amount: number | null,
  ...competitors: ReadonlyArray<string>
) => ({
  type: "deal",
  id,
  name: id,
  status,
  close_date,
  amount,
  created_at: "2025-01-01",
  competitors: competitors.map((competitor) => ({ competitor })),
})

/** Two competitors share a name. */
const RECORDS = [
  { type: "stage", id: "won", name: "Won", category: "won" },
  { type: "stage", id: "lost", name: "Lost", category: "lost" },
  { type: "competitor", id: "k1", name: "Orvanta" },
  { type: "competitor", id: "k2", name: "=Nimbrel" },
  deal("d1", "Won", "2025-02-10", 10_000, "k1"),
  deal("d2", "Lost", "2025-02-11", 20_000, "k1", "k2"),
  deal("d3", "Lost", "2025-05-12", 30_000, "k1"),
  deal("d4", "Won", "2025-05-13", null),
]

for (const engine of engines) {
  describe(`reports over HTTP on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      const setUp = Effect.gen(function* () {
        const { request, tenant } = yield* Web
        const { key } = yield* tenant()
        const body = RECORDS.map((record) => JSON.stringify(record)).join("\n")
        const headers = { "content-type": "application/x-ndjson" }
        const imported = yield* request("/api/v1/import", key, { method: "POST", body, headers })
        assert.strictEqual(imported.json.failed, 0, imported.text)
        return (query: string, init?: RequestInit) => request(`/api/v1/deals/report?${query}`, key, init)
      })

      it.effect("groups deals, counts each once in the totals, and cuts the rest into others", () =>
        Effect.gen(function* () {
          const report = yield* setUp
          const { json } = yield* report("measures=win_rate,deals,amount&group_by=competitor&order_by=-deals&limit=1")
          assert.deepStrictEqual(json.data[0].group, { competitor: { id: "k1", name: "Orvanta" } })
          assert.deepStrictEqual(json.data[0].values, { win_rate: 1 / 3, deals: 3, amount: 60_000 })
          assert.strictEqual(json.data[0].intervals.win_rate.n, 3)
          assert.deepStrictEqual(json.data[0].filters, { competitors: ["k1"] })
          assert.deepStrictEqual(json.totals.values, { win_rate: 0.5, deals: 4, amount: 60_000 })
          assert.deepStrictEqual(json.other, { groups: 2, values: { win_rate: 0.5, deals: 2, amount: 20_000 } })
          assert.deepStrictEqual(json.meta.overlapping, ["competitor"])
          assert.strictEqual(json.meta.without_amount, 1)
          const web = yield* Web
          const { key } = yield* web.tenant()
          const foreign = yield* web.request(json.data[0].deals_url, key)
          assert.strictEqual(foreign.status, 400, "the link needs the key of its organization")
        }),
      )

      it.effect("compares a period with the one before, each group with its own", () =>
        Effect.gen(function* () {
          const report = yield* setUp
          const period = "close_date[from]=2025-04-01&close_date[to]=2025-06-30&compare=previous_period"
          const { json } = yield* report(`${period}&measures=deals,amount_avg&group_by=close_date.month`)
          assert.deepStrictEqual(
            json.data.map((row: any) => [row.group["close_date.month"], row.values, row.previous, row.change]),
            [
              [
                "2025-05",
                { deals: 2, amount_avg: 30_000 },
                { deals: 2, amount_avg: 15_000 },
                { deals: 0, amount_avg: 15_000 },
              ],
            ],
          )
          assert.deepStrictEqual(json.meta.compared.earlier, { from: "2025-01-01", to: "2025-03-31" })
          const outcomes = yield* report(`${period}&group_by=competitor`)
          const k1 = outcomes.json.data.find((row: any) => row.group.competitor.id === "k1")
          assert.deepStrictEqual([k1.values, k1.previous, k1.change], [{ deals: 1 }, { deals: 2 }, { deals: -1 }])
        }),
      )

      it.effect("names quarters and years by the fiscal year", () =>
        Effect.gen(function* () {
          const report = yield* setUp
          const { json } = yield* report("group_by=close_date.quarter,close_date.year&fiscal_start=4")
          assert.deepStrictEqual(
            json.data.map((row: any) => [...Object.values(row.group), row.filters.close_date]),
            [
              ["2025-Q4", "2025", { from: "2025-01-01", to: "2025-03-31" }],
              ["2026-Q1", "2026", { from: "2025-04-01", to: "2025-06-30" }],
            ],
          )
        }),
      )

      it.effect("is a table of CSV if the caller accepts that, without formulas", () =>
        Effect.gen(function* () {
          const report = yield* setUp
          const reply = yield* report("group_by=competitor&order_by=competitor", { headers: { accept: "text/csv" } })
          assert.strictEqual(reply.headers.get("content-type"), "text/csv; charset=utf-8")
          const lines = reply.text.split("\r\n")
          assert.strictEqual(lines[0], "competitor_id,competitor,deals,deals_url")
          assert.isTrue(lines[1]!.startsWith("k2,'=Nimbrel,1,http"), lines[1])
          assert.strictEqual((yield* report("", { headers: { accept: "image/png" } })).status, 406)
        }),
      )

      it.effect("lists every unknown name with the nearest, in one error", () =>
        Effect.gen(function* () {
          const report = yield* setUp
          const { status, json } = yield* report(
            "measures=win_rte&group_by=rep&having={%22decidd%22:{%22min%22:1}}&compare=previous_year",
          )
          assert.strictEqual(status, 400)
          assert.deepStrictEqual(
            json.error.details.invalid_fields.map((each: any) => [each.field, each.did_you_mean]),
            [
              ["measures", "win_rate"],
              ["having", "decided"],
              ["group_by", "owner"],
              ["compare", undefined],
            ],
          )
          const grain = yield* report("group_by=close_date")
          assert.include(grain.text, "close_date.quarter")
        }),
      )
    })
  })
}
