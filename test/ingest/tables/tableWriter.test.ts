import { assert, describe, it } from "@effect/vitest"
import { elementList } from "../../../src/ingest/elements.ts"
import { TableWriter } from "../../../src/ingest/tables/TableWriter.ts"

const place = { kind: "text" } as const

/** Writes rows of cells, "" for an empty one. A cell with a span is a pair. */
const write = (
  rows: ReadonlyArray<ReadonlyArray<string | readonly [string, number]>>,
  isHeader: (index: number) => boolean | undefined = () => undefined,
) => {
  const elements = elementList()
  const table = new TableWriter(elements)
  for (const [index, row] of rows.entries()) {
    let column = 0
    const cells = row.map((cell) => {
      const [text, span] = typeof cell === "string" ? [cell, 1] : cell
      const at = { text, column, span }
      column += span
      return at
    })
    table.row({ cells, place, isHeader: isHeader(index) })
  }
  table.end()
  return elements.list
}

const labelsOf = (...given: Parameters<typeof write>) => write(...given).findLast(({ labels }) => labels)?.labels

describe("tables", () => {
  it("keep the column of each cell, also behind empty ones", () => {
    const list = write([
      ["Product", "Location", "Expected"],
      ["SKU-8847", "A-12", "450"],
      ["", "B-01", ""],
      ["", "", "7"],
    ])
    assert.deepStrictEqual(
      list.map(({ text }) => text),
      ["Product\tLocation\tExpected", "SKU-8847\tA-12\t450", "\tB-01", "\t\t7"],
    )
    assert.deepStrictEqual(list[0]?.header, true)
    assert.deepStrictEqual(list[1]?.labels, ["Product", "Location", "Expected"])
  })

  it("have a header of abbreviations, but none of sentences", () => {
    const body = [
      ["Plan", "12", "40", "EUR"],
      ["Support", "3", "9", "USD"],
    ]
    const header = ["Pos.", "Qty.", "Min. amt.", "Cur."]
    assert.deepStrictEqual(labelsOf([header, ...body]), header)
    assert.deepStrictEqual(labelsOf([["It ended.", "We paid.", "They left.", "Nobody came."], ...body]), [])
  })

  it("have the header above an empty row, and above an empty corner", () => {
    const body = [
      ["MFA", "Yes, all plans", "Only on request"],
      ["SSO", "Yes", "No"],
    ]
    assert.deepStrictEqual(labelsOf([["Feature", "Us", "Them"], ["", "", ""], ...body]), ["Feature", "Us", "Them"])
    assert.deepStrictEqual(labelsOf([["", "Us", "Them"], ...body]), ["", "Us", "Them"])
    const facts = [
      ["Customer", "Harbor"],
      ["", ""],
      ["Reason", "Count"],
      ["Price", "4"],
      ["Fit", "2"],
    ]
    assert.deepStrictEqual(labelsOf(facts), ["Reason", "Count"])
  })

  it("keep their labels below a marked cell that spans the columns", () => {
    const rows = [["Feature", "Us", "Them"], ["SSO", "Yes", "No"], [["Support", 3] as const], ["24/7", "Yes", "No"]]
    const list = write(rows, (index) => index % 2 === 0)
    assert.deepStrictEqual(
      list.map(({ text, header, labels }) => [text, header ?? false, labels?.length ?? 0]),
      [
        ["Feature\tUs\tThem", true, 0],
        ["SSO\tYes\tNo", false, 3],
        ["Support", false, 0],
        ["24/7\tYes\tNo", false, 0],
      ],
    )
  })

  it("have the header that the file marks", () => {
    const rows = [
      ["Plan", "Note"],
      ["Team", "Small"],
      ["Scale", "Large"],
    ]
    assert.deepStrictEqual(
      labelsOf(rows, (index) => index === 0),
      ["Plan", "Note"],
    )
    assert.deepStrictEqual(labelsOf(rows), [])
  })

  it.each([
    [
      "above numbers",
      [
        ["Region", "Deals"],
        ["DACH", "12"],
        ["Nordics", "9"],
      ],
      ["Region", "Deals"],
    ],
    [
      "above rates in words",
      [
        ["Region", "Discount"],
        ["Nordics", "17 percent"],
        ["Iberia", "23,5 Prozent"],
      ],
      ["Region", "Discount"],
    ],
    [
      "above amounts and dates",
      [
        ["Deal", "Worth", "Closed"],
        ["Harbor", "€ 40k", "2026-03-31"],
      ],
      ["Deal", "Worth", "Closed"],
    ],
    [
      "of years",
      [
        ["", "2024", "2025"],
        ["Revenue", "1.2m", "1.4m"],
        ["Costs", "0.9m", "1.0m"],
      ],
      ["", "2024", "2025"],
    ],
    ["below a title", [["Price list"], ["Plan", "Price"], ["Team", "40"], ["Scale", "90"]], ["Plan", "Price"]],
    [
      "of two rows",
      [
        ["", ["2025", 2], ["2026", 2]],
        ["Region", "Q1", "Q2", "Q1", "Q2"],
        ["DACH", "1", "2", "3", "4"],
      ],
      ["Region", "2025 Q1", "2025 Q2", "2026 Q1", "2026 Q2"],
    ],
    [
      "of texts above longer texts",
      [
        ["Feature", "Ours", "Theirs"],
        ["Single sign-on", "In every plan", "In the largest plan"],
        ["Audit log", "Kept for a year", "None"],
      ],
      ["Feature", "Ours", "Theirs"],
    ],
  ] as const)("recognise a header %s", (_, rows, labels) => {
    assert.deepStrictEqual(labelsOf(rows), [...labels])
  })

  it.each([
    [
      "a form",
      [
        ["Name:", "Orvanta GmbH"],
        ["Seats:", "25"],
        ["Price:", "40"],
      ],
    ],
    [
      "facts of several kinds about one thing",
      [
        ["Headquarters", "Malmö"],
        ["Revenue 2025", "€ 48.2 m"],
        ["Employees", "1,120"],
        ["CEO", "Petra Lind"],
      ],
    ],
    [
      "rows of values",
      [
        ["1", "2"],
        ["3", "4"],
      ],
    ],
    [
      "a grid of sentences",
      [
        ["We paid a lot.", "It was slow."],
        ["12", "14"],
      ],
    ],
    ["one row", [["Region", "Deals"]]],
  ] as const)("have no header if they are %s", (_, rows) => {
    assert.deepStrictEqual(labelsOf(rows) ?? [], [])
    assert.isTrue(write(rows).every(({ header }) => header === undefined))
  })

  it("go on under the same labels behind a gap, unless they begin anew", () => {
    const elements = elementList()
    const table = new TableWriter(elements)
    const add = (...cells: ReadonlyArray<string>) =>
      table.row({ cells: cells.map((text, column) => ({ text, column })), place })
    add("Month", "Sales")
    add("Jan", "1000")
    add("Feb", "1200")
    table.end({ continues: true })
    add("Total", "1000")
    table.end({ continues: true })
    add("Another title")
    table.end()
    assert.deepStrictEqual(
      elements.list.map(({ labels }) => labels),
      [undefined, ["Month", "Sales"], undefined, ["Month", "Sales"], []],
    )
  })

  it("begin anew at a row that a file marks as a header", () => {
    const rows = [
      ["Plan", "Price"],
      ["Team", "40"],
      ["Term", "Days"],
      ["Notice", "75"],
    ]
    assert.deepStrictEqual(
      write(rows, (index) => index % 2 === 0).map(({ header, labels }) => header ?? labels),
      [true, ["Plan", "Price"], true, ["Term", "Days"]],
    )
  })

  it.each([
    [
      "one with labels above texts",
      [
        ["Region", "Manager"],
        ["East", "Eva Holm"],
      ],
      ["Region", "Manager"],
    ],
    [
      "one without labels",
      [
        ["Contact", "Eva Holm"],
        ["Phone", "by mail"],
      ],
      [],
    ],
    [
      "its next rows",
      [
        ["Bolt", "7"],
        ["Nut", "on request"],
      ],
      ["Product", "Price"],
    ],
    ["its sum", [["Total", "110"]], ["Product", "Price"]],
  ] as const)("are, behind an empty row, another table or the same: %s", (_, rows, labels) => {
    const list = write([["Product", "Price"], ["Pump", "50"], ["Valve", "60"], ["", ""], ...rows])
    assert.deepStrictEqual(list.findLast(({ labels }) => labels !== undefined)?.labels, [...labels])
  })

  it("repeat the text of a merged cell for the rows below that it covers", () => {
    const elements = elementList()
    const table = new TableWriter(elements)
    const add = (...cells: ReadonlyArray<readonly [text: string, column: number, rows?: number]>) =>
      table.row({ cells: cells.map(([text, column, rows]) => ({ text, column, rows })), place })
    add(["Region", 0, 2], ["Sales", 1], ["Year", 2])
    add(["North", 0, 3], ["120", 1], ["2024", 2, 2])
    add(["130", 1])
    add(["140", 1], ["2025", 2])
    add(["South", 0], ["90", 1], ["x".repeat(121), 2, 2])
    add(["95", 1])
    assert.deepStrictEqual(elements.list.length, 0)
    table.end()
    assert.deepStrictEqual(
      elements.list.map(({ merged }) => merged),
      [undefined, undefined, ["North", "", "2024"], ["North"], [], undefined],
    )
    assert.isTrue(elements.list[0]!.header)
    add(["East", 0, 9], ["1", 1])
    table.end()
    add(["West", 0], ["2", 1])
    table.end()
    assert.isUndefined(elements.list.at(-1)!.merged)
  })
})
