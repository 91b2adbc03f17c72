import { assert, describe, it } from "@effect/vitest"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { encoderOf } from "../../src/core/exports/encoder.ts"
import type { CellKind, FileColumn, Framing } from "../../src/core/exports/frames.ts"
import { LongCells } from "../../src/core/exports/longCells.ts"
import { writeXlsx } from "../../src/core/exports/xlsx.ts"
import { concat, split } from "../../src/core/common/bytes.ts"
import { untilEffect } from "../support/until.ts"
import { type Cell, framed } from "./framed.ts"
import { readXlsx } from "./readXlsx.ts"

const columnsOf = (...kinds: ReadonlyArray<CellKind>): ReadonlyArray<FileColumn> =>
  kinds.map((kind) => ({ selector: kind, kind }))

/** The workbook of these rows, read in chunks of `size` bytes. */
const written = Effect.fnUntraced(function* (
  columns: ReadonlyArray<FileColumn>,
  rows: ReadonlyArray<ReadonlyArray<Cell>>,
  { framing = "copy", size = 1_000_000 }: { readonly framing?: Framing; readonly size?: number } = {},
) {
  const encoder = encoderOf(columns, framing, { format: "xlsx" })
  const chunks = Stream.fromIterable(split(framed(rows, framing), size))
  const bytes = concat(yield* Stream.runCollect(encoder.encode(chunks)))
  assert.strictEqual(encoder.rows(), rows.length)
  return { bytes, sheets: readXlsx(bytes), warnings: encoder.warnings() }
})

/** The values of the first row of deals. */
const valuesOf = (sheets: ReturnType<typeof readXlsx>) =>
  Object.fromEntries(Object.entries(sheets[0]![1]!).map(([column, { type, value }]) => [column, `${type} ${value}`]))

class Broken extends Data.TaggedError("Broken")<{}> {}

