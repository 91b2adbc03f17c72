import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Database } from "../../src/core/storage/Database.ts"
import { reusePlans } from "../../src/core/storage/sql.ts"
import { allEngines, whereIs } from "../support/engines.ts"
import { ndjson, newOrganization, services } from "../catalogue/support.ts"

for (const engine of allEngines) {
  describe(`plans on ${engine.name}`, whereIs(engine), () => {
    layer(services(engine), { excludeTestServices: true })((it) => {
      it.effect("are reused where the rows are, in the transaction that asks for it and in no other", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* ndjson(org, [{ type: "deal", id: "d1", name: "Deal" }])
          const { sql, transaction } = yield* Database
          // The column keeps Citus from computing it on the coordinator.
          const mode = Effect.map(
            sql<{
              mode: string
            }>`select current_setting('plan_cache_' || left('mode' || id, 4)) as mode from deals where org_id = ${org}`,
            ([row]) => row?.mode,
          )
          assert.strictEqual(yield* transaction(org, Effect.andThen(reusePlans(sql), mode)), "auto")
          assert.strictEqual(yield* transaction(org, mode), "force_custom_plan")
        }),
      )
    })
  })
}
