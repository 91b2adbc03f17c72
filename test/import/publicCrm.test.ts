import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ALL } from "../support/extent.ts"
import { engines } from "../support/engines.ts"
import { FILES, importPublicCrm, present } from "../support/publicCrm.ts"
import { counted, counts, newOrganization, rows, services, staleJson } from "../catalogue/support.ts"
import { needs } from "../support/needs.ts"

for (const engine of ALL ? engines : engines.slice(1)) {
  describe(`a public CRM set on ${engine.name}`, needs("shared/data/crm", present), () => {
    layer(services(engine), { excludeTestServices: true })((it) => {
      it.effect("imports completely in four runs, and changes nothing the second time", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          for (const outcome of ["created", "unchanged"]) {
            const started = performance.now()
            assert.deepStrictEqual(
              (yield* importPublicCrm(org)).map(counts),
              FILES.map(([, , , , lines]) => counted(lines, { [outcome]: lines })),
            )
            const rate = Math.round(8927 / ((performance.now() - started) / 1000))
            console.info(`${engine.name}: 8,927 rows ${outcome}, ${rate} a second`)
          }
          const [sums] = yield* rows<{ n: number; won: number; closed: number; owners: number; clients: number }>(
            org,
            `(select org_id, count(*)::int as n, count(close_date)::int as closed, count(distinct owner_id)::int as owners,
              count(distinct client_id)::int as clients,
              (count(*) filter (where status_id in (select id from stages where category = 'won')))::int as won
              from deals group by org_id) sums`,
          )
          assert.strictEqual(sums?.n, 8800)
          assert.strictEqual(sums?.won, 4238)
          assert.strictEqual(sums?.closed, 4238 + 2473)
          assert.deepStrictEqual((yield* rows(org, "owners")).length, 35)
          assert.deepStrictEqual((yield* rows(org, "clients")).length, 85)
          assert.deepStrictEqual(yield* staleJson(org), [])
        }),
      )
    })
  })
}
