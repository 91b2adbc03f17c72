import { assert, describe, it } from "vitest"
import { readRows } from "./readRows.ts"
import { readCells, readRows as readTyped } from "./support.ts"

const EMPTY =
  "-None-|(No value)|na|TBD|TBC|To be confirmed|keine|keiner|Kein Wettbewerber|Aucun|Ninguno|なし|No competitor|No Competitor Identified|Not applicable|None identified|Unassigned|Unknown|n/d|à définir|(nenhum)"

describe("texts that stand for nothing", () => {
  const header =
    "Deal Name|Account|Deal owner|Collaborators|Competitor|Primary Competitor|Loss Reason|Amount|Close Date"

  it("are no names, numbers or dates", () => {
    for (const text of EMPTY.split("|")) {
      const found = readRows(`${header}\nBig|${Array(8).fill(text).join("|")}`)
      assert.deepStrictEqual(found.records, [{ name: "Big" }], text)
      assert.deepStrictEqual(
        found.notices.map(({ code }) => code),
        Array(8).fill("placeholder_emptied"),
        text,
      )
    }
  })

  it("are days that programs write for none", () => {
    for (const day of "1900-01-01|1/1/1900|01.01.1970|1970-01-01T00:00:00Z|0001-01-01 00:00:00|31/12/9999|12/31/9999".split(
      "|",
    )) {
      const found = readRows(`Deal Name|Close Date\nBig|${day}\nSmall|2026-03-31`)
      assert.deepStrictEqual(found.records, [{ name: "Big" }, { name: "Small", close_date: "2026-03-31" }], day)
      assert.deepStrictEqual(found.codes, ["placeholder_emptied close_date 1"], day)
    }
    const text = "1900-01-01"
    const cells = readCells([
      ["Deal Name", "Close Date"],
      ["Big", { text, value: { date: text } }],
    ])
    assert.deepStrictEqual(cells, [{ name: "Big" }])
    for (const day of ["1999-12-31", "1971-01-01", "1900-02-01"])
      assert.deepStrictEqual(readRows(`Deal Name|Close Date\nBig|${day}`).records, [{ name: "Big", close_date: day }])
  })

  it("are dropped from lists", () => {
    assert.deepStrictEqual(readRows("Deal Name|Competitors\nBig|Rival; TBD; Keine").records, [
      { name: "Big", competitors: ["Rival"] },
    ])
  })

  it("are no percentages, which are no amounts and are refused", () => {
    const read = (format: string) =>
      readTyped([
        ["Deal Name", "Amount"],
        ["Big", { text: "45%", value: 0.45, format }],
      ]).records?.map((each) => ("record" in each ? each.record["amount"] : each.problems[0]!.reason))
    for (const format of ["0%", "0.00%", "[Red]0 %"])
      assert.deepStrictEqual(read(format), ["must be an amount, not a percentage"], format)
    for (const format of ["0.00", '0.00 "% done"', "0\\%"]) assert.deepStrictEqual(read(format), [0.45], format)
  })

  it("are not those that a workspace may use", () => {
    const found = readRows("Deal Name|Loss Reason|Region|Stage\nBig|Other|NA|TBD\nSmall|No decision|Other|Unknown")
    assert.deepStrictEqual(found.records, [
      { name: "Big", drivers: [{ positive: false, reason: "Other" }], region: "NA", status: "TBD" },
      { name: "Small", drivers: [{ positive: false, reason: "No decision" }], region: "Other", status: "Unknown" },
    ])
  })
})
