import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { MAX_WAITING } from "../../src/core/storage/Permits.ts"
import { migratedPostgresUrl } from "../support/engines.ts"
import { oneConnection } from "../support/oneConnection.ts"
import { untilEffect } from "../support/until.ts"
import { layerWeb, Web } from "../support/web.ts"

describe("an organization that asks for more reports than wait in its line", () => {
  it.live("gets 429, which spends its minute and not its month, while another organization is served", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const url = yield* migratedPostgresUrl
        // One report at a time.
        const database = layerPostgres({ url: Redacted.make(url), connections: 3 })
        const { request, tenant } = Context.get(
          yield* Layer.build(layerWeb(database, undefined, undefined, false)),
          Web,
        )
        const admin = yield* Effect.provide(SqlClient, yield* Layer.build(oneConnection(url)))
        const [busy, other] = [yield* tenant({ plan: "enterprise" }), yield* tenant()]
        const report = (n: number) =>
          request(`/api/v1/deals/report?measures=deals&group_by=competitor&limit=${n}`, busy.key)

        const sent = MAX_WAITING.heavy + 2
        const { refused, replies } = yield* admin.withTransaction(
          Effect.gen(function* () {
            yield* admin`lock table sightline.deal_competitors in access exclusive mode`
            const first = yield* Effect.forkChild(report(1))
            yield* untilEffect(
              "a report waits for the lock",
              Effect.map(
                admin`select from pg_locks where not granted and relation = 'sightline.deal_competitors'::regclass`,
                (rows) => rows.length > 0,
              ),
            )
            const fibers = [first]
            for (let n = 2; n <= sent; n++) fibers.push(yield* Effect.forkChild(report(n)))
            const refused = yield* untilEffect(
              "a report is refused",
              Effect.sync(() =>
                fibers
                  .map((fiber) => fiber.pollUnsafe())
                  .flatMap((exit) => (exit?._tag === "Success" ? [exit.value] : []))
                  .find(({ status }) => status === 429),
              ),
            )
            const tool = yield* request("/mcp", busy.key, {
              method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify({
                jsonrpc: "2.0",
                id: 1,
                method: "tools/call",
                params: { name: "report_deals", arguments: { measures: ["deals"], group_by: ["competitor"] } },
              }),
            })
            assert.strictEqual(tool.status, 429, tool.text)
            const count = yield* request("/api/v1/deals?count=true", other.key)
            assert.deepStrictEqual([count.status, count.json], [200, { count: 0 }])
            return { refused, replies: Effect.forEach(fibers, Fiber.join) }
          }),
        )
        const all = yield* replies
        const { code, message, details } = refused.json.error
        assert.deepStrictEqual([code, details], ["rate_limit_exceeded", { scope: "concurrency" }])
        assert.match(message, /^1 report or question of this organization is running; at most 1 run at once/)
        assert.strictEqual(refused.headers.get("x-ratelimit-limit"), "1")
        assert.strictEqual(refused.headers.get("x-ratelimit-remaining"), "0")
        assert.isAtLeast(Number(refused.headers.get("retry-after")), 1)
        assert.isAbove(Number(refused.headers.get("x-ratelimit-reset")), Date.now() - 60_000)

        // With the tool of MCP.
        const refusals = all.filter(({ status }) => status === 429).length + 1
        assert.deepStrictEqual(
          all.filter(({ status }) => status !== 429 && status !== 200),
          [],
        )
        assert.isAtMost(refusals, sent)
        let looks = 0
        const { minute, month } = yield* untilEffect(
          "the month is given back",
          Effect.map(request("/api/v1/usage", busy.key), ({ json }) => {
            const { requests_per_minute, requests_per_month } = json.organization
            // Each look is a request too.
            return requests_per_month.used === sent + 1 + ++looks - refusals
              ? { minute: requests_per_minute, month: requests_per_month }
              : undefined
          }),
        )
        // A new minute may have begun.
        if (minute.used > refusals + looks) assert.strictEqual(minute.used - month.used, refusals)
      }),
    ),
  )
})
