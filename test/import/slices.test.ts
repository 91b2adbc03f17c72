import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { CurrentSlice, inSlices, yieldIfDue } from "../../src/core/common/inSlices.ts"
import { Notices } from "../../src/core/records/Notices.ts"
import { readTable } from "../../src/core/import/readTable.ts"
import { openTable } from "../../src/core/import/table/openTable.ts"
import { isTable, type TableRow } from "../../src/core/import/table/Table.ts"

/** A clock that is a millisecond ahead at each look: time passes by work, however fast the machine is. */
const tickingClock = Effect.clockWith((clock) => {
  let now = 0
  return Effect.succeed<Clock.Clock>({ ...clock, currentTimeMillisUnsafe: () => now++ })
})

/** The most that `done` grows between two turns of the event loop while the work runs. */
const longestGap = Effect.fnUntraced(function* <A, E>(work: Effect.Effect<A, E>, done: () => number) {
  let last = done()
  let longest = 0
  let isOver = false
  const turn = () => {
    longest = Math.max(longest, done() - last)
    last = done()
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const clock = yield* tickingClock
  const paced = Effect.provideService(Effect.provideService(work, CurrentSlice, { sinceMs: 0 }), Clock.Clock, clock)
  const result = yield* Effect.ensuring(
    paced,
    Effect.sync(() => (isOver = true)),
  )
  turn()
  return { longest, result }
})

const LOOKUPS = {
  context: () => Effect.succeed({ currency: undefined, timezone: "UTC", properties: new Map() }),
  namesOf: () => Effect.succeed([]),
  onPlan: () => Effect.void,
}

/** Looks at the clock between two turns. */
const MAX_LOOKS = 10

describe("between two turns of the event loop", () => {
  it.live("a loop takes at most ten steps of a millisecond, also as many short loops", () =>
    Effect.gen(function* () {
      let steps = 0
      const loop = function* (count: number) {
        for (let n = 0; n < count; n++) {
          steps++
          yield
        }
      }
      const long = yield* longestGap(inSlices(loop(1_000)), () => steps)
      assert.isAtMost(long.longest, MAX_LOOKS + 1)
      const short = Effect.forEach(Array.from({ length: 300 }), () => inSlices(loop(3)))
      assert.isAtMost((yield* longestGap(short, () => steps)).longest, MAX_LOOKS + 3)
      assert.strictEqual(steps, 1_900)
    }),
  )

  it.live("an import reads at most ten rows, and plans as few", () =>
    Effect.gen(function* () {
      let read = 0
      const rows = Array.from({ length: 2_000 }, (_, n): TableRow => {
        const cells = n === 0 ? ["name", "amount", "Odd"] : [`Deal ${n}`, "not a number", "x"]
        return {
          line: n + 1,
          get cells() {
            read++
            return cells
          },
        }
      })
      const table = { facts: { container: "csv", delimiter: "," } as const, rows: Stream.succeed(rows) }
      const options = { type: "deal", keepUnmapped: "crm_one" } as const
      const reading = Stream.runCollect(readTable(table, options, LOOKUPS, new Notices()))
      const { longest, result } = yield* longestGap(reading, () => read)
      assert.strictEqual(result.flat().length, 1_999)
      // The sizes of the sample's cells are added up in one go; after that come ten steps of ten rows of planning, or ten rows.
      assert.isAtMost(longest, rows.length + MAX_LOOKS * 10 * 2)
      assert.isAbove(read, 5 * longest)
    }),
  )

  for (const [kind, line] of [
    ["text", "id,name,amount\n"],
    ["ndjson", '{"type":"deal","id":"d"}\n'],
    ["json", '{"type":"deal","id":"d"},\n'],
  ] as const) {
    it.live(`a file of ${kind} in one piece is parsed in ten pieces at most`, () =>
      Effect.gen(function* () {
        const bytes = new TextEncoder().encode((kind === "json" ? "[" : "") + line.repeat(4_000_000 / line.length))
        let read = 0
        const counted = Effect.scoped(
          Effect.gen(function* () {
            const opened = yield* openTable({
              bytes: Stream.succeed(bytes),
              isNdjson: kind === "ndjson",
              spool: () => Effect.die("no workbook"),
            })
            const parts: Stream.Stream<ReadonlyArray<object>, unknown> = isTable(opened) ? opened.rows : opened.records
            yield* Stream.runForEach(parts, ({ length }) => Effect.sync(() => (read += length)))
          }),
        )
        const { longest } = yield* longestGap(Effect.ignore(counted), () => read)
        assert.isAbove(read, 100_000)
        assert.isAtMost(longest, ((MAX_LOOKS + 2) * 64 * 1024) / line.length)
      }),
    )
  }

  it.live("a check that is not due costs no turn", () =>
    Effect.gen(function* () {
      let turns = 0
      setImmediate(() => turns++)
      yield* Effect.provideService(yieldIfDue, CurrentSlice, { sinceMs: Infinity })
      assert.strictEqual(turns, 0)
      yield* Effect.provideService(yieldIfDue, CurrentSlice, { sinceMs: -Infinity })
      assert.strictEqual(turns, 1)
    }),
  )
})
