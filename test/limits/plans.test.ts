import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { problemsOfPlans } from "../../src/core/access/plans.ts"
import { ApiKeys, type NotReady, open, Organizations, type Plans, type Sightline } from "../../src/core/Sightline.ts"
import { layerEmbedded } from "../support/embedded.ts"
import { migratedPostgresUrl } from "../support/engines.ts"
import { oneConnection } from "../support/oneConnection.ts"
import { SqlClient } from "effect/sql/SqlClient"

const free: Plans = {
  free: { requestsPerMinute: null, requestsPerKey: null, requestsPerMonth: null, exportsPerMonth: null },
}
const slow: Plans = {
  free: { requestsPerMinute: 2, requestsPerKey: 2, requestsPerMonth: 100, exportsPerMonth: 1 },
}

const create = (sightline: Sightline, plan: string) =>
  sightline.run(Organizations.use((organizations) => organizations.create({ name: "Acme", plan })))

describe("plans of a host's own on PostgreSQL", () => {
  it("are written at the start, and the last start wins and says so", async () => {
    const url = await Effect.runPromise(migratedPostgresUrl)
    const logged: Array<string> = []
    const start = async (plans: Plans) => {
      const telemetry = Logger.layer([Logger.make(({ message }) => void logged.push(JSON.stringify(message)))])
      const database = layerPostgres({ url: Redacted.make(url) })
      const sightline = await open({ database, plans, telemetry, background: false })
      await sightline.ready({ seconds: 600 })
      return sightline
    }
    await using first = await start(free)
    const { id } = await create(first, "free")
    const { key } = await first.run(ApiKeys.use((keys) => keys.create(id, { name: "host", role: "owner" })))
    const read = async (path: string) => {
      const headers = { authorization: `Bearer ${key}` }
      const reply = await first.handler(new Request(`http://localhost/api/v1${path}`, { headers }))
      return { reply, json: (await reply.json()) as any }
    }
    const { reply } = await read("/workspace")
    assert.strictEqual(reply.headers.get("x-ratelimit-limit"), "1000000")
    assert.strictEqual(reply.headers.get("x-ratelimit-remaining"), "1000000")
    const { organization, keys } = (await read("/usage")).json
    assert.include(organization.requests_per_minute, { limit: null, used: 2, remaining: null })
    assert.include(organization.exports_per_month, { limit: null, used: 0, remaining: null })
    assert.deepStrictEqual(keys[0].requests_per_minute, { limit: null, used: 2, remaining: null })

    await using _again = await start(free)
    assert.notInclude(logged.join(), "has new limits")
    await using _second = await start(slow)
    assert.include(logged.join(), "the plan 'free' has new limits")
    assert.strictEqual((await read("/workspace")).reply.status, 429)
    await using _without = await start({})
    assert.strictEqual((await create(first, "free")).plan, "free")
  })

  it("name the login that must write them", async () => {
    const url = new URL(await Effect.runPromise(migratedPostgresUrl))
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* sql.unsafe(`create role plan_reader login password 'plan_reader' in role sightline_app`)
        }).pipe(Effect.provide(oneConnection(url.href))),
      ),
    )
    url.username = url.password = "plan_reader"
    await using sightline = await open({
      database: layerPostgres({ url: Redacted.make(url.href) }),
      plans: free,
      background: false,
    })
    const error = await sightline.ready({ seconds: 600 }).catch((error: NotReady) => error)
    assert.deepInclude(error, { _tag: "NotReady", reason: "unusable" })
    assert.include((error as NotReady).message, "migrationUrl")
  })
})

describe("plans of a host's own on PGlite", () => {
  it("are written at the start; an unknown plan is refused with those that exist", async () => {
    await using sightline = await open({ database: layerEmbedded, plans: free, background: false })
    await sightline.ready({ seconds: 600 })
    assert.strictEqual((await create(sightline, "free")).plan, "free")
    const refusal = await create(sightline, "fre").catch((error: unknown) => error as any)
    assert.strictEqual(refusal._tag, "BadRequest")
    assert.include(
      refusal.message,
      'must be one of enterprise, essentials, free, growth, unlimited, not "fre" (did you mean free?)',
    )
  })
})

describe("the options of plans", () => {
  const limits = free["free"]!
  it("accept whole numbers and null", () => {
    assert.isEmpty(problemsOfPlans({}))
    assert.isEmpty(problemsOfPlans({ "a-1": { ...limits, requestsPerMinute: 1 } }))
  })

  for (const [value, part] of [
    [null, "must be an object of plans by name"],
    [[], "must be an object of plans by name"],
    [{ growth: limits }, "cannot change 'growth'"],
    [{ Mine: limits }, "has the name 'Mine'"],
    [{ mine: 1 }, "must give 'mine' an object"],
    [{ mine: { ...limits, requestsPerMinutes: 1 } }, "Did you mean 'requestsPerMinute'?"],
    [{ mine: { ...limits, requestsPerMonth: undefined } }, "lacks 'mine.requestsPerMonth'"],
    [{ mine: { ...limits, requestsPerKey: 0 } }, "has 0 as 'mine.requestsPerKey'"],
    [{ mine: { ...limits, exportsPerMonth: 1.5 } }, "has 1.5 as 'mine.exportsPerMonth'"],
    [{ mine: { ...limits, exportsPerMonth: 2 ** 31 } }, "; it must be a whole number from 1 to 2147483646"],
  ] as const) {
    it(`refuse ${JSON.stringify(value)}`, async () => {
      assert.include(problemsOfPlans(value).join("; "), part)
      const refusal = await open({ database: layerEmbedded, plans: value as never }).catch((e: unknown) => e as any)
      assert.strictEqual(refusal._tag, "InvalidOptions")
      assert.include(refusal.message, part)
    })
  }
})
