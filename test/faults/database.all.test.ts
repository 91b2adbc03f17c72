import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { freshPostgresUrl } from "../support/engines.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { restartable } from "./postgres.ts"
import { late, until } from "../support/until.ts"
import {
  COLUMNS,
  deals,
  ended,
  filesUnder,
  newOrganization,
  report,
  startWorker,
  temporary,
  text,
  TIMES,
} from "./support.ts"

const DEALS = 3000

describe.concurrent("database and process faults", () => {
  it(
    `jobs survive a database that restarts ${TIMES} times or is down at the start`,
    () =>
      Effect.gen(function* () {
        const random = makeRandom(seedOfRun("database restarted"))
        const directory = yield* temporary
        const server = yield* restartable(directory)
        const org = yield* newOrganization(server.url, directory)
        const setup = { databaseUrl: server.url, directory, org, slow: 200 }
        const worker = yield* startWorker(setup)
        yield* Effect.promise(() => worker.ask({ do: "import", records: deals(DEALS) }))
        const undisturbed = yield* Effect.promise(() => worker.ask<string>({ do: "export", columns: COLUMNS }))
        yield* Effect.promise(() => until("undisturbed", () => ended(worker)))
        const expected = yield* Effect.promise(() => worker.ask<string>({ do: "digest", id: undisturbed }))
        let [slowest, refused] = [0, 0]
        const exports: Array<string> = []
        for (let time = 0; time < TIMES; time++) {
          yield* Effect.promise(async () => {
            exports.push(await worker.ask<string>({ do: "export", columns: COLUMNS }))
            await worker.ask<string>({ do: "add", text: text(`restart ${time}`) })
            await until("at work", async () => (await worker.state()).jobs.some(({ state }) => state === "running"))
            await late(random.below(400))
            await server.stop()
            await worker.state().then(
              () => assert.fail("a stopped database answered"),
              (error: Error) => (assert.match(error.message, /DatabaseUnavailable/), refused++),
            )
            await late(500)
            await server.start()
            const answering = performance.now()
            await until("ended", () => ended(worker).catch(() => false))
            slowest = Math.max(slowest, performance.now() - answering)
          })
        }
        yield* Effect.promise(async () => {
          await server.stop()
          const starting = Effect.runPromise(
            Effect.scoped(Effect.flatMap(startWorker(setup), (other) => Effect.promise(other.state))),
          )
          await late(3000)
          await server.start()
          const { jobs } = await starting
          assert.lengthOf(jobs, 1 + 2 * TIMES)
        })
        const { jobs, documents } = yield* Effect.promise(() => worker.state())
        const lost = jobs.filter(({ state }) => state !== "completed").length
        const files = filesUnder(directory)
        report("database restarted, down at the start", "PostgreSQL", {
          times: TIMES,
          refused,
          jobs: jobs.length,
          lost,
          doubled: files.length - jobs.length,
          "slowest end": `${(slowest / 1000).toFixed(1)} s`,
        })
        for (const id of exports) {
          assert.strictEqual(yield* Effect.promise(() => worker.ask({ do: "digest", id })), expected)
        }
        assert.deepStrictEqual([lost, refused, documents.length], [0, TIMES, TIMES])
        assert.isTrue(documents.every(({ status, whole }) => status === "ready" && whole))
        assert.lengthOf(files, jobs.length)
      }).pipe(Effect.scoped, Effect.runPromise),
    900_000 + TIMES * 60_000,
  )

  it(
    `of two processes with one export, ${TIMES} times, the one that lost its lease leaves nothing`,
    () =>
      Effect.gen(function* () {
        const directory = yield* temporary
        const databaseUrl = yield* freshPostgresUrl
        const org = yield* newOrganization(databaseUrl, directory)
        const setup = { databaseUrl, directory, org, slow: 0 }
        const other = yield* startWorker(setup)
        yield* Effect.promise(() => other.ask({ do: "import", records: deals(DEALS) }))
        const undisturbed = yield* Effect.promise(() => other.ask<string>({ do: "export", columns: COLUMNS }))
        yield* Effect.promise(() => until("undisturbed", () => ended(other)))
        const expected = yield* Effect.promise(() => other.ask<string>({ do: "digest", id: undisturbed }))
        other.signal("SIGSTOP")
        const sleeper = yield* startWorker({ ...setup, slow: 100 })
        let slowest = 0
        for (let time = 0; time < TIMES; time++) {
          yield* Effect.promise(async () => {
            await sleeper.ask({ do: "hold" })
            const id = await sleeper.ask<string>({ do: "export", columns: COLUMNS })
            const running = async () => (await sleeper.state()).jobs.some(({ state }) => state === "running")
            await until("at work", running)
            sleeper.signal("SIGSTOP")
            const slept = performance.now()
            other.signal("SIGCONT")
            await until("taken over", () => ended(other))
            slowest = Math.max(slowest, performance.now() - slept)
            other.signal("SIGSTOP")
            sleeper.signal("SIGCONT")
            await sleeper.ask({ do: "release" })
            // It keeps writing chunks until it learns that it lost the job.
            await until("given up", async () => filesUnder(directory).length === time + 2)
            await late(3000)
            assert.strictEqual(await sleeper.ask({ do: "digest", id }), expected)
          })
        }
        const { jobs } = yield* Effect.promise(() => sleeper.state())
        const doubled = filesUnder(directory).length - jobs.length
        report("two processes at one export", "PostgreSQL", {
          times: TIMES,
          lost: jobs.filter(({ state }) => state !== "completed").length,
          doubled,
          "slowest end": `${(slowest / 1000).toFixed(1)} s`,
        })
        assert.strictEqual(doubled, 0)
        // On a very busy machine a lease can expire, which adds an attempt.
        assert.isTrue(jobs.every(({ state, attempts }, n) => state === "completed" && attempts >= (n === 0 ? 1 : 2)))
      }).pipe(Effect.scoped, Effect.runPromise),
    900_000 + TIMES * 60_000,
  )
})
