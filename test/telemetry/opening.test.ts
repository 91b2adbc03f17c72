import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { vi } from "vitest"
import { type NotReady, open } from "../../src/core/Sightline.ts"
import { layerEmbedded } from "../support/embedded.ts"
import { until } from "../support/until.ts"
import { makeRecorder, parentOf } from "./recorder.ts"

const refused = new SqlError({
  reason: new ConnectionError({ cause: new Error("connect ECONNREFUSED 10.1.2.3:5432"), operation: "connect" }),
})

/** A database that refuses its first connections, and logs when it closes. */
const flaky = (refusals: number, events: Array<string> = []) => {
  let attempts = 0
  return Layer.unwrap(
    Effect.gen(function* () {
      // Unlike `Effect.addFinalizer`, this logs by the logger of the closing.
      yield* Scope.addFinalizer(yield* Effect.scope, Effect.logInfo("the database closes"))
      yield* Effect.addFinalizer(() => Effect.sync(() => events.push("database")))
      return ++attempts <= refusals ? Layer.effect(SqlClient, Effect.fail(refused)) : layerEmbedded
    }),
  )
}

const get = () => new Request("http://localhost/health/ready?secret=markquery")

describe("a host's telemetry", () => {
  it("gets what each attempt to open logs, and what the closing logs, and closes last", async () => {
    const { layer, lines } = makeRecorder()
    const events: Array<string> = []
    const telemetry = Layer.effectDiscard(
      Effect.acquireRelease(
        Effect.sync(() => events.push("telemetry opens")),
        () => Effect.sync(() => events.push("telemetry closes")),
      ),
    ).pipe(Layer.merge(layer))
    const printed = vi.spyOn(console, "log").mockImplementation(() => {})
    try {
      const sightline = await open({ database: flaky(2, events), telemetry })
      await sightline.ready({ seconds: 600 })
      const notOpen = "the service is not open yet: connect ECONNREFUSED 10.1.2.3:5432"
      assert.deepStrictEqual(
        lines.filter((line) => line.includes("not open")),
        [notOpen, notOpen],
      )
      await sightline.dispose()
      assert.deepStrictEqual(events, ["telemetry opens", "database", "database", "database", "telemetry closes"])
      // An attempt that fails closes its database, too.
      assert.lengthOf(
        lines.filter((line) => line === "the database closes"),
        3,
      )
      assert.strictEqual(printed.mock.calls.length, 0, JSON.stringify(printed.mock.calls))
    } finally {
      printed.mockRestore()
    }
  })

  it("gets a span and a line of a request that is refused before the service is open", async () => {
    const { layer, lines, spans } = makeRecorder()
    const ids = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" }
    await using sightline = await open({
      database: flaky(Infinity),
      telemetry: layer,
      parent: () => ({ ...ids, traceFlags: 1 }),
    })
    const reply = await sightline.handler(get())
    assert.strictEqual(reply.status, 503)
    assert.deepStrictEqual(
      spans.map(({ name }) => name),
      ["GET /health/ready"],
    )
    assert.deepInclude(parentOf(spans[0]), ids)
    assert.include(lines, `replied in ${ids.traceId}`)
    assert.notInclude(JSON.stringify([...spans[0]!.attributes]), "markquery")
  })

  it("is named by `ready` and the log while it cannot be built, and is built again by the next attempt", async () => {
    const { layer, lines } = makeRecorder()
    let isUp = false
    const telemetry = Layer.unwrap(
      Effect.suspend(() => (isUp ? Effect.succeed(layer) : Effect.die(new Error("no collector at 10.1.2.3")))),
    )
    const printed = vi.spyOn(console, "log").mockImplementation(() => {})
    try {
      await using sightline = await open({ database: flaky(0), telemetry })
      const error = await sightline.ready({ seconds: 600 }).catch((error: NotReady) => error)
      const message = "`telemetry` could not be built: no collector at 10.1.2.3"
      assert.deepInclude(error, { _tag: "NotReady", reason: "unusable", message })
      assert.include(String(printed.mock.calls[0]), message)
      const refusal = await sightline.handler(get())
      assert.strictEqual(refusal.status, 503)
      const text = await refusal.text()
      assert.include(text, "the service did not start; its log says why")
      assert.notInclude(text, "10.1.2.3")
      isUp = true
      await until("the next attempt opens it", async () => (await sightline.handler(get())).status === 200)
      assert.deepStrictEqual(lines, [])
    } finally {
      printed.mockRestore()
    }
  })

  it("closes when the host disposes a service that is not open yet", async () => {
    const events: Array<string> = []
    const telemetry = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => events.push("telemetry closes"))))
    const database = Layer.effect(
      SqlClient,
      Effect.onInterrupt(
        Effect.suspend(() => (events.push("database opens"), Effect.never)),
        () => Effect.sync(() => events.push("database is interrupted")),
      ),
    )
    const sightline = await open({ database, telemetry })
    await until("the attempt is in flight", () => events.length > 0)
    await sightline.dispose()
    assert.deepStrictEqual(events, ["database opens", "database is interrupted", "telemetry closes"])
  })
})
