import { assert, describe, it } from "vitest"
import { readRows } from "./readRows.ts"

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

  it("are dropped from lists", () => {
    assert.deepStrictEqual(readRows("Deal Name|Competitors\nBig|Rival; TBD; Keine").records, [
      { name: "Big", competitors: ["Rival"] },
    ])
  })

  it("are not those that a workspace may use", () => {
    const found = readRows("Deal Name|Loss Reason|Region|Stage\nBig|Other|NA|TBD\nSmall|No decision|Other|Unknown")
    assert.deepStrictEqual(found.records, [
      { name: "Big", drivers: [{ positive: false, reason: "Other" }], region: "NA", status: "TBD" },
      { name: "Small", drivers: [{ positive: false, reason: "No decision" }], region: "Other", status: "Unknown" },
    ])
  })
})
