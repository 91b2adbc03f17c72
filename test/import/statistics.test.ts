import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { ndjson, newOrganization, services } from "../catalogue/support.ts"

const deals = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ type: "deal", id: `d${n}`, name: `Deal ${n}`, client: `Client ${n}` }))

/** The number of deals at the last analysis; negative before the first. */
const analyzed = Effect.gen(function* () {
  const { sql, unscoped } = yield* Database
  const [row] = yield* unscoped<{ deals: number }>(
    sql`select reltuples::int as deals from pg_class where oid = 'deals'::regclass`,
  )
  return row!.deals
})

for (const engine of engines) {
  describe(`imports into a new database on ${engine.name}`, () => {
    layer(services(engine), { excludeTestServices: true })((it) => {
      // Without them, the planner checks each foreign key by reading all deals of the organization.
      it.effect("give the planner statistics after the first 100 deals, and only once", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const { sql, transaction } = yield* Database
          const disableAutovacuum = sql`alter table deals set (autovacuum_enabled = off)`
          yield* transaction(org, Effect.andThen(sql`set local role none`, disableAutovacuum))
          yield* ndjson(org, deals(100))
          assert.isBelow(yield* analyzed, 0)
          const report = yield* ndjson(org, deals(300))
          assert.deepInclude(report, { received: 300, created: 200, unchanged: 100 })
          assert.strictEqual(yield* analyzed, 100)
          yield* ndjson(yield* newOrganization, deals(300))
          assert.strictEqual(yield* analyzed, 100)
        }),
      )
    })
  })
}
