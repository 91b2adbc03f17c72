import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

layer(layerWeb(engines[0].database), { excludeTestServices: true })((it) => {
  const post = (key: string, body: string, type: string, path = "/api/v1/import?type=deal") =>
    Effect.flatMap(Web, (web) => web.request(path, key, { method: "POST", body, headers: { "content-type": type } }))

  it.effect("a sum that no number holds is null, named in meta.out_of_range, beside the other measures", () =>
    Effect.gen(function* () {
      const { request, tenant } = yield* Web
      const { org, key } = yield* tenant()
      const { sql, transaction } = yield* Database
      yield* post(key, "id,name,region,amount\na,A,EMEA,1\nb,B,EMEA,1\nc,C,APAC,5\n", "text/csv")
      yield* transaction(org, sql`update deals set amount = 1.7e308 where org_id = ${org} and amount = 1`)
      const path = "/api/v1/deals/report?measures=amount,deals,amount_max,amount_median,share_of_amount&group_by=region"
      const { status, json, text } = yield* request(path, key)
      assert.strictEqual(status, 200, text)
      assert.deepStrictEqual(json.totals.values, {
        amount: null,
        deals: 3,
        amount_max: 1.7e308,
        amount_median: 1.7e308,
        share_of_amount: null,
      })
      const valuesOf = (region: string) => json.data.find((row: any) => row.group.region.name === region).values
      assert.deepInclude(valuesOf("EMEA"), { amount: null, deals: 2, share_of_amount: null })
      assert.deepInclude(valuesOf("APAC"), { amount: 5, deals: 1, share_of_amount: null })
      assert.sameMembers(json.meta.out_of_range, ["amount", "share_of_amount"])
      const inRange = yield* request('/api/v1/deals/report?measures=amount&region=["APAC"]', key)
      assert.strictEqual(inRange.json.meta.out_of_range, undefined)
      assert.strictEqual((yield* request("/api/v1/deals?columns=amount", key)).json.length, 3)
      const messages = [{ role: "user", content: "list all deals" }]
      const answer = yield* post(key, JSON.stringify({ messages }), "application/json", "/api/v1/responses")
      assert.include(answer.json?.message?.content ?? answer.text, "3 deals")
    }),
  )

  it.effect("refuses an amount or date that cannot be kept exactly, and shows it, in bodies, records and cells", () =>
    Effect.gen(function* () {
      const { request, tenant } = yield* Web
      const { key } = yield* tenant()
      const csv =
        "id,name,amount,close_date\nd1,One,1e14,2026-01-01\nd2,Two,5,1666-01-01\nd3,Three,9999999999999.9,2200-12-31\n"
      const imported = yield* post(key, csv, "text/csv")
      assert.deepInclude(imported.json, { created: imported.json.created, failed: 2 }, imported.text)
      const [amount, date] = imported.json.errors
      assert.deepInclude(amount, { line: 2, field: "amount", value: "100000000000000" })
      assert.include(amount.message ?? amount.reason, "must be from -10000000000000 to 10000000000000")
      assert.deepInclude(date, { line: 3, field: "close_date", value: "1666-01-01" })
      const patch = (body: object) =>
        request("/api/v1/deals/d3", key, {
          method: "PATCH",
          body: JSON.stringify(body),
          headers: { "content-type": "application/json" },
        })
      for (const [body, reason] of [
        [{ amount: 0.1 + 0.2 }, "unlike 0.30000000000000004"],
        [{ amount: -1e13 - 1 }, "unlike -10000000000001"],
        [{ close_date: "2201-01-01" }, "must be of the years 1900 to 2200, unlike 2201-01-01"],
        [{ custom_metrics: { fit: { score: 1e14 } } }, "must be between"],
      ] as const) {
        const refused = yield* patch(body)
        assert.strictEqual(refused.status, 400, refused.text)
        assert.include(refused.text, reason)
      }
      assert.strictEqual((yield* patch({ amount: -1e13 })).status, 200)
    }),
  )

  it.effect(
    "moves the dates and ages of filters to the bound, and refuses whole numbers and texts beyond their columns",
    () =>
      Effect.gen(function* () {
        const { request, tenant } = yield* Web
        const { key } = yield* tenant()
        // A table's 1900-01-01 stands for no day.
        const days = ["1900-01-01", "2200-12-31"].map((day, at) => ({ id: `d${at}`, name: day, close_date: day }))
        yield* post(key, days.map((each) => JSON.stringify(each)).join("\n"), "application/x-ndjson")
        const found = (query: string) => Effect.map(request(`/api/v1/deals?${query}`, key), ({ json }) => json.length)
        assert.strictEqual(yield* found("close_date[to]=1899-12-31"), 1)
        assert.strictEqual(yield* found("close_date[from]=0001-01-01&close_date[to]=9999-12-31"), 2)
        assert.strictEqual(yield* found("created_at[from]=9999-12-31T23:59:59Z"), 0)
        yield* Effect.forEach(["open_days[max]=2147483647", "open_days[min]=-2147483648"], found)
        const report = yield* request(
          "/api/v1/deals/report?compare=previous_period&close_date[from]=0001-01-01&close_date[to]=9999-12-31&fiscal_start=2&group_by=close_date.year",
          key,
        )
        assert.strictEqual(report.status, 200, report.text)
        assert.deepStrictEqual(report.json.meta.compared.period, { from: "1900-01-01", to: "2200-12-31" })
        for (const [query, reason] of [
          ["deals?open_days[min]=2147483648", "must be between -2147483648 and 2147483647, not 2147483648"],
          ["deals?region=%00", "must not contain a NUL character"],
          ["product-intelligence?tags=a%00b", "must not contain a NUL character"],
          ["product-intelligence?product=%00", "must not contain a NUL character"],
        ]) {
          const refused = yield* request(`/api/v1/${query}`, key)
          assert.strictEqual(refused.status, 400)
          assert.include(refused.text, reason!)
        }
      }),
  )
})
