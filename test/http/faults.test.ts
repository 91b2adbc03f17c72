import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import * as HttpEffect from "effect/http/HttpEffect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { SqlClient } from "effect/sql/SqlClient"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { migratedPostgresUrl } from "../support/engines.ts"
import { startRelay } from "./relay.ts"
import { untilEffect } from "../support/until.ts"
import { oneConnection } from "../support/oneConnection.ts"
import { UNLIMITED } from "../support/unlimited.ts"

/** A service with a connection to PostgreSQL that tests can cut, tables that they can break, and a recorded log. */
const service = Effect.gen(function* () {
  const direct = yield* migratedPostgresUrl
  const through = new URL(direct)
  const relay = yield* Effect.acquireRelease(
    Effect.promise(() => startRelay(Number(through.port))),
    (relay) => Effect.promise(relay.cut),
  )
  through.port = String(relay.port)
  const logged: Array<string> = []
  const keep = Logger.make((options) => {
    logged.push(Logger.formatLogFmt.log(options))
  })
  const context = yield* Layer.build(
    Layer.provideMerge(
      Sightline.layerHttp({ database: layerPostgres({ url: Redacted.make(through.href), connections: 2 }) }),
      Logger.layer([keep]),
    ),
  )
  const { id } = yield* Context.get(context, Organizations).create({ name: "Faults", plan: UNLIMITED })
  const { key } = yield* Context.get(context, ApiKeys).create(id, { name: "faults", role: "owner" })
  const handler = HttpEffect.toWebHandlerWith<never, HttpServerRequest | Scope>(context)(
    Context.get(context, Sightline.HttpApp),
  )
  return {
    relay,
    logged,
    get: (path: string) =>
      Effect.promise(async () => {
        const reply = await handler(
          new Request(`http://localhost${path}`, { headers: { authorization: `Bearer ${key}` } }),
        )
        return { status: reply.status, headers: reply.headers, text: await reply.text() }
      }),
    /** Runs a statement as the tables' owner, without the service. */
    unsafe: (statement: string) =>
      Effect.provide(
        Effect.flatMap(SqlClient, (sql) => sql.unsafe(statement)),
        oneConnection(direct),
      ),
  }
})

/** Internals that a reply must not reveal: SQL, tables, files, stacks, the database's address or user. */
const INTERNALS = /select |relation|associations|sightline\.|\.ts\b|\n\s+at |postgres|127\.0\.0\.1/i

describe("server faults", () => {
  it.live("a failing statement gives 500 with a request id; only the log has the cause", () =>
    Effect.gen(function* () {
      const { get, logged, unsafe } = yield* service
      assert.strictEqual((yield* get("/api/v1/product-intelligence")).status, 200)
      yield* unsafe("alter table sightline.associations rename to taken_away")
      const reply = yield* get("/api/v1/product-intelligence")
      assert.strictEqual(reply.status, 500)
      assert.strictEqual(reply.headers.get("content-type"), "application/json")
      const { error } = JSON.parse(reply.text)
      assert.strictEqual(error.code, "internal_error")
      assert.deepStrictEqual(error.details, { request_id: reply.headers.get("x-request-id") })
      assert.match(reply.headers.get("x-ratelimit-remaining") ?? "", /^\d+$/)
      assert.notMatch(reply.text, INTERNALS)
      assert.isTrue(
        logged.some((line) => line.includes("associations") && line.includes(error.details.request_id)),
        logged.join("\n"),
      )
      assert.strictEqual((yield* get("/api/v1/deals?count=true")).status, 200)
    }).pipe(Effect.scoped),
  )

  it.live("an unreachable database gives 503 with Retry-After and not ready, until it is back", () =>
    Effect.gen(function* () {
      const { get, logged, relay } = yield* service
      assert.strictEqual((yield* get("/api/v1/deals")).status, 200)
      assert.strictEqual((yield* get("/health/ready")).status, 200)
      yield* Effect.promise(relay.cut)
      for (const path of ["/api/v1/deals", "/api/v1/product-intelligence", "/api/v1/usage", "/api/v1/keys"]) {
        const reply = yield* get(path)
        assert.strictEqual(reply.status, 503, reply.text)
        assert.strictEqual(reply.headers.get("retry-after"), "5")
        assert.strictEqual(JSON.parse(reply.text).error.code, "service_unavailable")
        assert.notMatch(reply.text, INTERNALS)
      }
      assert.strictEqual((yield* get("/health/ready")).status, 503)
      assert.strictEqual((yield* get("/health/live")).status, 200)
      assert.deepStrictEqual(
        logged.filter((line) => line.includes("request failed")),
        [],
      )
      yield* Effect.promise(relay.mend)
      const reply = yield* untilEffect(
        "the service answers",
        Effect.map(get("/api/v1/deals"), (reply) => reply.status !== 503 && reply),
      )
      assert.strictEqual(reply.status, 200, reply.text)
    }).pipe(Effect.scoped),
  )
})
