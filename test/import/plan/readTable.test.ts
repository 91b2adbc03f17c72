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

const readText = (text: string, type: "deal" | "owner" = "deal") => {
  const rows = text.split("\n").map((line, at) => ({ line: at + 1, cells: line === "" ? [] : line.split(",") }))
  const table = { facts: { container: "csv", delimiter: "," } as const, rows: Stream.make(rows) }
  return Stream.runCollect(readTable(table, { type }, LOOKUPS, new Notices()))
}
const refusalOf = (text: string) => Effect.map(Effect.flip(readText(text)), ({ message }) => message)

describe("a table without records", () => {
  it.effect("is refused with the reason", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refusalOf(""), "The file is empty")
      assert.strictEqual(yield* refusalOf("\n\n"), "The file is empty")
      assert.strictEqual(yield* refusalOf("Deal,Amount"), "The file has a header row and no rows below it")
      assert.strictEqual(yield* refusalOf("Deal,Amount\n\n"), "The file has a header row and no rows below it")
      assert.match(yield* refusalOf("Deal,Amount\nTotal,5"), /^The file has no records: rows of totals are no records/)
    }),
  )
})

describe("a table", () => {
  it.effect("shows the beginning of a row with too many cells, and says what they need", () =>
    Effect.gen(function* () {
      const [rows] = yield* readText("Deal,Account,Amount\nA,Acme, Inc.,5")
      assert.deepStrictEqual("problems" in rows![0]! && rows![0].problems, [
        {
          field: "record",
          reason: "has 4 cells where the header has 3: a cell with a comma needs quotation marks",
          value: "A,Acme, Inc.,5",
        },
      ])
    }),
  )

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
