import { assert, describe, it } from "vitest"
import { read } from "./support.ts"

const fieldsOf = (found: ReturnType<typeof read>) => found.plan?.columns.map(({ field }) => field)
const recordsOf = (found: ReturnType<typeof read>) =>
  found.records?.map((each) => ("record" in each ? each.record : each.problems[0]!.reason))
const DEALS = "Deal Name|Client|Stage|Amount"

describe("tables that are laid out in other ways", () => {
  it("a table beside the deals fills no field, whether it is shorter or longer, left or right", () => {
    const right = read(`${DEALS}||Rep|Quota\nA|Acme|Won|1||Anna|11\nB|Bco|Lost|5||Ben|22\nC|Cco|Lost|2|||`)
    assert.deepStrictEqual(fieldsOf(right), ["name", "client", "status", "amount", null, null, null])
    assert.deepStrictEqual([right.lines, right.codes], [[2, 3, 4], ["table_beside 2"]])
    assert.deepStrictEqual(right.plan?.columns.map(({ column }) => column).slice(5), ["Rep", "Quota"])
    const longer = read(`${DEALS}||Rep|Quota\nA|Acme|Won|1||Anna|11\n|||||Ben|22\n|||||Dan|33`)
    assert.deepStrictEqual([longer.lines, longer.codes], [[2], ["table_beside 2"]])
    const left = read(`Rep|Quota||${DEALS}\nAnna|11||A|Acme|Won|1\n|||B|Bco|Lost|5`)
    assert.deepStrictEqual([left.lines, left.codes], [[2, 3], ["table_beside 2"]])
    assert.deepStrictEqual(fieldsOf(left)?.slice(0, 2), [null, null])
  })

  it("columns beside an empty one belong to the deals if they have their rows, gaps, or a mapping", () => {
    const spaced = `${DEALS}||Owner|Region`
    for (const [rows, map] of [
      ["A|Acme|Won|1||Anna|EMEA\nB|Bco|Lost|5||Ben|EMEA", undefined],
      ["A|Acme|Won|1||Anna|EMEA\nB|Bco|Lost|5|||\nC|Cco|Lost|2||Ben|US", undefined],
      ["A|Acme|Won|1||Anna|EMEA\nB|Bco|Lost|5|||", { Owner: "owner" }],
    ] as const) {
      const found = read(`${spaced}\n${rows}`, map && { map })
      assert.deepStrictEqual([fieldsOf(found)?.slice(5), found.codes], [["owner", "region"], []], rows)
    }
    const sums = read("Deal Name|Client||Amount\nA|Acme||1\nB|Bco||2\n|||3")
    assert.deepStrictEqual([fieldsOf(sums)?.[3], sums.lines], ["amount", [2, 3]])
  })

  it("a table of deals with another header is said to be left out, until an empty line", () => {
    for (const gap of ["", "\n"]) {
      for (const header of ["Client|Deal Name|Amount|Close Date", "Deal|Account|Value|Closed"]) {
        const found = read(
          `Deal Name|Client|Amount|Close Date\nA|Acme|1|2026-01-01\n${gap}${header}\nBco|B|2|2026-01-02\nBco|C|2|2026-01-02`,
        )
        assert.deepStrictEqual([found.lines, found.codes], [[2], ["table_skipped 3"]], header)
      }
    }
    const found = read("Deal Name|Client|Amount\nA|Acme|1\n\nDeal|Client|Other amount\nB|Bco|2\n\nC|Cco|3")
    assert.deepStrictEqual([found.lines, found.codes], [[2, 7], ["table_skipped 2"]])
  })

  it("a table of deals below is left out even if its header says more, and its deals are not imported alone", () => {
    const open = "Open pipeline\nDeal|Customer|Stage|Value|Close date|Next step\na|Acme|Demo|10|2026-03-14|call"
    for (const more of [1, 26]) {
      const rows = Array.from({ length: more }, (_, at) => `b${at}|Beta|Offer|20|2026-03-15|mail`).join("\n")
      const lost =
        "Lost 2026\nDeal|Customer|Stage|Value|Close date|Owner|Loss reason\nc|Gamma|Lost|30|2026-03-16|Ann|Price"
      const found = read(`${open}\n${rows}\n\n${lost}`)
      assert.deepStrictEqual([found.plan?.headerLine, found.lines?.length], [2, more + 1])
      assert.include(found.codes!.join(), "table_skipped")
    }
  })

  it("lines of a report above its header are no table, whatever fields they name", () => {
    const table = "Opportunity|Account|Stage|Amount|Owner\nA|Acme|Won|1|Ann\nB|Bco|Lost|2|Ben"
    for (const above of [
      "Deal|Stage",
      "Filtered by|Stage|Won",
      "Stage|Amount\nWon|1\nLost|2\n",
      "Name|My report\nOwner|Ann",
    ])
      assert.deepStrictEqual(read(`${above}\n\n${table}`).records?.length, 2, above)
  })

  it("a header of other words for the same columns is a repeated one", () => {
    for (const gap of ["", "\n"]) {
      const found = read(`Deal Name|Client|Amount\nA|Acme|1\n${gap}Opportunity|Account|Value\nB|Bco|2`)
      assert.deepStrictEqual([found.lines?.length, found.codes], [2, ["footer_skipped 1"]])
    }
  })

  it("a table whose fields are below each other is refused, and deals called like one field are not", () => {
    const found = read("Deal Name|A|B\nClient|Acme|Bco\nStage|Won|Lost\nAmount|1|2\nNotes|x|y")
    assert.match(found.invalid?.[0]?.reason ?? "", /'Client', 'Stage', 'Amount'.*Transpose/)
    assert.strictEqual(read("Deal Name|Stage\nProduct|Won\nA|Won\nB|Won").lines?.length, 3)
  })

  it("a column of nothing but codes is the currency, if only one column is", () => {
    assert.deepStrictEqual(fieldsOf(read("Deal|Amount|CCY\na|1|EUR\nb|2|USD")), ["name", "amount", "currency"])
    assert.deepStrictEqual(fieldsOf(read("Deal|Amount|X|Y\na|1|EUR|USD"))?.slice(2), [null, null])
    assert.strictEqual(fieldsOf(read("Deal|Value|Quote|Quote Currency\na|1|2|EUR"))?.[3], null)
    assert.deepStrictEqual(fieldsOf(read("Deal|Amount|X\na|1|EUR\nb|2|EMEA"))?.[2], null)
  })

  it("a mark that repeats the cell above is refused where names belong", () => {
    for (const mark of ['"', "ditto", "〃", "''", "dto."]) {
      assert.match(String(recordsOf(read(`Deal|Owner\na|Anna\nb|${mark}`))?.[1]), /same as the cell above/, mark)
    }
    assert.deepInclude(recordsOf(read("Deal|Owner\na|Do\nb|Idema"))?.[0] as object, { owner: "Do" })
  })

  it("a name has its page no longer", () => {
    const page = "https://www.notion.so/Acme-1a2b?pvs=21"
    const found = recordsOf(read(`Deal|Client|Competitors\na|Acme (${page})|Rival (${page}); [Brixen](${page})`))
    assert.deepInclude(found?.[0] as object, { client: "Acme", competitors: ["Rival", "Brixen"] })
    assert.deepInclude(recordsOf(read("Deal|Client\na|Acme (UK)"))?.[0] as object, { client: "Acme (UK)" })
  })

  it("running numbers become ids with a warning, unless the header is exactly our field", () => {
    assert.deepStrictEqual(read("ID|Deal\n1|a\n2|b").codes, ["id_of_numbers 1"])
    for (const text of ["id|Deal\n1|a", "ID|Deal\n52e1-ab|a", "Deal - ID|Deal\n1|a"]) {
      assert.deepStrictEqual(read(text).codes, [], text)
    }
    assert.deepStrictEqual(read("ID|Deal\n1|a", { map: { ID: "id" } }).codes, [])
  })
})

