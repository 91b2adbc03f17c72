import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { imported } from "../catalogue/catalogue.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

const stage = (id: string, category: string) => ({ type: "stage", id, name: id, category })
const deal = (id: string, status: string, at: string) => ({
  type: "deal",
  id,
  name: id,
  status,
  updated_at: `${at}T12:00:00Z`,
})

/** `a` goes from demo over talks to won, `b` from demo to talks and back, and `c` stays in talks. */
const RECORDS = [
  stage("demo", "open"),
  stage("talks", "open"),
  stage("won", "won"),
  deal("a", "demo", "2026-01-05"),
  deal("b", "demo", "2026-01-20"),
  deal("c", "talks", "2026-02-01"),
  deal("a", "talks", "2026-02-10"),
  deal("b", "talks", "2026-02-12"),
  deal("b", "demo", "2026-02-20"),
  deal("a", "won", "2026-03-02"),
]
const FEBRUARY = encodeURIComponent(JSON.stringify({ from: "2026-02-01", to: "2026-02-28" }))

for (const engine of engines) {
  describe(`measures of stage changes on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      const setUp = Effect.gen(function* () {
        const { request, tenant } = yield* Web
        const { key } = yield* tenant()
        for (const record of RECORDS) yield* imported(key, [record])
        return {
          report: (query: string) => request(`/api/v1/deals/report?${query}`, key),
          behind: (url: string) =>
            Effect.map(request(url, key), ({ json }) => json.map(({ id }: { id: string }) => id).toSorted()),
        }
      })

      it.effect("count the deals that entered or left each stage in a period, and link to them", () =>
        Effect.gen(function* () {
          const { report, behind } = yield* setUp
          const rowsOf = (measure: string) =>
            Effect.gen(function* () {
              const { json } = yield* report(`measures=${measure}&group_by=status&stage_changed_at=${FEBRUARY}`)
              const rows: Array<readonly [string, number, ReadonlyArray<string>]> = []
              for (const { group, values, drills } of json.data)
                rows.push([group.status.id, values[measure], yield* behind(drills[measure].deals_url)])
              return rows
            })
          assert.deepStrictEqual(yield* rowsOf("stage_entered"), [
            ["talks", 3, ["a", "b", "c"]],
            ["demo", 1, ["b"]],
          ])
          const left = yield* rowsOf("stage_left")
          assert.deepStrictEqual(
            left.filter(([id]) => id !== null),
            [
              ["demo", 2, ["a", "b"]],
              ["talks", 1, ["b"]],
            ],
          )
        }),
      )

      it.effect("count by the month of the change, and refuse `status` beside both", () =>
        Effect.gen(function* () {
          const { report } = yield* setUp
          const { json } = yield* report(
            "measures=stage_entered&group_by=stage_changed_at.month&entered_stages=talks&entered_stages=won",
          )
          assert.deepStrictEqual(
            json.data.map(({ group, values }: any) => [group["stage_changed_at.month"], values.stage_entered]),
            [
              ["2026-02", 3],
              ["2026-03", 1],
            ],
          )
          const refused = yield* report("measures=stage_entered,stage_left&group_by=status")
          assert.strictEqual(refused.status, 400)
          assert.strictEqual(refused.json.error.details.invalid_fields[0].field, "group_by")
        }),
      )
    })
  })
}