describe("XLSX", () => {
  it.effect("has numbers, days, times and truth values as such, and text as text", () =>
    Effect.gen(function* () {
      const columns = columnsOf("text", "number", "boolean", "date", "instant", "structured", "text")
      const row = ["=1+1", "-1234.5", "true", "2026-03-31", new Date("2026-03-31T18:00:00Z"), '[{"a":1}]', null]
      for (const [framing, size] of [
        ["copy", 1_000_000],
        ["copy", 7],
        ["records", 11],
      ] as const) {
        const { sheets } = yield* written(columns, [row], { framing, size })
        assert.deepStrictEqual(
          Object.values(sheets[0]![0]!).map(({ value }) => value),
          ["text", "number", "boolean", "date", "instant", "structured", "text"],
        )
        const [cells] = sheets[0]!.slice(1)
        assert.deepStrictEqual(cells!["A"], { type: "inlineStr", value: "=1+1", format: undefined })
        assert.deepStrictEqual(cells!["B"], { type: "n", value: "-1234.5", format: "#,##0.00" })
        assert.deepStrictEqual(cells!["C"], { type: "b", value: "1", format: undefined })
        assert.deepStrictEqual(cells!["D"], { type: "n", value: "46112", format: "yyyy-mm-dd" })
        assert.deepStrictEqual(cells!["E"], { type: "n", value: "46112.75", format: "yyyy-mm-dd hh:mm:ss" })
        assert.deepStrictEqual(cells!["F"], { type: "inlineStr", value: '[{"a":1}]', format: undefined })
        assert.isUndefined(cells!["G"])
      }
    }),
  )

  it.effect("keeps text that a spreadsheet would not show as it is", () =>
    Effect.gen(function* () {
      const texts = ["_x0041_", " two ", "a\r\nb\tc", "\u0001\u001f", "\ufffe\uffff", "<&>\"'", "😀 ünï 日本", "'=1"]
      const { sheets } = yield* written(columnsOf(...texts.map(() => "text" as const)), [texts])
      assert.deepStrictEqual(
        Object.values(sheets[0]![1]!).map(({ value }) => value),
        texts,
      )
    }),
  )

  it.effect("types JSON values, except numbers and dates that a spreadsheet cannot hold", () =>
    Effect.gen(function* () {
      const columns = columnsOf("json", "json", "json", "json", "json", "json", "date", "instant")
      const json = ['"-5"', "12.50", "false", "null", "12345678901234567", '{"a":1}']
      const { sheets } = yield* written(columns, [[...json, "1899-12-31", new Date("1800-01-01T00:00:00Z")]])
      assert.deepStrictEqual(valuesOf(sheets), {
        A: "inlineStr -5",
        B: "n 12.5",
        C: "b 0",
        E: "inlineStr 12345678901234567",
        F: 'inlineStr {"a":1}',
        G: "inlineStr 1899-12-31",
        H: "inlineStr 1800-01-01T00:00:00.000Z",
      })
    }),
  )

  it.effect("cuts cells that are too long between characters, and says so", () =>
    Effect.gen(function* () {
      const { sheets, warnings } = yield* written(
        columnsOf("text", "text"),
        [[`a${"😀".repeat(20_000)}`, "b".repeat(32_767)]],
        { size: 1000 },
      )
      assert.strictEqual(sheets[0]![1]!["A"]!.value, `a${"😀".repeat(16_383)}`)
      assert.strictEqual(sheets[0]![1]!["B"]!.value.length, 32_767)
      assert.deepStrictEqual(
        warnings.map(({ code, count, examples }) => ({ code, count, examples })),
        [{ code: "cell_too_long_for_excel", count: 1, examples: [{ row: 2, column: "text", characters: 40_001 }] }],
      )
      assert.match(warnings[0]!.message, /are cut/)
    }),
  )

  it.effect("continues on another sheet, below the same header, where one is full", () =>
    Effect.gen(function* () {
      const rows = ["a", "b", "c"].map((text) => [text])
      const chunks = (async function* () {
        yield framed(rows, "copy")
      })()
      const { bytes } = writeXlsx(columnsOf("text"), "copy", chunks, new LongCells(), 3)
      const read = yield* Effect.promise(() => new Response(bytes).bytes())
      assert.deepStrictEqual(
        readXlsx(read).map((sheet) => sheet.map((row) => row["A"]!.value)),
        [
          ["text", "a", "b"],
          ["text", "c"],
        ],
      )
      const warn = (count: number) => new LongCells().warnings("xlsx", count).map(({ code, count }) => [code, count])
      assert.deepStrictEqual([warn(1_048_575), warn(1_048_577)], [[], [["too_many_rows_for_excel", 2]]])
    }),
  )

  it.effect("ends with the failure of its rows", () =>
    Effect.gen(function* () {
      const encoder = encoderOf(columnsOf("text"), "copy", { format: "xlsx" })
      const chunks = Stream.concat(Stream.make(framed([["a"]], "copy").subarray(0, -2)), Stream.fail(new Broken()))
      assert.deepStrictEqual(yield* Effect.flip(Stream.runDrain(encoder.encode(chunks))), new Broken())
    }),
  )

  it.effect("stops reading when its reader is interrupted", () =>
    Effect.gen(function* () {
      const encoder = encoderOf(columnsOf("text"), "copy", { format: "xlsx" })
      const state = { isWaiting: false, isOver: false }
      const stalled = Effect.sync(() => void (state.isWaiting = true)).pipe(
        Effect.andThen(Effect.never),
        Effect.ensuring(Effect.sync(() => void (state.isOver = true))),
      )
      const chunks = Stream.concat(Stream.make(framed([["a"]], "copy").subarray(0, -2)), Stream.fromEffect(stalled))
      const fiber = yield* Effect.forkChild(Stream.runDrain(encoder.encode(chunks)))
      yield* untilEffect(
        "the export waits for rows",
        Effect.sync(() => state.isWaiting || undefined),
      )
      yield* Fiber.interrupt(fiber)
      assert.isTrue(state.isOver)
    }),
  )
})
