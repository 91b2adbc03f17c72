import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { selectFeed } from "../../src/core/changes/sql.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { explain } from "../deals/plans.ts"
import { engines } from "../support/engines.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const THINGS = 6_000
const SIZE = 50
/** Limit of blocks read to find the webhooks that are behind. */
const MAX_BLOCKS = 60

for (const engine of engines) {
  const services = Layer.provideMerge(layerOrganizations, Layer.provideMerge(Database.layer, engine.database))

  describe(`the feed of ${THINGS} things on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      it.effect("reads little more than a page, from its two indexes", () =>
        Effect.gen(function* () {
          const { sql, transaction } = yield* Database
          const { id: org } = yield* (yield* Organizations).create({ name: "Acme", plan: UNLIMITED })
          const webhooks = [0, 1, 2].map((n) => ({ id: `hook_${n}`, seen: n === 2 ? "0" : "9999999999" }))
          // Simulates 300 transactions that created things, and changed or deleted older ones. The tables' owner writes them.
          const written = [
            sql`set local role none`,
            sql`insert into changes (org_id, type, id, created_sequence, sequence, deleted)
              select ${org}, 'deal', 'deal_' || n, n % 300, n % 300 + n % 3 * 50, n % 9 = 0
              from generate_series(1, ${THINGS}::int) n`,
            sql`insert into change_feeds (org_id, last) values (${org}, 400)`,
            sql`insert into webhooks (org_id, id, url, event_types, secret, cursor, seen)
              select ${org}, x.id, 'https://a.example', '{}', '', '', x.seen::bigint
              from json_to_recordset(${JSON.stringify(webhooks)}::json) x(id text, seen text)`,
            // Samples every row: the plans do not depend on chance.
            sql`set local default_statistics_target = 10000`,
            sql`analyze changes, webhooks`,
          ]
          yield* transaction(org, Effect.all(written, { discard: true }))
          const page = selectFeed(sql, { sequence: "120", type: "deal", id: "deal_5" }, { types: ["deal"], size: SIZE })
          const { nodes, indexes, scanned } = yield* explain(org, page)
          assert.includeMembers([...indexes], ["changes_created", "changes_since"])
          assert.notInclude(scanned, "changes")
          const read = nodes.filter((node) => node["Relation Name"] === "changes")
          const rows = read.map((node) => node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0))
          assert.isAtMost(Math.max(...rows), 2 * SIZE)

          const behind = sql`select id from webhooks_behind(10)`
          assert.deepStrictEqual(yield* transaction(org, behind), [{ id: "hook_2" }])
          // Runs again, so that the blocks that planning reads are cached.
          const [
            {
              "QUERY PLAN": [{ Plan: plan }],
            },
          ] = (yield* transaction(org, sql`explain (analyze, buffers, format json) ${behind}`)) as any
          assert.isAtMost(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], MAX_BLOCKS)
        }),
      )
    })
  })
}
