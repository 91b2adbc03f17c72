import { assert, describe, it } from "@effect/vitest"
import { readPdf } from "../../../../src/ingest/formats/pdf/readPdf.ts"
import { pagesOf, type Written } from "../../support/pdf.ts"

const PITCH = 13

/** Texts in columns that start at `xs`; an empty text is not drawn. */
const rowsAt = (xs: ReadonlyArray<number>, rows: ReadonlyArray<ReadonlyArray<string>>, top = 700): Array<Written> =>
  rows.flatMap((row, down) =>
    row.flatMap((text, column) => (text === "" ? [] : [{ text, x: xs[column]!, y: top - PITCH * down }])),
  )

const read = async (...pages: ReadonlyArray<ReadonlyArray<Written>>) =>
  (await readPdf(pagesOf(pages))).elements.map(({ kind, text, header, labels }) => {
    const marks = `${header === true ? "H " : ""}${labels === undefined ? "" : `[${labels.join("|")}] `}`
    return kind === "table-row" ? marks + text.split("\t").join(" | ") : `${kind}: ${text}`
  })

const rowsOf = async (...pages: ReadonlyArray<ReadonlyArray<Written>>) =>
  (await read(...pages)).filter((text) => !/^[a-z-]+: /.test(text))

const XS = [72, 150, 200, 250]
const STOCK = [
  ["Product", "Place", "Due", "Found"],
  ["SKU-8847", "A-12", "450", "448"],
  ["SKU-1001", "", "300", "300"],
  ["", "C-07", "20", "19"],
  ["SKU-5555", "D-01", "", "7"],
]

