import { assert, describe, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { layerEmbedded } from "../support/embedded.ts"

describe("the one connection of PGlite", () => {
  layer(layerEmbedded, { excludeTestServices: true })((it) => {
    it.effect("is given to a statement by itself after one transaction, not after all that wait", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const order: Array<string> = []
        const begun = yield* Deferred.make<void>()
        const asks = yield* Deferred.make<void>()
        const transaction = (name: string) =>
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`select 1`
              // Within another it takes no turn.
              yield* sql.withTransaction(sql`select 2`)
              yield* Deferred.succeed(begun, undefined)
              yield* Deferred.await(asks)
              // While the engine answers, the other fiber gets its turn and asks.
              yield* sql`select 4`
              order.push(name)
            }),
          )
        const asking = Effect.gen(function* () {
          yield* Deferred.await(begun)
          yield* Deferred.succeed(asks, undefined)
          yield* sql`select 3`
          order.push("asked")
        })
        yield* Effect.all([transaction("first"), transaction("second"), transaction("third"), asking], {
          concurrency: "unbounded",
        })
        assert.deepStrictEqual(order, ["first", "asked", "second", "third"])
      }),
    )

    it.effect("leaves the event loop a turn between transactions, so that requests are seen", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        let turns = 0
        let next = setImmediate(function turn() {
          turns++
          next = setImmediate(turn)
        })
        const seen: Array<number> = []
        for (let n = 0; n < 10; n++) {
          seen.push(
            yield* sql.withTransaction(
              Effect.andThen(
                sql`select 1`,
                Effect.sync(() => turns),
              ),
            ),
          )
        }
        clearImmediate(next)
        assert.strictEqual(new Set(seen).size, seen.length)
      }),
    )
  })
})
