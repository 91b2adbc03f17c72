import { assert, describe, it } from "vitest"
import { readDate } from "../../../src/core/records/values/dates.ts"
import { Notices } from "../../../src/core/records/Notices.ts"
import { fieldsOf, readRows } from "./readRows.ts"

describe("columns that fill no field", () => {
  it("are named up to twenty, and the others counted", () => {
    const names = Array.from({ length: 23 }, (_, n) => `c${n}`)
    const { notices } = readRows(`Deal Name|${names.join("|")}\na|${names.map(() => "q").join("|")}`)
    assert.deepStrictEqual([notices[0]!.count, notices[0]!.examples], [23, names.slice(0, 20)])
    assert.match(notices[0]!.message, /^23 columns \(3 of them are not listed here\) fill no field/)
  })
})

describe("columns that stand for others", () => {
  it("fill the amount in an export of Odoo, and the close date, if no other column does", () => {
    const odoo = "Opportunity|Expected Revenue|Expected Closing|Stage"
    assert.deepStrictEqual(fieldsOf(odoo), ["name", "amount", "close_date", "status"])
    assert.deepStrictEqual(fieldsOf("Opportunity Name|Expected Revenue|Close Date"), ["name", null, "close_date"])
    assert.deepStrictEqual(fieldsOf(`${odoo}|Amount`)[1], null)
    assert.deepStrictEqual(fieldsOf("Deal|Amount|Decision Date"), ["name", "amount", "close_date"])
    assert.deepStrictEqual(fieldsOf("Deal|Decision Date|Close Date"), ["name", null, "close_date"])
    assert.deepStrictEqual(fieldsOf("Deal|Stage|Decision Date|Date Won")[2], null)
  })
})

describe("a column called Name beside one called Opportunity", () => {
  const namesOf = (text: string) => readRows(text).records?.map((each) => (each as any).name)

  it("is that of a person, unless the other has ids or fewer names", () => {
    const persons = "Opportunity|Name|Company\nAcme - Platform|Jane Doe|Acme\nGlobex - Seats|Jane Doe|Globex"
    assert.deepStrictEqual(namesOf(persons), ["Acme - Platform", "Globex - Seats"])
    assert.deepStrictEqual(
      readRows(persons).notices.map(({ code, examples }) => [code, examples]),
      [["column_unmapped", ["Name"]]],
    )
    assert.deepStrictEqual(namesOf("Opportunity|Name\nOPP-1|Platform\nOPP-2|Seats"), ["Platform", "Seats"])
    assert.deepStrictEqual(namesOf("Deal|Name\nRenewal|Platform\nRenewal|Seats"), ["Platform", "Seats"])
  })
})

describe("headers of standard reports", () => {
  it("name the owner and the times of a deal", () => {
    for (const header of ["Salesperson", "Assigned To", "Assignee", "Sales owner", "Owner: Full Name", "Deal-Inhaber"])
      assert.deepStrictEqual(fieldsOf(`Deal Name|${header}`), ["name", "owner"], header)
    for (const header of ["Created", "Creation Date", "Date Added", "Add time"])
      assert.deepStrictEqual(fieldsOf(`Deal Name|${header}`), ["name", "created_at"], header)
    assert.deepStrictEqual(fieldsOf("Deal Name|Schlusstermin|Account Name: Account Name"), [
      "name",
      "close_date",
      "client",
    ])
    assert.deepStrictEqual(fieldsOf("Deal Name|Owner: Phone"), ["name", null])
  })

  it("of numbered competitors fill one list", () => {
    const found = readRows("Deal Name|Competitor 1|Competitor 2|Competitor 3\nA|Rival|Brixen|\nB|||Zed")
    assert.deepStrictEqual(found.records, [
      { name: "A", competitors: ["Rival", "Brixen"] },
      { name: "B", competitors: ["Zed"] },
    ])
  })
})

describe("a column that its cells explain", () => {
  it("says how deals have ended, in a file without stages", () => {
    const outcomes = (cells: string, header = "Deal Name|Result") =>
      readRows(`${header}\n${cells}`).records?.map((each) => (each as any).status)
    assert.deepStrictEqual(outcomes("A|W\nB|L\nC|Win\nD|Loss\nE|No decision\nF|Pending"), [
      "Won",
      "Lost",
      "Win",
      "Loss",
      "No decision",
      "Pending",
    ])
    assert.deepStrictEqual(outcomes("A|Won\nB|Blue"), [undefined, undefined])
    assert.deepStrictEqual(outcomes("A|L\nB|M"), [undefined, undefined])
    assert.deepStrictEqual(outcomes("A|W|Open\nB|L|Open", "Deal Name|Result|Stage"), ["Open", "Open"])
  })

  it("may be the amount, if no other is", () => {
    const codesOf = (text: string) => readRows(text).codes ?? []
    for (const header of ["Expected Revenue", "Deal Size", "Price", "ARR"])
      assert.include(codesOf(`Deal Name|${header}\nA|1200.00`), "column_like_field amount 1", header)
    for (const [header, cell] of [
      ["Probability", "100"],
      ["Year", "2026"],
      ["Ticket No", "12345"],
    ])
      assert.deepStrictEqual(codesOf(`Deal Name|${header}\nA|${cell}`), ["column_unmapped undefined 1"], header)
    assert.deepStrictEqual(codesOf("Deal Name|Amount|Quota\nA|5|1200"), ["column_unmapped undefined 1"])
  })
})

describe("dates in other languages", () => {
  for (const cell of [
    "31 de dezembro de 2026",
    "31 grudnia 2026",
    "31 december 2026",
    "31 dicembre 2026",
    "Thursday 31/12/2026",
    "Donnerstag, 31.12.2026",
  ])
    it(`reads ${cell}`, () => assert.strictEqual(readDate(cell, "DMY"), "2026-12-31"))
  it("reads 31 mrt 2026", () => assert.strictEqual(readDate("31 mrt 2026", "DMY"), "2026-03-31"))
  it("refuses weeks, Buddhist years and other words", () => {
    const reason = (cell: string) => (readDate(cell, "DMY") as { reason: string }).reason
    for (const cell of [
      "2026-W14",
      "KW 14/2026",
      "W14 2026",
      "CW 51",
      "KW34",
      "KW 34 26",
      "W/C 14 Dec 2026",
      "week of Dec 14",
    ])
      assert.match(reason(cell), /is a week/, cell)
    assert.match(reason("31/03/2569"), /Buddhist calendar, write 2026/)
    assert.match(reason("after 31/12/2026"), /must be a date/)
  })
})

describe("warnings of one code and field", () => {
  it("are apart if they mean different things", () => {
    const notices = new Notices()
    for (const [example, kind] of [
      ["Closed Won", "open"],
      ["Proposal", "won"],
      ["Done", "open"],
    ] as const)
      notices.add("stage_unclear", { field: "status", example, kind, message: `'${example}' is ${kind}` })
    assert.deepStrictEqual(
      notices.list().map(({ field, message, examples }) => [field, message, examples]),
      [
        ["status", "'Closed Won' is open", ["Closed Won", "Done"]],
        ["status", "'Proposal' is won", ["Proposal"]],
      ],
    )
  })
})