describe("tables of a PDF", () => {
  it("keeps each cell in its column, also where cells are missing, under the labels of the header", async () => {
    assert.deepStrictEqual(await read(rowsAt(XS, STOCK)), [
      "H Product | Place | Due | Found",
      "[Product|Place|Due|Found] SKU-8847 | A-12 | 450 | 448",
      "SKU-1001 |  | 300 | 300",
      " | C-07 | 20 | 19",
      "SKU-5555 | D-01 |  | 7",
    ])
  })

  it("separates columns that are hardly further apart than words, if several rows agree", async () => {
    const rows = [["Deal", "Q1", "Q2"], ...["ab", "cd", "ef", "gh"].map((name) => [name, "111", "222"])]
    assert.deepStrictEqual((await rowsOf(rowsAt([72, 100, 124], rows))).slice(0, 2), [
      "H Deal | Q1 | Q2",
      "[Deal|Q1|Q2] ab | 111 | 222",
    ])
  })

  it("separates narrow columns of three rows", async () => {
    const rows = [["Deal", "Q1", "Q2"], ...["ab", "cd"].map((name) => [name, "111", "222"])]
    assert.deepStrictEqual(await rowsOf(rowsAt([72, 100, 124], rows)), [
      "H Deal | Q1 | Q2",
      "[Deal|Q1|Q2] ab | 111 | 222",
      "cd | 111 | 222",
    ])
  })

  it("gives a label above two columns to both", async () => {
    const header = [
      { text: "Deal", x: 72, y: 700 },
      { text: "Amount, expected", x: 155, y: 700 },
      { text: "Won", x: 300, y: 700 },
    ]
    const body = ["Acme", "Initech", "Globex", "Hooli"].map((name) => [name, "450", "448", "yes"])
    const rows = await rowsOf([...header, ...rowsAt([72, 150, 210, 300], body, 700 - PITCH)])
    assert.include(rows[1], "[Deal|Amount, expected|Amount, expected|Won] Acme | 450 | 448 | yes")
  })

  it("joins the lines of a wrapped cell", async () => {
    const rows = [
      ["Plan", "Price", "What it has"],
      ["Team", "40", "Search over all documents and"],
      ["", "", "deals of the organization"],
      ["Firm", "90", "Everything of Team, and exports"],
    ]
    assert.deepStrictEqual(await rowsOf(rowsAt([72, 150, 220], rows)), [
      "H Plan | Price | What it has",
      "[Plan|Price|What it has] Team | 40 | Search over all documents and deals of the organization",
      "Firm | 90 | Everything of Team, and exports",
    ])
  })

  it("joins the lines of cells that are drawn one after the other", async () => {
    const cell = (x: number, y: number, lines: ReadonlyArray<string>) =>
      lines.map((text, down) => ({ text, x, y: y - 11 * down }))
    const row = (y: number, name: string) => [
      ...cell(72, y, [`Is ${name} faster`, "than we are?"]),
      ...cell(200, y, ["Yes, by a factor", "of two in the", "last benchmark."]),
      ...cell(330, y, ["Ask the team", "for numbers."]),
    ]
    const header = rowsAt([72, 200, 330], [["Question", "Answer", "Next step"]])
    const rows = await rowsOf([...header, ...row(680, "Acme"), ...row(640, "Initech")])
    assert.deepStrictEqual(
      rows.map((text) => text.replace(/^\[.*\] /, "")).slice(1),
      ["Acme", "Initech"].map(
        (name) =>
          `Is ${name} faster than we are? | Yes, by a factor of two in the last benchmark. | Ask the team for numbers.`,
      ),
    )
  })

  it("keeps a row together whose cells are centred beside a wrapped one, in any column", async () => {
    const row = (top: number, name: string): ReadonlyArray<Written> => [
      { text: name, x: 72, y: top - 5 },
      { text: "Limited", x: 72, y: top - 17 },
      { text: "Open until the", x: 150, y: top },
      { text: "end of the year", x: 150, y: top - 11 },
      { text: "or longer", x: 150, y: top - 22 },
      { text: "450", x: 250, y: top - 11 },
    ]
    const header = rowsAt([72, 150, 250], [["Deal", "State", "Seats"]], 700)
    assert.deepStrictEqual(await read([...header, ...row(680, "Acme"), ...row(640, "Globex"), ...row(600, "Hooli")]), [
      "H Deal | State | Seats",
      "[Deal|State|Seats] Acme Limited | Open until the end of the year or longer | 450",
      "Globex Limited | Open until the end of the year or longer | 450",
      "Hooli Limited | Open until the end of the year or longer | 450",
    ])
  })

  it("reads the label of three rows with the first of them, also where it is centred beside them", async () => {
    const rows = [
      ["", "Alpha", "10", "20"],
      ["", "Beta", "11", "21"],
      ["", "Gamma", "12", "22"],
    ]
    const xs = [72, 150, 220, 280]
    const header = rowsAt(xs, [["Region", "Product", "Won", "Lost"]], 700)
    const north = { text: "North", x: 72, y: 665 }
    const south = { text: "South", x: 72, y: 622 }
    assert.deepStrictEqual(await read([...header, north, ...rowsAt(xs, rows, 678), south, ...rowsAt(xs, rows, 635)]), [
      "H Region | Product | Won | Lost",
      "[Region|Product|Won|Lost] North | Alpha | 10 | 20",
      " | Beta | 11 | 21",
      " | Gamma | 12 | 22",
      "South | Alpha | 10 | 20",
      " | Beta | 11 | 21",
      " | Gamma | 12 | 22",
    ])
  })

  it("joins the lines of a header whose cells are aligned at the bottom", async () => {
    const xs = [72, 150, 220]
    const header = [
      { text: "Line", x: 72, y: 711 },
      { text: "item", x: 72, y: 700 },
      { text: "Due", x: 150, y: 700 },
      { text: "Found", x: 220, y: 700 },
    ]
    const body = ["Acme", "Globex", "Hooli"].map((name) => [name, "450", "448"])
    assert.deepStrictEqual((await read([...header, ...rowsAt(xs, body, 684)])).slice(0, 2), [
      "H Line item | Due | Found",
      "[Line item|Due|Found] Acme | 450 | 448",
    ])
  })

  it("keeps the titles of sections in the table, also below its header", async () => {
    const xs = [72, 150, 220]
    const rows = [["Item", "Due", "Found"], ["Hardware"], ["Rack", "1", "2"], ["Shelf", "3", "4"], ["Services"]]
    const spread = [...rows, ["Audit", "5", "6"]].flatMap((row, at) => rowsAt(xs, [row], 700 - 19 * at))
    assert.deepStrictEqual(await read(spread), [
      "H Item | Due | Found",
      "[Item|Due|Found] Hardware",
      "Rack | 1 | 2",
      "Shelf | 3 | 4",
      "Services",
      "Audit | 5 | 6",
    ])
  })

  it("takes bold rows above others for a header, also where all cells are texts", async () => {
    const xs = [72, 200]
    const header = rowsAt(xs, [["Return", "Name"]], 700).map((text) => ({ ...text, bold: true }))
    assert.deepStrictEqual(await read([...header, ...rowsAt(xs, [["void", "save"]], 687)]), [
      "H Return | Name",
      "[Return|Name] void | save",
    ])
  })

  it("takes a first row for the header if each row below has another font", async () => {
    const xs = [72, 200]
    const header = rowsAt(xs, [["Name", "Type"]], 700)
    const body = rowsAt(
      xs,
      [
        ["canvas", "element"],
        ["width", "length"],
      ],
      687,
    )
    const named = body.map((text) => ({ ...text, bold: text.x === 72 }))
    assert.deepStrictEqual(await read([...header, ...named]), [
      "H Name | Type",
      "[Name|Type] canvas | element",
      "width | length",
    ])
    assert.deepStrictEqual((await read([...header, ...body]))[0], "[] Name | Type")
  })

  it("takes a first row that several tables have for their header", async () => {
    const table = (top: number, ...rows: ReadonlyArray<ReadonlyArray<string>>) =>
      rowsAt([72, 200], [["Name", "Type"], ...rows], top)
    const one = table(700, ["canvas", "element"], ["width", "length"])
    const other = table(500, ["fill", "paint"], ["path", "curve"])
    assert.deepStrictEqual(await read([...one, ...other]), [
      "H Name | Type",
      "[Name|Type] canvas | element",
      "width | length",
      "H Name | Type",
      "[Name|Type] fill | paint",
      "path | curve",
    ])
    assert.deepStrictEqual(await read(one), ["[] Name | Type", "canvas | element", "width | length"])
  })

  it("takes the second row too if it divides labels that several tables have", async () => {
    const table = (top: number, names: ReadonlyArray<string>) => [
      { text: "First half of 2024", x: 160, y: top },
      { text: "Second half of it", x: 270, y: top },
      ...rowsAt(
        [72, 150, 210, 260, 320],
        [["Region", "Low", "High", "Low", "High"], ...names.map((name) => [name, "calm", "busy", "calm", "busy"])],
        top - PITCH,
      ),
    ]
    const rows = await rowsOf([...table(700, ["North", "South", "West"]), ...table(500, ["East", "Centre", "Coast"])])
    const labels = "Region|First half of 2024 Low|First half of 2024 High|Second half of it Low|Second half of it High"
    assert.deepStrictEqual(rows.slice(0, 3), [
      "H  | First half of 2024 |  | Second half of it",
      "H Region | Low | High | Low | High",
      `[${labels}] North | calm | busy | calm | busy`,
    ])
    assert.include(rows, `[${labels}] East | calm | busy | calm | busy`)
  })

  it("ends a table before prose, and a later row does not have its labels", async () => {
    const after = [
      { text: "The stock was counted twice in the last week of the year, by two people.", y: 600 },
      ...rowsAt([72, 250, 400], [["Signed", "Dated", "Place"]], 560),
    ]
    const elements = await read([...rowsAt(XS, STOCK), ...after])
    assert.include(elements.at(-2), "paragraph: The stock was counted")
    assert.strictEqual(elements.at(-1), "[] Signed | Dated | Place")
  })

  it("continues a table at the top of the next page if its columns are the same", async () => {
    const footer = [{ text: "Page 1", x: 280, y: 40 }]
    const more = [
      ["SKU-6666", "E-01", "31", "30"],
      ["SKU-7777", "E-02", "32", "32"],
    ]
    const rows = await rowsOf([...rowsAt(XS, STOCK, 200), ...footer], rowsAt(XS, more, 740))
    assert.include(rows, "[Product|Place|Due|Found] SKU-6666 | E-01 | 31 | 30")
    const others = await rowsOf([...rowsAt(XS, STOCK, 200), ...footer], rowsAt([300, 370, 440, 500], more, 740))
    assert.include(others, "[] SKU-6666 | E-01 | 31 | 30")
  })

  it("reads columns of prose as paragraphs, drawn one after the other or line by line", async () => {
    const left = [
      "The first column tells of some things",
      "that are customary in this trade,",
      "and that nobody at all would miss if",
      "they were all gone from the texts",
    ]
    const right = [
      "while the second one begins at",
      "the same height and has its own",
      "sentences, which go on below as",
      "long as the page has room",
    ]
    const at = (texts: ReadonlyArray<string>, x: number) =>
      texts.map((text, down) => ({ text, x, y: 700 - PITCH * down }))
    assert.deepStrictEqual(await rowsOf([...at(left, 72), ...at(right, 320)]), [])
    const across = left.map((text, index) => [text, right[index]!])
    assert.deepStrictEqual(await rowsOf(rowsAt([72, 243], across)), [])
  })

  it("takes lists and tables of contents for no tables", async () => {
    const plain = async (rows: ReadonlyArray<ReadonlyArray<string>>, xs: ReadonlyArray<number>) =>
      assert.isTrue((await read(rowsAt(xs, rows))).every((text) => !text.startsWith("H ") && !/^\[\w/.test(text)))
    const list = ["Cheaper", "Sooner", "Safer", "Larger"].map((text, index) => [`${index + 1}.`, `${text} than before`])
    await plain(list, [72, 95])
    const contents = ["Summary", "Risks", "Prices", "Terms", "Annex"].map((text, index) => [
      String(3 + 4 * index),
      text,
    ])
    assert.deepStrictEqual(await rowsOf(rowsAt([72, 95], contents)), [])
    await plain(
      contents.map((row) => row.toReversed()),
      [72, 400],
    )
    assert.deepStrictEqual(
      (await read(rowsAt([72, 95], list))).map((text) => text.split(":")[0]),
      list.map(() => "list-item"),
    )
  })
})
