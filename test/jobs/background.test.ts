import { assert, describe, it, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import type { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { layerLibrary } from "../../src/adapters/library.ts"
import { JobQueue } from "../../src/core/jobs/JobQueue.ts"
import { ApiKeys, Database, layer as services, open, Organizations } from "../../src/core/Sightline.ts"
import { Notifications } from "../../src/core/storage/notifications.ts"
import { databaseSeconds } from "../../src/core/telemetry/metrics.ts"
import { engines } from "../support/engines.ts"
import { lateEffect, untilEffect } from "../support/until.ts"
import { UNLIMITED } from "../support/unlimited.ts"

/** The statements and transactions of this process so far. */
const countStatements = Effect.map(
  Effect.forEach(["statement", "transaction"] as const, (operation) => Metric.value(databaseSeconds({ operation }))),
  (states) => states.reduce((sum, { count }) => sum + count, 0),
)

/** Advances the test clock, and lets the database answer in between. */
const advance = (seconds: number) =>
  Effect.forEach(Array.from({ length: seconds }), () => Effect.andThen(TestClock.adjust("1 second"), lateEffect(10)), {
    discard: true,
  })

for (const engine of engines) {
  describe(`background work on ${engine.name}`, () => {
    it.effect("asks an idle database less than once in five seconds, and does what is enqueued here at once", () =>
      Effect.scoped(
        Effect.gen(function* () {
          // The test's clock is so fast that a listener's connection would time out, and each new one looks for work.
          const live = Context.add(yield* TestClock.withLive(Layer.build(engine.database)), Notifications, undefined)
          const database = Layer.succeedContext(live)
          const began = yield* countStatements
          const context = yield* Layer.build(services({ database, library: layerLibrary() }))
          yield* Effect.gen(function* () {
            const jobs = yield* JobQueue
            const { transaction } = yield* Database
            const done: Array<string> = []
            yield* jobs.work(
              "errand",
              ({ subject }) => Effect.sync(() => void done.push(subject)),
              () => Effect.void,
            )
            yield* advance(60)
            const before = yield* countStatements
            assert.isAbove(before - began, 10, "the start was counted")
            yield* advance(120)
            const asked = (yield* countStatements) - before
            assert.isAbove(asked, 0, "the poll runs")
            assert.isBelow(asked, 120 / 5)

            const { id: org } = yield* (yield* Organizations).create({ name: "Acme", plan: UNLIMITED })
            yield* transaction(org, jobs.enqueue(org, { kind: "errand", subject: "bread", prefix: "run" }))
            yield* jobs.wake("errand", org)
            yield* untilEffect(
              "the errand is done",
              Effect.sync(() => done.length > 0),
            )
            assert.deepStrictEqual(done, ["bread"])
          }).pipe(Effect.provideContext(context))
        }),
      ),
    )
  })
}

for (const engine of engines) {
  layer(engine.database, { excludeTestServices: true })(`tick on ${engine.name}`, (it) => {
    const openTicking = Effect.gen(function* () {
      const context = yield* Effect.context<SqlClient>()
      const sightline = yield* Effect.acquireRelease(
        Effect.promise(() =>
          open({ database: Layer.succeedContext(context), library: layerLibrary(), background: false }),
        ),
        ({ dispose }) => Effect.promise(() => dispose()),
      )
      return sightline
    })
    const tenant = Effect.gen(function* () {
      const { id } = yield* (yield* Organizations).create({ name: "Acme", plan: UNLIMITED })
      return { org: id, key: (yield* (yield* ApiKeys).create(id, { name: "host", role: "owner" })).key }
    })

    it.effect("reads documents, writes exports, and says that nothing remains", () =>
      Effect.gen(function* () {
        const sightline = yield* openTicking
        const { key } = yield* Effect.provide(tenant, yield* sightline.services)
        const call = callerOf(sightline, key)
        yield* call(
          "POST",
          "/import",
          `{"type":"competitor","name":"Orvanta"}\n{"type":"deal","id":"d1","name":"Acme"}`,
        )
        const { document } = yield* call("POST", "/documents/library", upload(1))
        const { export_id } = yield* call("POST", "/deals/export", { columns: ["name"] })
        assert.strictEqual((yield* call("GET", `/documents/${document.id}`)).status, "processing")
        const { done, remaining } = yield* Effect.promise(() => sightline.tick({ seconds: 600 }))
        assert.deepInclude(done, { document: 1, export: 1, records: 1 })
        assert.isFalse(remaining)
        assert.strictEqual((yield* call("GET", `/documents/${document.id}`)).status, "ready")
        assert.strictEqual((yield* call("GET", `/deals/export/${export_id}`)).status, "completed")
        const again = yield* Effect.promise(() => sightline.tick({ seconds: 600 }))
        assert.deepStrictEqual(again, {
          done: { "refused sign-ins": 1, ...(engine.name === "PGlite" && { vacuum: 1 }) },
          remaining: false,
        })
      }),
    )

    it.effect("does each job once in two processes, and stops when its time is over", () =>
      Effect.gen(function* () {
        const [one, two] = [yield* openTicking, yield* openTicking]
        const { key } = yield* Effect.provide(tenant, yield* one.services)
        const call = callerOf(one, key)
        yield* call("POST", "/import", `{"type":"competitor","name":"Orvanta"}`)
        for (let n = 0; n < 6; n++) yield* call("POST", "/documents/library", upload(n))
        const cut = yield* Effect.promise(() => one.tick({ seconds: 0 }))
        assert.isTrue(cut.remaining)
        const reports = yield* Effect.promise(() => Promise.all([one, two].map((each) => each.tick({ seconds: 600 }))))
        const read = [cut, ...reports].map(({ done }) => done["document"] ?? 0)
        assert.strictEqual(
          read.reduce((sum, count) => sum + count),
          6,
          JSON.stringify(reports),
        )
        const { data } = yield* call("GET", "/documents")
        assert.deepStrictEqual([...new Set(data.map(({ status }: any) => status))], ["ready"])
      }),
    )
  })
}

const upload = (n: number) => ({
  content_type: "text/markdown",
  file_name: `card-${n}.md`,
  type: "asset",
  competitor_name: "Orvanta",
  file_base64: btoa(`# Orvanta ${n}\n\nOrvanta charges ${n} dollars per seat.`),
})

const callerOf =
  ({ handler }: { readonly handler: (request: Request) => Promise<Response> }, key: string) =>
  (method: string, path: string, body?: object | string) =>
    Effect.promise(async () => {
      const isText = typeof body === "string"
      const headers = {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { "content-type": isText ? "application/x-ndjson" : "application/json" }),
      }
      const reply = await handler(
        new Request(`http://localhost/api/v1${path}`, {
          method,
          headers,
          ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
        }),
      )
      const json = (await reply.json()) as any
      assert.isBelow(reply.status, 300, JSON.stringify(json))
      return json
    })
