import { assert, describe, it } from "vitest"
import { read } from "./support.ts"

const HEADER = "Deal|Client|Owner|Stage|Amount|Close Date"
const deals = (...amounts: ReadonlyArray<number>) =>
  amounts.map((amount, at) => `N${at}|Client ${at}|Anna|Won|${amount}|2026-01-0${at + 1}`).join("\n")

describe("totals", () => {
  it("a deal that has a client, a stage or a date beside its name is a deal, although its amount is the sum", () => {
    for (const last of ["n|Nimbus||||", "n|||Open||", "n|||||2026-06-01", "n|Nimbus||Open||2026-06-01"]) {
      const cells = last.split("|").with(4, "300").join("|")
      const found = read(`${HEADER}\n${deals(100, 200)}\n${cells}`)
      assert.deepStrictEqual([found.lines, found.codes], [[2, 3, 4], []], last)
    }
    const withId = read("Deal ID|Deal|Client|Amount\n1|a|A|100\n2|b|B|200\n3|c||300")
    assert.deepStrictEqual([withId.lines, withId.codes], [[2, 3, 4], []])
  })

  it("a row of one cell that counts rows, or has the sum of those above, is a total", () => {
    for (const last of ["Open deals: 2", "2 open deals", "Deals in pipeline (2)", "Pipeline: $300", "Won = 300.00"]) {
      const found = read(`${HEADER}\n${deals(100, 200)}\n${last}|||||`)
      assert.deepStrictEqual([found.lines, found.codes], [[2, 3], ["total_skipped 1"]], last)
    }
    for (const last of ["Pipeline: 301", "Acme: phase 2", "Deals 2026", "Won (1)"]) {
      const found = read(`${HEADER}\n${deals(100, 200)}\n${last}|||||`)
      assert.deepStrictEqual([found.lines, found.codes], [[2, 3, 4], ["row_of_one_cell 1"]], last)
    }
    assert.deepStrictEqual(read(`${HEADER}\n${deals(100, 200)}\n2 open deals|Acme||||`).codes, [])
    // A time that grows faster than the cell would not end here.
    const long = `Pipeline: ${" ".repeat(20_000)}${"1".repeat(20_000)}:`
    assert.deepStrictEqual(read(`${HEADER}\n${deals(100, 200)}\n${long}|||||`).codes, ["row_of_one_cell 1"])
  })

  it("a label with a count of the rows where these have words is a total", () => {
    for (const last of [
      "Grand Total|3|||400|",
      "Count||||2|",
      "Sum of Amount||||7|",
      "Anzahl|2||||",
      "Total|2 deals||||",
    ]) {
      const found = read(`${HEADER}\n${deals(100, 200)}\n${last}`)
      assert.deepStrictEqual([found.lines, found.codes], [[2, 3], ["total_skipped 1"]], last)
    }
    const numbered = read("Deal|Client|Amount\na|4711|1\nb|4712|2\nTotal|4713|9")
    assert.deepStrictEqual(numbered.lines, [2, 3, 4])
  })

  it("a total of a group that counts its rows where these have names is one", () => {
    const found = read("Client|Deal|Amount|Stage\nA|a|100|Won\nB|b|200|Lost\nWon total|1|100|\nTotal lost|1|200|")
    assert.deepStrictEqual([found.lines, found.codes], [[2, 3], ["total_skipped 2"]])
  })

  it("a total has the day on which it was made, and a weighted one no sum", () => {
    for (const last of [
      "Total as of November||||300|2026-11-30",
      "Weighted pipeline||||150|",
      "Average deal||||150|",
    ]) {
      const found = read(`${HEADER}\n${deals(100, 200)}\n${last}\nTotal pipeline||||300|`)
      assert.deepStrictEqual([found.lines, found.codes], [[2, 3], ["total_skipped 2"]], last)
    }
    const dated = read(`${HEADER}\n${deals(100, 200)}\nTotal refit||||150|2026-11-30`)
    assert.deepStrictEqual(dated.lines, [2, 3, 4])
  })

  it("a total beside the code of its currency is one, whether the amount fills a field or not", () => {
    const header = "Deal|Client|Stage|Currency|Amount|Amount (converted) Currency|Amount (converted)"
    for (const last of ["Grand Totals (2 records)|||||EUR|300", "Total||||300|EUR|330", "EMEA||||300|EUR|"]) {
      const found = read(`${header}\na|A|Won|EUR|100|EUR|100\nb|B|Won|EUR|200|EUR|200\n${last}`)
      assert.deepStrictEqual([found.lines, found.codes?.[0]], [[2, 3], "total_skipped 1"], last)
    }
  })

  it("a sum of nothing is no sum", () => {
    const found = read("Deal|Client|Amount\na|A|0\nb|B|0\nc||0")
    assert.deepStrictEqual([found.lines, found.codes], [[2, 3, 4], []])
  })

  it("a label with the sum of the rows above it is a total anywhere, in any language", () => {
    for (const label of ["EMEA", "Q1", "Kopā", "", "EMEA Total", "合計", "Σ"]) {
      const found = read(
        `${HEADER}\n${deals(100, 101)}\n${label}||||201|\n${deals(7, 8)}\n${label}||||15|\n${label}||||216|`,
      )
      assert.deepStrictEqual([found.lines, found.codes], [[2, 3, 5, 6], ["total_skipped 3"]], label)
    }
  })

  it("a label that names a total is one, although the amount is no sum", () => {
    for (const label of [
      "EMEA Total",
      "Total EMEA",
      "Sub total",
      "Total won:",
      "Pipeline total:",
      "Total geral",
      "Итого",
    ]) {
      const found = read(`${HEADER}\n${deals(100, 101)}\n${label}||||77|\n${deals(7)}`)
      assert.deepStrictEqual([found.lines, found.codes], [[2, 3, 5], ["total_skipped 1"]], label)
    }
  })

  it("a deal whose name has the word is a deal if it has more than an amount, or all that the others have", () => {
    for (const row of ["Total Gas|Total|Anna||77|", "EMEA Total|||||", "Total|TotalCorp|||77|"]) {
      assert.deepStrictEqual(read(`${HEADER}\n${deals(100, 101)}\n${row}`).lines, [2, 3, 4], row)
    }
    assert.deepStrictEqual(read("Deal|Amount\na|100\nTotal Gas|50\nRenewal total|150\nb|1").lines, [2, 3, 4, 5])
    assert.deepStrictEqual(read("Deal|Client|Amount\na|A|100\nTotal Gas renewal||77").lines, [2, 3])
  })
})
