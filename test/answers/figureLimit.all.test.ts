import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { FigureLinks } from "../../src/core/answers/figures/FigureLinks.ts"
import { MAX_FIGURES } from "../../src/core/answers/figures/layerFigureLinks.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

/** Rows in a statement, which the database ends after 5 s, on a busy machine as well. */
const PART = MAX_FIGURES / 100

for (const engine of engines) {
  describe(`the figures of an organization on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("are at most 100,000, the newest", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org } = yield* web.tenant()
          const { scoped, sql, transaction } = yield* Database
          // In parts, each with the time of a request.
          for (let from = 0; from < MAX_FIGURES; from += PART)
            yield* transaction(
              org,
              sql`insert into figures (org_id, id, query, answered, created_at, expires_at)
                select ${org}, 'old ' || n, '{}', '{}', now() - interval '1 hour', now() + interval '1 day'
                from generate_series(${from + 1}::int, ${from + PART}::int) n`,
            )
          const links = yield* FigureLinks
          const made = yield* Effect.forEach(Array.from({ length: 300 }), (_, n) => {
            const query = { measures: ["deals"], groupBy: [], filters: {}, limit: n + 1 }
            const report = { data: [], totals: { values: { deals: 0 } } }
            return links.url(org, { figure: { subject: "deals", query }, report, currency: undefined }, undefined)
          })
          const [row] = yield* scoped<{ readonly count: number }>(
            org,
            sql`select count(*)::int as count from figures where org_id = scope.org`,
          )
          assert.isBelow(row!.count, MAX_FIGURES + 300)
          for (const link of made.slice(-3)) assert.strictEqual((yield* web.request(link!.url, "")).status, 200)
        }),
      )
    })
  })
}
