import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Notices } from "../../../src/core/records/Notices.ts"
import { readTable } from "../../../src/core/import/readTable.ts"

const LOOKUPS = {
  context: () => Effect.succeed({ currency: undefined, timezone: "UTC", properties: new Map() }),
  namesOf: () => Effect.succeed([]),
  onPlan: () => Effect.void,
}

describe("a table", () => {
  // The plan is made from 10,000 rows: the files lie below, at and above this limit.
  for (const count of [1, 9_999, 10_000, 10_001, 25_000]) {
    for (const size of [1_000, 7_919, 30_000]) {
      it.effect(`of ${count} rows in batches of ${size} gives each row once, in order`, () =>
        Effect.gen(function* () {
          const rows = Array.from({ length: count + 1 }, (_, index) => ({
            line: index + 1,
            cells: index === 0 ? ["name", "amount"] : [`Deal ${index}`, String(index)],
          }))
          const batches = Array.from({ length: Math.ceil(rows.length / size) }, (_, n) =>
            rows.slice(n * size, (n + 1) * size),
          )
          const table = { facts: { container: "csv", delimiter: "," } as const, rows: Stream.fromIterable(batches) }
          const read = yield* Stream.runCollect(readTable(table, { type: "deal" }, LOOKUPS, new Notices()))
          assert.deepStrictEqual(
            read.flat().map(({ line }) => line),
            rows.slice(1).map(({ line }) => line),
          )
        }),
      )
    }
  }
})
