import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { JobQueue } from "../../src/core/jobs/JobQueue.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

for (const engine of engines) {
  describe(`readiness on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("ends when a due job has waited for more than a minute, and returns with its end", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org } = yield* web.tenant()
          const queue = yield* JobQueue
          const { transaction, sql } = yield* Database
          const ready = () => web.request("/health/ready", "")
          assert.deepInclude((yield* ready()).json, { status: "ready", jobs: "keeping up" })
          const id = yield* queue.enqueue(org, { kind: "unattended", subject: "s", prefix: "run" })
          assert.strictEqual((yield* ready()).status, 200)
          yield* transaction(org, sql`update jobs set due_at = now() - interval '61 seconds' where id = ${id}`)
          const behind = yield* ready()
          assert.deepStrictEqual([behind.status, behind.json.status], [503, "not ready"])
          assert.match(behind.json.jobs, /has waited for 6\d s$/)
          yield* queue.cancel(org, "s")
          assert.strictEqual((yield* ready()).status, 200)
        }),
      )
    })
  })
}
