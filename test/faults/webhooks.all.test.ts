import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { freshPostgresUrl } from "../support/engines.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { startEndpoint } from "../webhooks/endpoint.ts"
import { late, until } from "../support/until.ts"
import { deals, newOrganization, report, startWorker, temporary, TIMES, type Worker } from "./support.ts"

const DEALS = 20

const allTaken = async (worker: Worker, count: number) => {
  const { deliveries } = await worker.state()
  return deliveries.length === count && deliveries.every(({ state }) => state === "delivered")
}

describe.concurrent("kill -9", () => {
  for (const engine of ["PostgreSQL", "PGlite"] as const) {
    it(
      `${TIMES} times during deliveries loses no event on ${engine}`,
      () =>
        Effect.gen(function* () {
          const random = makeRandom(seedOfRun(`webhooks killed on ${engine}`))
          const directory = yield* temporary
          const databaseUrl = engine === "PostgreSQL" ? yield* freshPostgresUrl : undefined
          const org = yield* newOrganization(databaseUrl, directory)
          const endpoint = yield* Effect.acquireRelease(
            Effect.promise(() => startEndpoint()),
            ({ stop }) => Effect.sync(stop),
          )
          endpoint.answer = async () => (await late(100), 204)
          const setup = { databaseUrl, directory, org, port: endpoint.port, slow: 0 }
          let worker = yield* startWorker(setup)
          yield* Effect.promise(() => worker.ask({ do: "webhook", url: `http://127.0.0.1:${endpoint.port}/` }))
          let [slowest, hit] = [0, 0]
          for (let time = 0; time <= TIMES; time++) {
            const records = deals(DEALS).map((deal) => ({ ...deal, amount: time }))
            const told = endpoint.received.length
            yield* Effect.promise(() => worker.ask({ do: "import", records }))
            if (time < TIMES) {
              yield* Effect.promise(async () => {
                await until("told", async () => endpoint.received.length > told)
                await late(random.below(300))
                await worker.kill()
                if (endpoint.received.length < told + DEALS) hit++
              })
              const killed = performance.now()
              worker = yield* startWorker(setup)
              // A delivery that was in flight at the kill is repeated after its lease expires.
              yield* Effect.promise(() => until("resumed", () => allTaken(worker, (time + 1) * DEALS)))
              slowest = Math.max(slowest, performance.now() - killed)
            } else yield* Effect.promise(() => until("told", () => allTaken(worker, (time + 1) * DEALS)))
          }

          const { deliveries } = yield* Effect.promise(() => worker.state())
          const ids = new Set(endpoint.received.map(({ headers }) => String(headers["webhook-id"])))
          const lost = deliveries.filter(({ id }) => !ids.has(id)).length
          let disordered = 0
          for (const { id } of deals(DEALS)) {
            const order = deliveries.filter(({ subject }) => subject === `deal ${id}`).map((each) => each.id)
            const heard = [
              ...new Set(
                endpoint.received.filter((each) => each.id === id).map(({ headers }) => headers["webhook-id"]),
              ),
            ]
            if (JSON.stringify(order) !== JSON.stringify(heard)) disordered++
          }
          report("kill -9 at webhooks", engine, {
            times: TIMES,
            "at work": hit,
            events: deliveries.length,
            lost,
            "out of order": disordered,
            "told again": endpoint.received.length - ids.size,
            "slowest end": `${(slowest / 1000).toFixed(1)} s`,
          })
          assert.deepStrictEqual([lost, disordered, ids.size], [0, 0, deliveries.length])
        }).pipe(Effect.scoped, Effect.runPromise),
      900_000 + TIMES * 60_000,
    )
  }
})
