import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"
import { post } from "./support.ts"

const LEFT = 5

for (const engine of engines) {
  describe(`the quota of exports on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("admits as many valid requests as are left, despite concurrent invalid ones", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, key } = yield* web.tenant({ plan: "enterprise" })
          const { transaction, sql } = yield* Database
          yield* web.request("/api/v1/usage", key)
          yield* transaction(
            org,
            sql`update organization_usage set exports_used = ${1000 - LEFT} where org_id = ${org}`,
          )
          const invalid = [{ columns: ["nmae"] }, { columns: ["crm_nonsense"] }, { columns: [] }, { columns: ["fts"] }]
          const bodies = Array.from({ length: 40 }, (_, n) => (n % 4 === 3 ? { columns: ["name"] } : invalid[n % 4]))
          const replies = yield* Effect.forEach(bodies, (body) => post(key, body), { concurrency: "unbounded" })
          const statuses = replies.map(({ status }) => status)
          assert.deepStrictEqual(
            [202, 400, 429].map((status) => statuses.filter((each) => each === status).length),
            [LEFT, 30, 10 - LEFT],
            statuses.join(" "),
          )
          const refused = replies.find(({ status }) => status === 429)!
          assert.deepStrictEqual(refused.json.error.details, { scope: "export" })
          assert.isAbove(Number(refused.headers.get("retry-after")), 0)
          assert.strictEqual(refused.headers.get("x-ratelimit-limit"), "1000")
        }),
      )
    })
  })
}
