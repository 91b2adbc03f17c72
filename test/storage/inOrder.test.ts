import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { inOrder } from "../../src/core/storage/inOrder.ts"
import { engines } from "../support/engines.ts"

describe.each(engines)("statements in order on $name", ({ database }) => {
  layer(database, { excludeTestServices: true })((it) => {
    it.effect("prepares a statement before the one before it has replied, and runs it after", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const events: Array<string> = []
        const step = (n: number) =>
          Effect.suspend(() => {
            events.push(`prepares ${n}`)
            return Effect.tap(sql<{ n: number }>`insert into steps (value) values (${n}) returning n`, () =>
              Effect.sync(() => events.push(`replied ${n}`)),
            )
          })
        const rows = yield* sql.withTransaction(
          Effect.andThen(
            sql`create temp table steps (n int generated always as identity, value int) on commit drop`,
            inOrder([step(1), step(2), step(3)]),
          ),
        )
        assert.deepStrictEqual(rows.flat(), [{ n: 1 }, { n: 2 }, { n: 3 }])
        assert.deepStrictEqual(events, [
          ...[1, 2, 3].map((n) => `prepares ${n}`),
          ...[1, 2, 3].map((n) => `replied ${n}`),
        ])
      }),
    )

    it.effect(
      "fails with the first failure, not with those that follow from it, and leaves the connection usable",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const failure = yield* Effect.flip(
            sql.withTransaction(inOrder([sql`select 1`, sql`select 1 / 0`, sql`select 1`, sql`select 2`])),
          )
          assert.include(String(failure.reason.cause), "division by zero")
          assert.deepStrictEqual(yield* sql`select 3 as n`, [{ n: 3 }])
        }),
    )
  })
})
