import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Database } from "../../src/core/storage/Database.ts"
import { imported } from "../catalogue/catalogue.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

/** The close dates of each deal, one after the other. */
const CLOSE_DATES = {
  slipped: ["2026-03-10", "2026-04-05"],
  twice: ["2026-03-31", "2026-06-30", "2026-09-01"],
  within: ["2026-02-01", "2026-03-31"],
  back: ["2026-03-31", "2026-07-01", "2026-03-20"],
  earlier: ["2026-07-01", "2026-04-01"],
  cleared: ["2026-03-10", null],
  late: [null, "2026-04-05"],
  untracked: ["2025-12-31", "2026-02-02"],
} as const

const during = (from: string, to: string) => `slipped_from=${encodeURIComponent(JSON.stringify({ from, to }))}`

for (const engine of engines) {
  describe(`slipped deals on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      const setUp = Effect.gen(function* () {
        const { request, tenant } = yield* Web
        const { sql, transaction } = yield* Database
        const { org, key } = yield* tenant()
        yield* transaction(
          org,
          sql`update organizations set close_dates_since = '2026-01-01T00:00:00Z' where id = ${org}`,
        )
        const rounds = Math.max(...Object.values(CLOSE_DATES).map(({ length }) => length))
        for (let n = 0; n < rounds; n++) {
          const records = Object.entries(CLOSE_DATES).flatMap(([id, dates]) =>
            n < dates.length ? [{ type: "deal", id, name: id, close_date: dates[n] }] : [],
          )
          yield* imported(key, records)
        }
        return {
          key,
          report: (query: string) => Effect.map(request(`/api/v1/deals/report?${query}`, key), ({ json }) => json),
          behind: (url: string) =>
            Effect.map(request(url, key), ({ json }) => json.map(({ id }: { id: string }) => id).toSorted()),
        }
      })

      it.effect("close in a later fiscal quarter than they did, and the links behind the number have them", () =>
        Effect.gen(function* () {
          const { key, report, behind } = yield* setUp
          const all = yield* report("measures=slipped")
          assert.deepStrictEqual([all.totals.values.slipped, all.meta.since], [2, "2026-01-01"])
          assert.deepStrictEqual(yield* behind(all.totals.drills.slipped.deals_url), ["slipped", "twice"])
          const rows: Array<readonly [string, number, ReadonlyArray<string>]> = []
          const { data } = yield* report(
            "measures=slipped&group_by=slipped_from.quarter&having=%7B%22slipped%22:%7B%22min%22:1%7D%7D",
          )
          for (const { group, values, drills } of data)
            rows.push([group["slipped_from.quarter"], values.slipped, yield* behind(drills.slipped.deals_url)])
          assert.deepStrictEqual(rows, [
            ["2026-Q1", 2, ["slipped", "twice"]],
            ["2026-Q2", 1, ["twice"]],
          ])
          const { request } = yield* Web
          const headers = { "content-type": "application/json" }
          const body = JSON.stringify({ fiscal_start: 3 })
          assert.strictEqual((yield* request("/api/v1/workspace", key, { method: "PUT", headers, body })).status, 200)
          // The quarters are March to May and June to August.
          const fiscal = yield* report("measures=slipped")
          assert.deepStrictEqual(yield* behind(fiscal.totals.drills.slipped.deals_url), ["twice", "within"])
        }),
      )

      it.effect("are unknown in quarters before close dates were tracked, also in comparisons", () =>
        Effect.gen(function* () {
          const { report } = yield* setUp
          const reasons = { slipped: "close dates are tracked since 2026-01-01" }
          const before = yield* report(`measures=slipped&${during("2025-10-01", "2025-12-31")}`)
          assert.deepStrictEqual([before.totals.values.slipped, before.meta.reasons], [null, reasons])
          const compared = yield* report(
            `measures=slipped&${during("2026-01-01", "2026-03-31")}&compare=previous_period`,
          )
          const { values, previous } = compared.totals
          assert.deepStrictEqual([values.slipped, previous.slipped, compared.meta.reasons], [2, null, reasons])
          const later = yield* report(`measures=slipped&${during("2026-04-01", "2026-06-30")}&compare=previous_period`)
          assert.deepStrictEqual([later.totals.values.slipped, later.totals.previous.slipped], [1, 2])
          assert.isUndefined(later.meta.reasons)
        }),
      )
    })
  })
}
