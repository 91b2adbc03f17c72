import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { AnsweredText, findRow, writeAnswered, writeRow } from "../../src/core/answers/figures/figure.ts"
import { RecentPages } from "../../src/core/answers/figures/RecentPages.ts"

const query = { measures: ["won"], groupBy: ["competitor", "close_date.year"], filters: {}, limit: 10 }
const row = (id: string | null, name: string | null, year: string, won = 1) => ({
  group: { competitor: { id, name }, "close_date.year": year },
  values: { won },
  filters: {},
})
const decode = Schema.decodeUnknownOption(AnsweredText)

describe("a figure", () => {
  it("is found by its group, wherever its row is now and whatever its name", () => {
    const rows = [
      row("b", "Brixen", "2026"),
      row(null, null, "2025"),
      row("a", "Renamed", "2025"),
      row("a", "A", "2026"),
    ]
    const { filters: _, ...said } = row("a", "Orvanta", "2025", 7)
    assert.strictEqual(findRow(query, said, rows), 2)
    assert.strictEqual(findRow(query, row(null, null, "2025"), rows), 1)
    assert.strictEqual(findRow(query, row("c", "Brixen", "2026"), rows), -1)
  })

  it("writes a date as people do, also from what is kept of it", () => {
    const labels = { "close_date.year": "FY26" }
    const said = { ...row("b", "Brixen", "2026"), labels }
    assert.strictEqual(writeRow(query, said, undefined), "Brixen, FY26: won 1")
    const report = { data: [said], totals: { values: { won: 1 } } }
    const text = writeAnswered({ figure: { subject: "deals", query }, report, currency: undefined })
    assert.deepStrictEqual(Option.getOrThrow(decode(text)).rows[0]?.labels, labels)
  })

  it("keeps what the answer said: 100 rows, and the totals alone if they are long", () => {
    const write = (name: string, count: number) => {
      const data = Array.from({ length: count }, (_, n) => row(String(n), name, "2026", n))
      const report = { data, totals: { values: { won: 5 } } }
      return writeAnswered({ figure: { subject: "deals", query }, report, currency: "EUR" })
    }
    const kept = Option.getOrThrow(decode(write("A", 120)))
    assert.deepStrictEqual([kept.rows.length, kept.rows[99]?.values["won"], kept.currency], [100, 99, "EUR"])
    const long = Option.getOrThrow(decode(write("A".repeat(500), 120)))
    assert.deepStrictEqual(long, { currency: "EUR", totals: { values: { won: 5 } }, rows: [] })
  })

  it("has its page in memory while all pages fit into the bytes given", () => {
    const pages = new RecentPages(100_000)
    const page = { response: HttpServerResponse.empty(), bytes: 10_000, title: "", state: "", checkedMs: 0 }
    for (const key of ["a", "b", "c", "d"]) pages.put(key, page)
    assert.isDefined(pages.get("a"))
    pages.put("a", { ...page, checkedMs: 1 })
    pages.put("e", page)
    assert.deepStrictEqual(
      ["a", "b", "c", "d", "e"].filter((key) => pages.get(key) !== undefined),
      ["a", "c", "d", "e"],
    )
    assert.isAtMost(pages.bytes, 100_000)
    pages.put("whole", { ...page, bytes: 60_000 })
    assert.isUndefined(pages.get("whole"), "larger than all")
    assert.strictEqual(pages.bytes, 0)
  })
})
