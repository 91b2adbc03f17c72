import { assert, describe, it } from "vitest"
import { readRows } from "./readRows.ts"

const refusalOf = (text: string) => readRows(text).refusal ?? ""

describe("a file of other things", () => {
  it("is refused with the headers that show it", () => {
    assert.match(
      refusalOf("Title|Email|Account Name\nCTO|li@x.com|Acme"),
      /looks like a list of contacts, for it has the column 'Email', .*type=client.*map a column by hand, such as Title=name/,
    )
    for (const [text, thing] of [
      ["Activity ID|Subject|Type|Due Date|Deal|Status\n1|Call|Call|2026-01-01|Big|Completed", "activities"],
      ["Record ID|Name|Email|Associated Company|Lead Status\n9|Li|li@x.com|Acme|Open", "leads or contacts"],
      ["Quote Number|Opportunity Name|Status|Amount\nQ-1|Big|Draft|100", "quotes"],
      ["Account ID|Account Name|Industry|Website\n1|Acme|Tech|x.com", "accounts"],
    ] as const) {
      assert.match(refusalOf(text), new RegExp(`looks like a list of ${thing}, `), text)
    }
  })

  it("is one of deals if it has what only deals have, or a map", () => {
    for (const text of [
      "Title|Email|Account Name|Amount\nBig|li@x.com|Acme|1",
      "Title|Email|Stage\nBig|li@x.com|Demo",
      "Title|Email|Status\nBig|li@x.com|Won",
      "Title|Email|Won?\nBig|li@x.com|Yes",
      "Title|Email|Probability\nBig|li@x.com|50",
      "Deal Name|Email|Phone\nBig|li@x.com|1",
      "Opportunity ID|Industry\n1|Tech",
      "Deal Name|Quote Number|Stage|Amount\nBig|Q-1|Won|1",
    ]) {
      assert.isUndefined(readRows(text).refusal, text)
    }
    const { records } = readRows("Title|Email\nBig|li@x.com", { map: { Title: "name" } })
    assert.deepStrictEqual(records, [{ name: "Big" }])
  })

  it("without names has deals that are named after their client and close date, with a warning", () => {
    const found = readRows("Client|Close Date|Outcome|Competitor\nAcme|2025-03-01|Won|Rival\nBolt||Lost|")
    assert.deepStrictEqual(
      found.records?.map((each) => (each as any).name),
      ["Acme, 2025-03-01", undefined],
    )
    assert.deepStrictEqual(found.codes, ["deal_named name 1"])
    assert.match(refusalOf("Client|Close Date|Project\nAcme|2025-03-01|Roof"), /'Project' have texts/)
  })

  it("without a column for names or ids is refused once, with those that could be it", () => {
    assert.match(
      refusalOf("Project|Due|Customer|Stage|Amount\nRoof|2026-01-01|Acme|Won|1"),
      /which column has the name of the deal.*'Project=name'; 'Project', 'Customer' have texts/,
    )
    assert.match(refusalOf("Stage|Amount\nWon|1"), /No column has texts/)
    assert.isUndefined(readRows("Opportunity ID|Stage\n1|Won").refusal)
  })
})

describe("cells of one name", () => {
  it("with several are a warning", () => {
    const found = readRows(
      "Deal Name|Associated Company|Owner\nBig|Initech;Initrode|Anna Berg; Ben Ode\nSmall|Acme;|Ann",
    )
    assert.deepStrictEqual(found.codes, ["list_unsplit owner 1", "list_unsplit client 1"])
    assert.deepInclude(found.notices[1], { lines: [2], examples: ["Initech;Initrode"] })
  })
})

describe("a column in which each group is written once", () => {
  const lines = (text: string) =>
    readRows(text).notices.flatMap(({ code, lines }) => (code === "group_written_once" ? lines : []))

  it("is a warning with the rows that have no value", () => {
    assert.deepStrictEqual(lines("Stage|Deal Name|Amount\nWon|A|100\n|B|200\nLost|C|100\n|D|200"), [3, 5])
  })

  it("is a warning for owners and stages even if most rows have one, and for clients only if few have", () => {
    const rows = (header: string) => `Deal Name|${header}\nA|Ann\nB|\nC|Ben\nD|Cy\nE|\nF|Di`
    for (const header of ["Owner", "Stage"]) assert.deepStrictEqual(lines(rows(header)), [3, 6])
    assert.deepStrictEqual(lines(rows("Client")), [])
  })

  it("is no warning if a value comes again later, if the first row is blank, or if few rows are", () => {
    assert.deepStrictEqual(lines("Stage|Deal Name\nWon|A\n|B\nWon|C\n|D"), [])
    assert.deepStrictEqual(lines("Stage|Deal Name\n|A\n|B\nWon|C\n|D"), [])
    assert.deepStrictEqual(lines("Stage|Deal Name\nWon|A\nLost|B\nOpen|C\n|D"), [])
    assert.deepStrictEqual(lines("Stage|Deal Name|Amount\nWon|A|1\nLost|B|2\n|Total|3\n|Average|1.5"), [])
  })
})
