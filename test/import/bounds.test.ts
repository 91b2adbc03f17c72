import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { check, isRefused, isUnchecked, toEntry, toUnchecked } from "../../src/core/records/entry.ts"
import { Notices } from "../../src/core/records/Notices.ts"
import { matchColumns } from "../../src/core/import/plan/headers/matchColumns.ts"
import { makePlan } from "../../src/core/import/plan/makePlan.ts"
import { readTable } from "../../src/core/import/readTable.ts"
import { MAX_ERRORS, ShownErrors } from "../../src/core/records/ShownErrors.ts"
import { MAX_COLUMNS } from "../../src/core/ports/table.ts"
import { listProblems } from "../../src/core/http/validation/validation.ts"
import { readHtmlTable } from "../../src/ingest/importFiles/readHtmlTable.ts"
import { DealRecord } from "../../src/core/deals/edits/record.ts"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { finish } from "./plan/finish.ts"
import { readFile, utf8 } from "./table/support.ts"
import { sheetOf, xlsx } from "../ingest/support/office.ts"
import { readWorkbook } from "../../src/ingest/importFiles/readWorkbook.ts"

const CONTEXT = { currency: undefined, timezone: "UTC", properties: new Map() }
const LOOKUPS = {
  context: () => Effect.succeed(CONTEXT),
  namesOf: () => Effect.succeed([]),
  onPlan: () => Effect.void,
}
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, n]))

describe("the errors that an import describes", () => {
  it("are those of the first lines, whatever order their types are checked in", () => {
    const shown = new ShownErrors()
    for (let line = 2; line <= 2 * MAX_ERRORS; line += 2) {
      assert.isTrue(shown.mayShow(line))
      shown.show(line, 1)
    }
    assert.deepStrictEqual(
      [1, 1_999, 2_000, 2_001].map((line) => shown.mayShow(line)),
      [true, true, false, false],
    )
    shown.show(1, 3)
    assert.deepStrictEqual(
      [1_993, 1_995].map((line) => shown.mayShow(line)),
      [true, false],
    )
  })

  it("of records are 1,000, and all other bad records are counted", () => {
    const shown = new ShownErrors()
    const checked = Array.from({ length: 3_000 }, (_, n) => {
      const read = toUnchecked(n + 1, { type: "deal", amout: 1 }, 10, false)
      return isUnchecked(read) ? check(read, shown) : read
    })
    const problems = checked.map((each) => (isRefused(each) ? each.problems.length : -1))
    assert.deepStrictEqual(problems, [...Array(1_000).fill(1), ...Array(2_000).fill(0)])
  })

  it.effect("of rows are 1,000, and all other bad rows are counted", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 3_001 }, (_, n) => ({
        line: n + 1,
        cells: n === 0 ? ["name", "amount"] : [n % 2 === 0 ? "" : "x", n % 2 === 0 ? "1" : "much"],
      }))
      const table = { facts: { container: "csv", delimiter: "," } as const, rows: Stream.succeed(rows) }
      const read = (yield* Stream.runCollect(readTable(table, { type: "deal" }, LOOKUPS, new Notices()))).flat()
      const refused = read.filter(isRefused)
      assert.strictEqual(refused.flatMap(({ problems }) => problems).length, MAX_ERRORS)
      assert.isAbove(refused.length, MAX_ERRORS + 400)
    }),
  )

  it("suggest names for the first 20 unknown fields of a record and of a map only", () => {
    const record = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`amount${n}`, 1]))
    const decode = Schema.decodeUnknownResult(DealRecord, { errors: "all", onExcessProperty: "error" })
    const decoded = decode({ type: "deal", ...record })
    assert.ok(Result.isFailure(decoded))
    const { unknown } = listProblems(decoded.failure.issue, "record")
    assert.deepStrictEqual(
      unknown.map(({ did_you_mean }) => did_you_mean),
      [...Array(20).fill("amount"), ...Array(20).fill(undefined)],
    )
    const map = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`amount${n}`, `nam${n}`]))
    const { invalid } = finish(matchColumns("deal", ["amount"], 1, map))
    assert.strictEqual(invalid.length, 80)
    assert.deepStrictEqual(
      invalid.map(({ did_you_mean }) => did_you_mean !== undefined),
      invalid.map((_, n) => n < 20),
    )
  })
})

describe(`more than ${MAX_COLUMNS} columns`, () => {
  for (const container of ["ndjson", "json"] as const) {
    it.effect(`are refused in a record of ${container}, and in each map of it`, () =>
      Effect.gen(function* () {
        const records = [
          { type: "deal", ...keys(MAX_COLUMNS) },
          { type: "deal", crm_properties: keys(MAX_COLUMNS + 1) },
          { type: "deal", name: "x", crm_properties: keys(MAX_COLUMNS) },
        ]
        const lines = records.map((each) => JSON.stringify(each))
        const text = container === "json" ? `[${lines.join(",")}]` : lines.join("\n")
        const read = yield* readFile(text, { isNdjson: container === "ndjson" })
        assert.strictEqual(read.facts.container, container)
        const found = read.records.map((each) => {
          const entry = toEntry(each.line, "value" in each ? each.value : undefined, 1, true)
          return isRefused(entry) ? entry.problems[0]!.reason : "read"
        })
        assert.deepStrictEqual(found.slice(0, 2), [
          "has 1001 fields: a record may have 1000",
          "has 1001 fields in 'crm_properties': a record may have 1000",
        ])
        assert.notInclude(found[2], "has")
      }),
    )
  }

  it.effect("are refused in the header of a CSV, whose rows may be shorter", () =>
    Effect.gen(function* () {
      const header = ["name", ...Object.keys(keys(MAX_COLUMNS))].join(",")
      const { rows, facts } = yield* readFile(`${header}\nx\n`)
      const planned = finish(makePlan(rows, facts, { type: "deal" }, CONTEXT, new Notices()))
      assert.deepStrictEqual(planned, [
        { field: "header", reason: "must be readable: line 1 has 1001 cells: a file may have 1000 columns" },
      ])
    }),
  )

  const cells = (count: number, cell: string) => cell.repeat(count)
  for (const { container, file, read, problem } of [
    {
      container: "HTML",
      file: (count: number) => utf8(`<table><tr>${cells(count, "<td>x</td>")}</tr></table>`),
      read: readHtmlTable,
      problem: "has more than 1000 cells, the columns that a file may have",
    },
    {
      container: "XLSX",
      file: (count: number) =>
        xlsx([
          { name: "S", xml: sheetOf(`<row r="1">${cells(count, '<c t="inlineStr"><is><t>x</t></is></c>')}</row>`) },
        ]),
      read: readWorkbook,
      problem: "has a cell in column 1001: a file may have 1000 columns",
    },
  ]) {
    it(`are refused in a row of ${container}`, () => {
      const problemsOfRow = (count: number) =>
        [...read(file(count), {})].flatMap((part) => ("rows" in part ? part.rows.map((row) => row.problem) : []))
      assert.deepStrictEqual([MAX_COLUMNS, MAX_COLUMNS + 1].map(problemsOfRow), [[undefined], [problem]])
    })
  }
})
