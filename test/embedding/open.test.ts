import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { afterAll, beforeAll } from "vitest"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { layerEmbedded } from "../support/embedded.ts"
import { lateEffect } from "../support/until.ts"
import { ApiKeys, Database, Import, type NotReady, open, Organizations } from "../../src/core/Sightline.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const refused = new SqlError({
  reason: new ConnectionError({ cause: new Error("connect ECONNREFUSED 10.1.2.3:5432"), operation: "connect" }),
})

/** One engine for all instances. */
const shared = Effect.runPromise(
  Effect.map(Layer.buildWithScope(layerEmbedded, Scope.makeUnsafe()), (context) => Layer.succeedContext(context)),
)

/** A database that refuses its first connections. */
const flaky = (refusals: number) => {
  const seen = { attempts: 0, inFlight: 0, mostInFlight: 0 }
  const layer = Layer.unwrap(
    Effect.gen(function* () {
      seen.attempts++
      seen.mostInFlight = Math.max(seen.mostInFlight, ++seen.inFlight)
      yield* lateEffect(50)
      seen.inFlight--
      if (seen.attempts <= refusals) return yield* refused
      return yield* Effect.promise(() => shared)
    }),
  )
  return { layer, seen }
}

const get = (path = "/health/ready") => new Request(`http://localhost${path}`)

