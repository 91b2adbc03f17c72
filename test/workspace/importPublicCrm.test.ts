import { existsSync, readFileSync } from "node:fs"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Import, type ImportFile } from "../../src/core/workspace/Import.ts"
import { parseMapping } from "../../src/core/workspace/import/mapping.ts"
import { engines } from "../support/engines.ts"
import { counted, newOrganization, pieces, rows, services, staleJson } from "./support.ts"

const FOLDER = new URL("../../../shared/data/crm/", import.meta.url)
const present = existsSync(FOLDER)
if (!present) console.warn(`the public CRM set is not at ${FOLDER.pathname}: its import is not tested here`)

const FILES: ReadonlyArray<readonly [string, ImportFile<never>["type"], string, ImportFile<never>["dates"], number]> = [
  ["accounts.csv", "client", "account=name,sector=industry,account_id=crm_one_id", "ISO", 85],
  ["products.csv", "feature", "product=name,series=product", "ISO", 7],
  ["sales_teams.csv", "owner", "sales_agent=name", "ISO", 35],
  [
    "sales_pipeline.csv",
    "deal",
    "opportunity_id=crm_one_id,sales_agent=owner,account=client,deal_stage=status,close_value=amount,engage_date=created_at,product=product_labels,account+product=name",
    "MDY",
    8800,
  ],
]

for (const engine of engines) {
  describe.skipIf(!present)(`a public CRM set on ${engine.name}`, () => {
    layer(services(engine), { excludeTestServices: true })((it) => {
      it.effect("lands whole in four runs, and changes nothing a second time", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const all = Effect.forEach(FILES, ([name, type, map, dates]) =>
            Effect.flatMap(Import, (imports) => {
              const bytes = pieces(readFileSync(new URL(name, FOLDER)), 65_536)
              return imports.run(org, { format: "csv", type, map: parseMapping(map), dates, bytes })
            }),
          )
          for (const outcome of ["created", "unchanged"]) {
            const started = performance.now()
            assert.deepStrictEqual(
              yield* all,
              FILES.map(([, , , , lines]) => ({ ...counted(lines, { [outcome]: lines }), errors: [] })),
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
