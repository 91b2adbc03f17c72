import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { feedOf } from "../../src/core/changes/sql.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/workspace/Organizations.ts"
import { explain } from "../deals/plans.ts"
import { engines } from "../support/engines.ts"

const THINGS = 6_000
const SIZE = 50

for (const engine of engines) {
  const services = Layer.provideMerge(Organizations.layer, Layer.provideMerge(Database.layer, engine.database))

  describe(`the feed of ${THINGS} things on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      it.effect("is read from its two indexes, and little more than the page", () =>
        Effect.gen(function* () {
          const { sql, transaction } = yield* Database
          const { id: org } = yield* (yield* Organizations).create({ name: "Acme", plan: "enterprise" })
          // Each of 300 transactions created things, and changed or deleted older ones: written by the tables' owner.
          const written = [
            sql`set local role none`,
            sql`insert into changes (org_id, type, id, created_xact, xact, deleted)
              select ${org}, 'deal', 'deal_' || n, (n % 300)::text::xid8, (n % 300 + n % 3 * 50)::text::xid8, n % 9 = 0
              from generate_series(1, ${THINGS}::int) n`,
            sql`analyze changes`,
          ]
          yield* transaction(org, Effect.all(written, { discard: true }))
          const page = feedOf(sql, { xact: "120", type: "deal", id: "deal_5" }, { types: ["deal"], size: SIZE })
          const { nodes, indexes, scanned } = yield* explain(org, page)
          assert.includeMembers([...indexes], ["changes_created", "changes_since"])
          assert.notInclude(scanned, "changes")
          const read = nodes.filter((node) => node["Relation Name"] === "changes")
          const rows = read.map((node) => node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0))
          assert.isAtMost(Math.max(...rows), 2 * SIZE)
        }),
      )
    })
  })
}
