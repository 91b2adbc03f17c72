import { assert, describe, it } from "vitest"
import { read } from "./support.ts"

describe("rows that are no records", () => {
  it("a last row with the sum of the others is a total if it lacks a cell that all others have", () => {
    const found = read("Deal|Customer|Amount\na|A|100\nb|B|200\nx||300")
    assert.deepStrictEqual([found.lines, found.codes], [[2, 3], ["total_skipped 1"]])
  })

  it("a last deal whose amount happens to be the sum is a deal", () => {
    assert.deepStrictEqual(read("Deal|Customer|Amount\na|A|100\nb|B|200\nc|C|300").lines, [2, 3, 4])
  })

  it("a label of a total with nothing but numbers is a total anywhere", () => {
    const found = read("Deal|Customer|Amount\na|A|100\nSubtotal||100\nb|B|200\nGrand Total||300\nGesamt||300")
    assert.deepStrictEqual([found.lines, found.codes], [[2, 4], ["total_skipped 3"]])
  })

  it("a deal that is named Total is a deal if it has more than an amount", () => {
    assert.deepStrictEqual(read("Deal|Customer|Amount\na|A|100\nTotal|TotalEnergies|250").lines, [2, 3])
  })

  it("lines of one cell after an empty line are a footer, and deals after them are deals", () => {
    const found = read("Deal|Customer|Amount\na|A|100\n\nPrepared by me||\nConfidential\nb|B|200")
    assert.deepStrictEqual([found.lines, found.codes], [[2, 6], ["footer_skipped 2"]])
  })

  it("labels without a number are totals, if most rows have more", () => {
    const labels = [
      "Grand Totals (2 records)",
      "Subtotal",
      "Count: 2",
      "2 records",
      "Anzahl: 2",
      "Total",
      "Total amount",
    ]
    for (const label of labels) {
      const found = read(`Deal|Customer|Amount\na|A|100\nb|B|200\n${label}||`)
      assert.deepStrictEqual([found.lines, found.codes], [[2, 3], ["total_skipped 1"]], label)
    }
    const footer = read("Deal|Customer|Amount\na|A|100\nb|B|200\n||300\nCount: 2||\n2 records||")
    assert.deepStrictEqual([footer.lines, footer.codes], [[2, 3], ["total_skipped 3"]])
    assert.deepStrictEqual(read("Deal|Customer|Amount\na||\nb||\nTotal||\nc|C|1").lines, [2, 3, 4, 5])
    const clients = read("Account name|Industry\nA|Energy\nB|Energy\nTotal|\n2 records|", { type: "client" })
    assert.deepStrictEqual([clients.lines, clients.codes], [[2, 3, 4], ["total_skipped 1"]])
  })

  it("a row of one cell is a deal with a warning, if most rows have more", () => {
    const found = read("Deal|Customer|Amount\nRenewals Q1||\na|A|100\nb|B|200\nNew business||\nc|C|100")
    assert.deepStrictEqual([found.lines, found.codes], [[2, 3, 4, 5, 6], ["row_of_one_cell 2"]])
    assert.deepStrictEqual(read("Deal|Customer|Amount\na||\nb||\nc|C|100").codes, [])
  })

  it("another table after an empty line has numbers where records have words, or a caption", () => {
    const deals = "Deal|Amount|Stage|Close Date\na|100|Won|2026-03-01\nb|200|Lost|2026-03-02"
    for (const rows of [
      "Anna|100|1|\nBen|200|1|",
      "By rep|||\nAnna|100|1|\nBen|200|1|",
      "By rep|||\nAnna|100||\nBen|200||",
    ]) {
      const found = read(`${deals}\n\n${rows}`)
      assert.deepStrictEqual([found.lines, found.codes], [[2, 3], [`footer_skipped ${rows.split("\n").length}`]], rows)
    }
    for (const rows of ["c|100|Open|\nd|200|Open|", "c|100||\nd|200||", "Open|||\nc|100|Open|\nd|200|Open|"]) {
      const found = read(`${deals}\n\n${rows}`)
      assert.strictEqual(found.lines?.length, 4, rows)
    }
    const found = read(`${deals}\n\nOpen|||\nc|100||\nd|200||\ne|300|Open|2026-04-01\nf|400||`)
    assert.deepStrictEqual(found.lines, [2, 3, 8, 9])
  })

  it("records that the CRM has deleted are left out, and the field `deleted` deletes with a warning", () => {
    for (const header of ["Deleted", "DELETED", "Is Deleted", "IsDeleted", "is_deleted", "Gelöscht"]) {
      const found = read(`Opportunity ID|Deal|${header}\n1|a|Yes\n2|b|No`)
      assert.deepStrictEqual([found.lines, found.codes], [[3], ["deleted_skipped 1"]], header)
    }
    const deleting = (found: ReturnType<typeof read>) => [
      found.records?.map((each) => "record" in each && each.record["deleted"]),
      found.codes,
    ]
    const expected = [[true, false], ["deletes_records 1"]]
    assert.deepStrictEqual(deleting(read("Opportunity ID|Deal|deleted\n1|a|Yes\n2|b|No")), expected)
    const map = { Deleted: "deleted" }
    assert.deepStrictEqual(deleting(read("Opportunity ID|Deal|Deleted\n1|a|Yes\n2|b|No", { map })), expected)
    assert.deepStrictEqual(read("Owner name|Deleted\nAnna|Yes\nBen|No", { type: "owner" }).lines, [3])
  })

  it("short rows and repeated headers are reported", () => {
    const found = read("Deal|Customer|Amount\na|A|100\nb|B\ndeal|customer|amount\nc|C|300")
    assert.deepStrictEqual(
      [found.lines, found.codes],
      [
        [2, 5],
        ["footer_skipped 1", "short_row 1"],
      ],
    )
  })
})