describe("ends of deals", () => {
  const stagesOf = (found: ReturnType<typeof read>) =>
    recordsOf(found)?.map((each) => (each as { status?: string }).status ?? null)

  it("in a file without stages, the day of a win or loss says it", () => {
    for (const header of ["Won Date|Lost Date", "Won Time|Lost Time", "Date Won|Date Lost"]) {
      const found = read(`Deal|Client|${header}\na|A|2026-01-01|\nb|B||2026-01-02\nc|C||\nd|D|2026-01-01|2026-01-02`)
      assert.deepStrictEqual(
        [stagesOf(found), found.codes],
        [["Won", "Lost", null, "Won and lost"], ["stage_missing 1"]],
        header,
      )
    }
    const staged = read("Deal|Stage|Won Date|Lost Date\na|Proposal|2026-01-01|")
    assert.deepStrictEqual([stagesOf(staged), staged.codes], [["Proposal"], []])
    assert.deepStrictEqual(read("Deal|Close Date\na|2026-01-01").codes, [])
  })

  it("a deal that flags call open has no stage, with a warning", () => {
    for (const text of ["Deal|Won?|Lost?\na|No|No\nb|Yes|No", "Deal|Closed|Won\na|No|No\nb|Yes|Yes"]) {
      const found = read(text)
      assert.deepStrictEqual([stagesOf(found), found.codes], [[null, "Won"], ["stage_missing 1"]], text)
    }
  })

  it("a won or lost stage beside another outcome is a warning", () => {
    for (const row of ["Won|Open", "Closed Won|Lost", "Lost|Won", "Won|Abandoned"]) {
      assert.deepStrictEqual(read(`Deal|Stage|Status\na|${row}`).codes, ["stage_contradicted 1"], row)
    }
    for (const row of ["Won|Won", "Negotiation|Won", "Lost|Abandoned", "Proposal|Open", "Done|Lost"]) {
      assert.deepStrictEqual(read(`Deal|Stage|Status\na|${row}`).codes, [], row)
    }
  })
})
