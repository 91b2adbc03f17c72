import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import { Answerer } from "../../src/core/answers/Answerer.ts"
import { health } from "../../src/core/server/health.ts"
import { JobQueue } from "../../src/core/jobs/JobQueue.ts"
import { DatabaseUnavailable } from "../../src/core/ports/DatabaseUnavailable.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

/** The readiness reply of a service with a job that has waited this long. */
const readyAfter = (longestWait: JobQueue["Service"]["longestWait"], isReadOnly = false) =>
  Effect.promise(async () => {
    const { handler, dispose } = HttpRouter.toWebHandler(
      health.pipe(
        Layer.provide(Layer.mock(JobQueue, { longestWait })),
        Layer.provide(Layer.mock(Database, { isReadOnly: Effect.succeed(isReadOnly) })),
        Layer.provide(Layer.mock(Answerer, { kind: "extractive" })),
        Layer.provide(HttpServer.layerServices),
      ),
      { disableLogger: true },
    )
    const reply = await handler(new Request("http://localhost/health/ready"))
    const json: any = await reply.json()
    await dispose()
    return [reply.status, json.status, json.jobs ?? json.database] as const
  })

describe("readiness", () => {
  it.effect("ends if a due job waits for more than a minute while no worker runs", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* readyAfter(Effect.succeed(60)), [200, "ready", "keeping up"])
      const late = yield* readyAfter(Effect.succeed(61))
      assert.deepStrictEqual(late, [503, "not ready", "the oldest due job has waited for 61 s"])
      const away = yield* readyAfter(Effect.fail(new DatabaseUnavailable({ message: "away" })))
      assert.deepStrictEqual(away, [503, "not ready", "unreachable"])
    }),
  )

  it.effect("lasts while one server of a cluster is down, which other organizations do not need", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* readyAfter(Effect.succeed(undefined)), [200, "ready", "waiting"])
    }),
  )

  it.effect("lasts while the disk is full, whose jobs must wait, but not while the database is unreachable", () =>
    Effect.gen(function* () {
      const full = yield* readyAfter(Effect.succeed(3600), true)
      assert.deepStrictEqual(full, [200, "ready", "disk full, only reads"])
      const away = yield* readyAfter(Effect.fail(new DatabaseUnavailable({ message: "away" })), true)
      assert.deepStrictEqual(away, [503, "not ready", "unreachable"])
    }),
  )
})

for (const engine of engines) {
  describe(`readiness on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("comes without metrics, whose path does not exist without a key", () =>
        Effect.gen(function* () {
          assert.strictEqual((yield* (yield* Web).request("/metrics", "")).status, 404)
        }),
      )

      it.effect("does not depend on jobs of a kind that this process does not run", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org } = yield* web.tenant()
          const { transaction, sql } = yield* Database
          const job = { kind: "unattended", subject: "s", prefix: "run" }
          const id = yield* transaction(org, (yield* JobQueue).enqueue(org, job))
          yield* transaction(org, sql`update jobs set due_at = now() - interval '61 seconds' where id = ${id}`)
          const { status, json } = yield* web.request("/health/ready", "")
          assert.deepStrictEqual([status, json.status, json.jobs], [200, "ready", "keeping up"])
        }),
      )
    })
  })
}
