import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ALL } from "../support/extent.ts"
import { freshPostgresUrl } from "../support/engines.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
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
  type Worker,
} from "./support.ts"

const DEALS = 3000
const DOCUMENTS = 2

const addAll = (worker: Worker, word: string) =>
  Promise.all(
    Array.from({ length: DOCUMENTS }, (_, n) => worker.ask<string>({ do: "add", text: text(`${word} ${n}`) })),
  )

describe.concurrent("kill -9", () => {
  for (const engine of ALL ? (["PostgreSQL", "PGlite"] as const) : (["PostgreSQL"] as const)) {
    it(
      `${TIMES} times during reading and exports loses and duplicates nothing on ${engine}`,
      () =>
        Effect.gen(function* () {
          const random = makeRandom(seedOfRun(`kill -9 on ${engine}`))
          const directory = yield* temporary
          const databaseUrl = engine === "PostgreSQL" ? yield* freshPostgresUrl : undefined
          const org = yield* newOrganization(databaseUrl, directory)
          const setup = { databaseUrl, directory, org, slow: 200 }
          let worker = yield* startWorker(setup)
          yield* Effect.promise(() => worker.ask({ do: "import", records: deals(DEALS) }))
          const undisturbed = yield* Effect.promise(() => worker.ask<string>({ do: "export", columns: COLUMNS }))
          yield* Effect.promise(() => addAll(worker, "undisturbed"))
          yield* Effect.promise(() => until("undisturbed", () => ended(worker)))
          const expected = yield* Effect.promise(() => worker.ask<string>({ do: "digest", id: undisturbed }))

          const hit: Record<string, number> = { document: 0, export: 0 }
          let slowest = 0
          for (let time = 0; time < TIMES; time++) {
            const [id, resumed] = yield* Effect.promise(async () => {
              const id = await worker.ask<string>({ do: "export", columns: COLUMNS })
              await addAll(worker, `kill ${time}`)
              await until("at work", async () => (await worker.state()).jobs.some(({ state }) => state === "running"))
              await late(random.below(400))
              const { jobs } = await worker.state()
              await worker.kill()
              const running = jobs.filter(({ state }) => state === "running")
              for (const { kind } of running) hit[kind] = (hit[kind] ?? 0) + 1
              return [id, { at: performance.now(), running }] as const
            })
            worker = yield* startWorker({ ...setup, endsLeases: true })
            yield* Effect.promise(async () => {
              await until("resumed", async () => {
                const now = new Map((await worker.state()).jobs.map((job) => [job.id, job]))
                return resumed.running.every(({ id, attempts }) => {
                  const job = now.get(id)
                  return job !== undefined && (job.attempts > attempts || !["queued", "running"].includes(job.state))
                })
              })
              slowest = Math.max(slowest, performance.now() - resumed.at)
              await until("ended", () => ended(worker))
              assert.strictEqual(await worker.ask({ do: "digest", id }), expected, `the file of export ${time}`)
            })
          }

          const { jobs, documents } = yield* Effect.promise(() => worker.state())
          const lost = jobs.filter(({ state }) => state !== "completed")
          assert.deepStrictEqual(lost, [])
          assert.lengthOf(jobs, (TIMES + 1) * (1 + DOCUMENTS))
          assert.lengthOf(documents, (TIMES + 1) * DOCUMENTS)
          const chunks = new Set(documents.map((each) => each.chunks))
          assert.isTrue(documents.every(({ status, whole }) => status === "ready" && whole))
          // One original per document and one file per export, without partial files of killed processes.
          const files = filesUnder(directory)
          const doubled = files.length - jobs.length
          report("kill -9 at documents and an export", engine, {
            times: TIMES,
            "documents hit": hit["document"]!,
            "exports hit": hit["export"]!,
            lost: lost.length,
            doubled,
            "slowest resume": `${(slowest / 1000).toFixed(1)} s`,
          })
          assert.strictEqual(doubled, 0, files.join("\n"))
          // The words differ in length.
          assert.isAtMost(chunks.size, 2)
        }).pipe(Effect.scoped, Effect.runPromise),
      900_000 + TIMES * 60_000,
    )
  }
})
