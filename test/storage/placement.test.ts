import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { PLACEMENTS } from "../../src/core/storage/placement.ts"
import { layerEmbedded } from "../support/embedded.ts"
import { citus, whereIs } from "../support/engines.ts"

interface Placed {
  readonly name: string
  readonly placement: string
  readonly group: number | null
}

describe("the placement of tables", () => {
  it.live("names every table of the schema", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const tables = yield* sql<{ name: string }>`select relname as name from pg_class
        where relnamespace = 'sightline'::regnamespace and relkind in ('r', 'p') order by 1`
      assert.deepStrictEqual(
        Object.keys(PLACEMENTS).toSorted(),
        tables.map(({ name }) => name),
      )
    }).pipe(Effect.provide(layerEmbedded)),
  )

  describe("on Citus", whereIs(citus), () => {
    it.live("is that of the cluster's catalog, with all distributed tables on the same shards", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const placed = yield* sql<Placed>`select c.relname as name, p.colocationid as "group",
            case when p.logicalrelid is null then 'local' when p.repmodel = 't' then 'reference'
              when p.partmethod = 'h' then 'distributed' else 'unknown' end as placement
          from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
          where c.relnamespace = 'sightline'::regnamespace and c.relkind = 'r'`
        assert.deepStrictEqual(Object.fromEntries(placed.map(({ name, placement }) => [name, placement])), PLACEMENTS)
        const groups = placed.filter(({ placement }) => placement === "distributed").map(({ group }) => group)
        assert.strictEqual(new Set(groups).size, 1)
      }).pipe(Effect.provide(citus.database)),
    )
  })
})