describe("open", () => {
  beforeAll(() => shared)

  it("answers 503 while the database is down, and opens it later by itself", async () => {
    const { layer, seen } = flaky(2)
    const sightline = await open({ database: layer })
    const replies = await Promise.all([1, 2, 3].map(() => sightline.handler(get())))
    for (const reply of replies) {
      assert.strictEqual(reply.status, 503)
      assert.isNotNull(reply.headers.get("retry-after"))
      assert.isNotNull(reply.headers.get("x-request-id"))
      const { error } = (await reply.json()) as any
      assert.strictEqual(error.code, "service_unavailable")
      assert.notInclude(error.message, "10.1.2.3")
    }
    await sightline.ready({ seconds: 600 })
    assert.strictEqual((await sightline.handler(get())).status, 200)
    assert.deepStrictEqual(seen, { attempts: 3, inFlight: 0, mostInFlight: 1 })
    await sightline.dispose()
  })

  it("lets requests wait for the attempt in flight", async () => {
    await using sightline = await open({ database: flaky(0).layer })
    assert.strictEqual((await sightline.handler(get())).status, 200)
  })

  it("rejects `ready` with the last error when the time is over", async () => {
    await using sightline = await open({ database: flaky(Infinity).layer })
    await sightline.handler(get())
    const error = await sightline.ready({ seconds: 0.2 }).catch((error: NotReady) => error)
    assert.deepInclude(error, { _tag: "NotReady", reason: "unreachable" })
    assert.include((error as NotReady).message, "ECONNREFUSED")
  })

  it("rejects `ready` at once if waiting does not help", async () => {
    const database = Layer.effect(SqlClient, Effect.die(new Error("migration 7 failed")))
    await using sightline = await open({ database })
    const error = await sightline.ready({ seconds: 600 }).catch((error: NotReady) => error)
    assert.deepInclude(error, { _tag: "NotReady", reason: "unusable", message: "migration 7 failed" })
    const reply = await sightline.handler(get())
    assert.strictEqual(reply.status, 503)
    assert.include(await reply.text(), "the service did not start; its log says why")
  })

  it("rejects invalid options with every problem", async () => {
    const options = {
      databse: layerPglite(),
      library: {},
      signingSecret: "short",
      operatorKey: `${"k".repeat(32)} `,
      publicUrl: "https://api.example.com/api/v1",
      basePath: "intel/",
      linkDays: 0.5,
      docs: "no",
      parent: { traceId: "0af7651916cd43dd8448eb211c80319c" },
      corsOrigins: ["https://app.example.com/"],
      background: { kinds: ["docs"], concurency: 3 },
      compressor: true,
    }
    const error = await open(options as never).catch((error: unknown) => error as any)
    assert.strictEqual(error._tag, "InvalidOptions")
    assert.sameMembers(
      error.problems.map(({ option }: any) => option),
      [
        "databse",
        "library",
        "signingSecret",
        "operatorKey",
        "publicUrl",
        "basePath",
        "linkDays",
        "docs",
        "parent",
        "corsOrigins",
        "background",
        "background",
        "compressor",
        "database",
      ],
    )
    assert.include(error.message, "`databse` is no option. Did you mean `database`?")
    assert.include(error.message, "`operatorKey` must have no white space")
    assert.notInclude(error.message, '"short"')
    for (const part of [
      "not 0.5",
      'not "no"',
      'not "intel/"',
      'but has "https://app.example.com/"; write "https://app.example.com"',
      "must be an object of two functions: brotli(), which makes a transform stream, and whole(body, algorithm), not true",
      "has 'concurency'. Did you mean 'concurrency'?",
      '`background` has "docs" among its kinds',
    ])
      assert.include(error.message, part)
    assert.strictEqual(
      ((await open(undefined as never).catch((error: unknown) => error)) as any)._tag,
      "InvalidOptions",
    )
  })

  describe("an open service", () => {
    const opened = open({ database: flaky(0).layer })
    afterAll(async () => (await opened).dispose())

    it("runs a host's effects on its services, and answers with their results", async () => {
      const { run, handler } = await opened
      const { id } = await run(
        Organizations.use((organizations) => organizations.create({ name: "A", plan: UNLIMITED })),
      )
      const { key } = await run(ApiKeys.use((keys) => keys.create(id, { name: "host", role: "owner" })))
      // Frameworks pass a second argument of their own.
      const mounted = handler as (request: Request, context: unknown) => Promise<Response>
      const headers = { authorization: `Bearer ${key}` }
      const reply = await mounted(new Request("http://localhost/api/v1/deals", { headers }), { params: {} })
      assert.deepStrictEqual([reply.status, await reply.json()], [200, []])
    })

    it("rejects `run` with the effect's own error", async () => {
      const { run } = await opened
      const failed = run(ApiKeys.use((keys) => keys.find("org_none", "key_none")))
      assert.strictEqual(await failed.catch((error: any) => error._tag), "NotFound")
    })

    it("names what `handler`, `run` and `Import.records` take, if they get something else", async () => {
      const { run, handler } = await opened
      const messageOf = (call: Promise<unknown>) => call.then(String, (error: any) => error.message as string)
      assert.include(await messageOf(handler("http://localhost" as never)), '`handler` takes a Request, not "http://')
      assert.include(await messageOf(run((async () => 1) as never)), "`run` takes an effect, such as")
      const { id } = await run(Organizations.use(({ create }) => create({ name: "B", plan: UNLIMITED })))
      const records = run(Import.use((importing) => importing.records(id, [{ type: "deal" }] as never)))
      assert.include(await messageOf(records), "records must be a stream, such as Stream.fromIterable(records)")
    })

    it("gives an Effect host its context", async () => {
      const { services } = await opened
      const program = Database.use(({ sql, unscoped }) => unscoped<{ one: number }>(sql`select 1 as one`))
      const rows = await Effect.runPromise(Effect.flatMap(services, (context) => Effect.provide(program, context)))
      assert.deepStrictEqual(rows, [{ one: 1 }])
    })
  })

  it("refuses requests and effects after dispose, which may be called twice", async () => {
    const sightline = await open({ database: flaky(0).layer })
    await sightline.ready({ seconds: 600 })
    await Promise.all([sightline.dispose(), sightline.dispose()])
    assert.strictEqual((await sightline.handler(get())).status, 503)
    const outcome = sightline.run(Organizations.use(({ find }) => find("org_none")))
    assert.deepInclude(await outcome.catch((error: unknown) => error), { _tag: "NotReady", reason: "disposed" })
  })

  it("ends an attempt in flight on dispose", async () => {
    const sightline = await open({ database: Layer.effect(SqlClient, Effect.never) })
    const waiting = sightline.ready().catch((error: NotReady) => error.reason)
    await sightline.dispose()
    assert.strictEqual(await waiting, "disposed")
  })
})
