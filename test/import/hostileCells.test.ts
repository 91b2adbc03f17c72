import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { hasSeveral, namesIn } from "../../src/core/import/plan/cells/namesOfCell.ts"
import { fieldCalled, isNumbered, normalizeHeader } from "../../src/core/import/plan/headers/headers.ts"
import { amountNamedBy } from "../../src/core/import/plan/headers/matchColumns.ts"
import { isTotalLabel } from "../../src/core/import/plan/rows/totals.ts"
import { detectKind } from "../../src/core/import/table/kind.ts"
import { readPerson } from "../../src/core/records/names/person.ts"
import { readCurrencyCell } from "../../src/core/records/values/currency.ts"
import { isDateProblem, readDate } from "../../src/core/records/values/dates.ts"
import { isNumberProblem, readNumber } from "../../src/core/records/values/numbers.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

/** Almost the longest line of an import. Quadratic work on it takes minutes, cubic work years. */
const SIZE = 900_000

const long = (start: string, repeated: string, end = "", size = SIZE) =>
  start + repeated.repeat(Math.floor(size / repeated.length)) + end

describe("reads hostile texts of an import in linear time", () => {
  it("numbers, dates and currencies", () => {
    for (const cell of [
      long("", "(", "0)x(0)"),
      long("1", ".-", "1"),
      long("", "9", "a"),
      long("1", " ", "x1"),
      long("1", " k"),
    ])
      assert.isTrue(isNumberProblem(readNumber(cell, { isMoney: true })))
    for (const cell of [long("2026-01-01 9:99", "\r", "x"), long("1", "/", "x"), long("", "1 ")])
      assert.isTrue(isDateProblem(readDate(cell, "ISO")))
    assert.isUndefined(readCurrencyCell(long("Kkr", "\t", "x")))
    // Files of fixed width pad their cells.
    assert.deepInclude(readNumber(long("1,250.00", " ")), { value: 1250 })
    assert.strictEqual(readDate(long("2026-03-31", " "), "ISO"), "2026-03-31")
  })

  it("names, headers and labels", () => {
    for (const cell of [long("a", " ", "x"), long("a", "\u2028", "x"), long("a@", ".", "@")]) {
      assert.deepStrictEqual(namesIn(cell), [cell])
      assert.isFalse(hasSeveral(cell, undefined))
      assert.isUndefined(readPerson(cell).email)
    }
    assert.isFalse(hasSeveral(long("a", "\n"), undefined))
    assert.isTrue(hasSeveral(long("a", "\n", "b"), undefined))
    assert.lengthOf(readPerson(long("a,", " ", ",")).names, 1)
    for (const header of [long("a_", "_", " x"), long("a", " ", "1x"), long("Deal", ": ", "x"), long("a", "*", "x")]) {
      assert.isUndefined(fieldCalled("deal", header))
      assert.isFalse(isNumbered(header))
      assert.strictEqual(normalizeHeader(header), header)
      assert.strictEqual(amountNamedBy([header, "amount"], 0), -1)
    }
    assert.isFalse(isTotalLabel(long("sum:", "9", "\n")))
    assert.deepStrictEqual(namesIn("Acme and  Bolt"), ["Acme", "Bolt"])
  })

  it("the comments before a table of HTML", () => {
    const kind = (text: string) => detectKind(new TextEncoder().encode(text), false).is
    assert.notStrictEqual(kind(`${"<!--.-->".repeat(5000)}name,amount\n`), "html")
    assert.strictEqual(kind(`${"<!--.--> ".repeat(50)}<table>`), "html")
  })
})

layer(layerWeb(engines[0].database), { excludeTestServices: true })((it) => {
  it.effect("so does a dry run, whatever the column", () =>
    Effect.gen(function* () {
      const { request, tenant } = yield* Web
      const { key } = yield* tenant()
      const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`
      const usual = ["A", "5", "2026-01-01", "Won", "Acme", "Ann"]
      for (const [start, repeated, end] of [
        ["", "9", "a"],
        ["a", " ", "x"],
        ["(", "(", "0)x(0)"],
        ["", '\\"', "x"],
      ] as const)
        for (const column of usual.keys()) {
          const cell = long(start, repeated, end, 200_000)
          const row = usual.with(column, quote(cell))
          const body = `name,amount,close_date,status,client_name,owner\n${row.join(",")}\n${usual.join(",")}\n`
          const headers = { "content-type": "text/csv" }
          const reply = yield* request("/api/v1/import?type=deal&dry_run=true", key, { method: "POST", body, headers })
          assert.strictEqual(reply.status, 200, `${column} ${cell.slice(0, 10)} ${reply.text.slice(0, 300)}`)
        }
    }),
  )
})
