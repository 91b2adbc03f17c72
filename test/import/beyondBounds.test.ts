import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Import } from "../../src/core/import/Import.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { runExport } from "../exports/support.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

for (const engine of engines.slice(0, 1)) {
  describe(`an export of deals beyond the bounds of values, on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("says which value of a deal that an earlier version stored is beyond which bound", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, key } = yield* web.tenant()
          const { sql, transaction } = yield* Database
          const ids = ["large", "long", "early", "late", "born", "score", "fine"]
          yield* (yield* Import).records(
            org,
            Stream.fromIterable(
              ids.map((id) => ({
                type: "deal",
                id,
                name: id,
                amount: 5,
                created_at: "2026-01-01",
                custom_metrics: { Fit: { score: 1 } },
              })),
            ),
          )
          const beyond = sql`update deals set
            amount = case id when 'large' then 2e13 when 'long' then 0.30000000000000004 else amount end,
            close_date = case id when 'early' then date '1899-12-31' when 'late' then date '2999-12-31' end,
            custom_metrics = case id when 'score' then replace(custom_metrics::text, '"score": 1', '"score": 20000000000000')::jsonb else custom_metrics end,
            created_at = case id when 'born' then timestamptz '2201-01-01T00:00:00Z' else created_at end
            where org_id = ${org}`
          yield* transaction(org, Effect.andThen(beyond, sql`delete from deal_json where org_id = ${org}`))
          const exported = yield* runExport(key, { columns: ["*", "custom_metric_score_Fit"] })
          const { received, unchanged, failed, errors } = (yield* web.request("/api/v1/import?type=deal", key, {
            method: "POST",
            body: exported.text,
            headers: { "content-type": "text/csv" },
          })).json
          assert.deepStrictEqual({ received, unchanged, failed }, { received: 7, unchanged: 1, failed: 6 })
          const years = "must be of the years 1900 to 2200"
          const digits = "must be from -10000000000000 to 10000000000000 and have at most 15 significant digits"
          assert.sameDeepMembers(
            errors.map(({ field, value, reason }: any) => [field, value, reason.replace(/, (?:not|unlike) .*/, "")]),
            [
              ["amount", "20000000000000", digits],
              ["amount", "0.30000000000000004", digits],
              ["close_date", "1899-12-31", years],
              ["close_date", "2999-12-31", years],
              ["created_at", "2201-01-01T00:00:00.000Z", years],
              ["custom_metrics.Fit.score", "20000000000000", "must be between -10000000000000 and 10000000000000"],
            ],
          )
        }),
      )
    })
  })
}
