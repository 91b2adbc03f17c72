import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { afterEach, expect, it, vi } from "vitest"
import { layerPipelined } from "../../src/adapters/database/pipelined.ts"
import { resource } from "../support/resources.ts"
import { late } from "../support/until.ts"

afterEach(() => vi.unstubAllGlobals())

it("a transaction after a statement on its connection gets its replies, however late microtasks run", async () => {
  const url = Redacted.make(await resource("postgres"))
  // Microtasks run in order, but after the replies of the database: Deno does this at times.
  vi.stubGlobal("queueMicrotask", (task: () => void) => void late(10).then(task))
  const both = Effect.gen(function* () {
    const sql = yield* SqlClient
    const statement = sql<{ n: number }>`select 1 as n`
    const transaction = sql.withTransaction(sql<{ n: number }>`select 2 as n from pg_sleep(0.05)`)
    return (yield* Effect.all([statement, transaction])).flat().map(({ n }) => n)
  })
  const database = layerPipelined({ url, settings: {}, maxConnections: 1 })
  expect(await Effect.runPromise(Effect.provide(both, database))).toEqual([1, 2])
})
