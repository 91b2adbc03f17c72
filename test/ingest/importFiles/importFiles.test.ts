import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { layerTables } from "../../../src/adapters/reading/layerTables.ts"
import { cellsOf, readFile, refusalOf, utf8 } from "../../import/table/support.ts"
import { docx, office, sheetOf, xlsx } from "../support/office.ts"

const inThread = Effect.provide(layerTables({ inThread: true }))

const STYLES = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="00000000"/><numFmt numFmtId="165" formatCode="#,##0.00\\ &quot;€&quot;"/></numFmts>
  <cellXfs>${[0, 14, 164, 165, 22, 20, 9].map((id) => `<xf numFmtId="${id}"/>`).join("")}</cellXfs></styleSheet>`

const number = (reference: string, value: number | string, style = 0) =>
  `<c r="${reference}" s="${style}"><v>${value}</v></c>`
const text = (reference: string, value: string) => `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`
const row = (line: number, ...cells: ReadonlyArray<string>) => `<row r="${line}">${cells.join("")}</row>`

describe("a raised digit of a cell", () => {
  it.effect("stays apart from the amount before it", () =>
    Effect.gen(function* () {
      const runs = '<r><t>1,200</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>2</t></r>'
      const cells = `<c r="A2" t="s"><v>0</v></c><c r="B2" t="inlineStr"><is>${runs}</is></c>`
      const sheet = sheetOf(row(1, text("A1", "Amount"), text("B1", "Cost")) + row(2, cells))
      const book = yield* readFile(xlsx([{ name: "Deals", xml: sheet }], { strings: `<sst><si>${runs}</si></sst>` }))
      assert.deepStrictEqual(book.rows[1]?.cells, ["1,200²", "1,200²"])
      const html = `<table><tr><td>Name</td><td>Amount</td></tr><tr><td>Acme</td><td>1,200<sup>2</sup></td></tr></table>`
      const page = yield* readFile(utf8(html))
      assert.deepStrictEqual(page.rows[1]?.cells, ["Acme", "1,200²"])
    }).pipe(inThread),
  )
})

describe("a workbook", () => {
  it.effect("has numbers with their formats, dates, formulas' values, errors and gaps", () =>
    Effect.gen(function* () {
      const sheet = sheetOf(
        [
          row(2, text("A2", "Name"), '<c r="C2" t="s"><v>0</v></c>'),
          row(
            3,
            number("A3", 12_345, 2),
            number("B3", 1234.5, 3),
            number("C3", 46_112, 1),
            number("D3", 46_112.395833333336, 4),
            number("E3", 0.395833333333, 5),
            '<c r="F3" t="b"><v>1</v></c><c r="G3" t="e"><f>A9</f><v>#REF!</v></c><c r="H3" t="str"><f>A2</f><v>Name</v></c>',
            number("I3", 0.30000000000000004),
            '<c r="J3" t="d"><v>2026-03-31T00:00:00</v></c>',
          ),
          row(
            7,
            text("A7", "Total"),
            '<c r="B7"><f>SUM(B3:B6)</f></c><c r="C7"><f>1+1</f><v/></c><c r="D7"><f>1+1</f><v /></c>',
            '<c r="E7"><f>1+1</f><v></v></c><c r="F7" t="str"><f>IF(A2="","",A9)</f><v></v></c>',
          ),
        ].join(""),
      )
      const strings = "<sst><si><r><t>Amo</t></r><r><t>unt</t></r><rPh><t>x</t></rPh></si></sst>"
      const { facts, rows } = yield* readFile(xlsx([{ name: "Deals", xml: sheet }], { strings, styles: STYLES }))
      assert.deepStrictEqual([facts.container, facts.sheet, facts.sheets], ["xlsx", "Deals", ["Deals"]])
      assert.deepStrictEqual(rows, [
        { line: 2, cells: ["Name", "", "Amount"] },
        {
          line: 3,
          cells: [
            { text: "00012345", value: 12_345, format: "00000000" },
            { text: "1,234.50 €", value: 1234.5, format: '#,##0.00\\ "€"' },
            { text: "2026-03-31", value: { date: "2026-03-31" } },
            { text: "2026-03-31T09:30:00", value: { date: "2026-03-31T09:30:00" } },
            "09:30:00",
            { text: "TRUE", value: true },
            "#REF!",
            "Name",
            { text: "0.3", value: 0.3 },
            { text: "2026-03-31T00:00:00", value: { date: "2026-03-31" } },
          ],
        },
        { line: 4, cells: [] },
        {
          line: 7,
          cells: ["Total"],
          uncalculated: [
            { index: 1, cell: "B7" },
            { index: 2, cell: "C7" },
            { index: 3, cell: "D7" },
            { index: 4, cell: "E7" },
          ],
        },
      ])
    }).pipe(inThread),
  )

  it.effect("shows a month as one, if its format has no day", () =>
    Effect.gen(function* () {
      const styles = `<styleSheet><cellXfs>${[17, 14].map((id) => `<xf numFmtId="${id}"/>`).join("")}</cellXfs></styleSheet>`
      const sheet = sheetOf(row(1, number("A1", 46_082, 0), number("B1", 46_082, 1), number("C1", 46_112, 0)))
      assert.deepStrictEqual(cellsOf(yield* readFile(xlsx([{ name: "S", xml: sheet }], { styles }))), [
        [
          { text: "2026-03", value: { date: "2026-03-01" } },
          { text: "2026-03-01", value: { date: "2026-03-01" } },
          { text: "2026-03-31", value: { date: "2026-03-31" } },
        ],
      ])
    }).pipe(inThread),
  )

  it.effect("counts days from 1904 if it says so, and gives a cell that is merged over rows to all of them", () =>
    Effect.gen(function* () {
      const rows = [
        row(1, text("A1", "Client"), text("B1", "Deal"), text("C1", "Close")),
        row(2, text("A2", "Acme"), text("B2", "One"), number("C2", 44_650, 1)),
        row(3, text("B3", "Two")),
        row(4, text("B4", "Three")),
      ]
      const xml = `<worksheet><sheetData>${rows.join("")}</sheetData><mergeCells><mergeCell ref="A2:A3"/><mergeCell ref="A1:B1"/></mergeCells></worksheet>`
      const file = xlsx([{ name: "S", xml }], { styles: STYLES, properties: '<workbookPr date1904="1"/>' })
      assert.deepStrictEqual(cellsOf(yield* readFile(file)).slice(1), [
        ["Acme", "One", { text: "2026-03-31", value: { date: "2026-03-31" } }],
        ["Acme", "Two"],
        ["", "Three"],
      ])
    }).pipe(inThread),
  )

  it.effect("is read from the first visible sheet with a cell, or the one that is asked for", () =>
    Effect.gen(function* () {
      const one = (value: string) => sheetOf(row(1, text("A1", value)))
      const file = xlsx([
        { name: 'Secret" state="hidden', xml: one("hidden") },
        { name: "Cover", xml: sheetOf(row(1)) },
        { name: "Deals", xml: one("deals") },
        { name: "Owners", xml: one("owners") },
      ])
      const read = (sheet?: string) => Effect.map(readFile(file, { sheet }), cellsOf)
      assert.deepStrictEqual(yield* read(), [["deals"]])
      assert.deepStrictEqual(yield* read("owners"), [["owners"]])
      assert.deepStrictEqual(yield* read("4"), [["owners"]])
      assert.deepStrictEqual(yield* read("Secret"), [["hidden"]])
      assert.match(
        yield* refusalOf(file, { sheet: "Deal" }),
        /^BadRequest: the file has no sheet 'Deal': its sheets are 1 'Secret' \(hidden\), 2 'Cover', 3 'Deals', 4 'Owners'/,
      )
      assert.match(yield* refusalOf(file, { sheet: "Cover" }), /no filled cell in its sheet 'Cover'/)
      assert.match(yield* refusalOf("name\nA", { sheet: "1" }), /sheet is for a workbook/)
    }).pipe(inThread),
  )

  it.effect("names the other visible sheets that hold a table, unless one is asked for", () =>
    Effect.gen(function* () {
      const table = (value: string) =>
        sheetOf(row(1, text("A1", "Deal"), text("B1", "Amount")) + row(2, text("A2", value), number("B2", 1)))
      const file = xlsx([
        { name: "Q1", xml: table("a") },
        { name: "Notes", xml: sheetOf(row(1, text("A1", "a")) + row(2, text("A2", "b"), text("B2", "c"))) },
        { name: 'Lists" state="hidden', xml: table("b") },
        { name: "Q2", xml: table("c") },
      ])
      assert.deepStrictEqual((yield* readFile(file)).facts.unread, ["Q2"])
      assert.deepStrictEqual((yield* readFile(file, { sheet: "Q1" })).facts.unread, [])
    }).pipe(inThread),
  )

  it.effect("is read from the first visible sheet with headers of the records, behind a cover and a summary", () =>
    Effect.gen(function* () {
      const lines = (...all: ReadonlyArray<ReadonlyArray<string>>) =>
        sheetOf(
          all.map((cells, at) => row(at + 1, ...cells.map((cell, n) => text(`${"ABC"[n]}${at + 1}`, cell)))).join(""),
        )
      const cover = { name: "Cover", xml: lines(["Pipeline 2026"], ["Owner", "Anna Berg"], ["Status", "Draft"]) }
      const summary = { name: "Summary", xml: lines(["Stage", "Amount"], ["Won", "5"]) }
      const deals = { name: "Data", xml: lines(["Report"], ["Deal Name", "Stage", "Amount"], ["a", "Won", "5"]) }
      const facts = (sheets: ReadonlyArray<typeof cover>, options?: object) =>
        Effect.map(readFile(xlsx(sheets), options), ({ facts }) => [facts.sheet, facts.passedOver])
      assert.deepStrictEqual(yield* facts([cover, summary, deals], { type: "deal" }), ["Data", "Cover"])
      assert.deepStrictEqual(yield* facts([deals, cover], { type: "deal" }), ["Data", undefined])
      assert.deepStrictEqual(yield* facts([cover, summary], { type: "deal" }), ["Cover", undefined])
      assert.deepStrictEqual(yield* facts([cover, deals]), ["Cover", undefined])
      assert.deepStrictEqual(yield* facts([cover, deals], { type: "deal", sheet: "Cover" }), ["Cover", undefined])
    }).pipe(inThread),
  )

  it.effect("is told from other zips, which are named", () =>
    Effect.gen(function* () {
      assert.match(yield* refusalOf(docx("")), /the file is a Word document/)
      assert.match(yield* refusalOf(office("xl/workbook.bin", { "xl/workbook.bin": "" })), /binary workbook \(XLSB\)/)
      assert.match(yield* refusalOf(office("a.csv", { "a.csv": "name" })), /a zip of other files \(.*a\.csv.*\)/)
      assert.match(
        yield* refusalOf(xlsx([{ name: "S", xml: sheetOf(row(1, text("A1", "x"))) }]).slice(0, -30)),
        /damaged/,
      )
    }).pipe(inThread),
  )

  it.effect("is read in a thread, part by part, and frees it if nobody reads on", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 3_000 }, (_, at) => row(at + 1, number(`A${at + 1}`, at)))
      const file = xlsx([{ name: "S", xml: sheetOf(many.join("")) }])
      for (let round = 0; round < 3; round++) {
        const { rows } = yield* readFile(file, { size: 100_000 })
        assert.strictEqual(rows.length, 3_000)
        assert.match(yield* refusalOf(file, { sheet: "none" }), /has no sheet 'none'/)
      }
    }).pipe(Effect.provide(layerTables())),
  )
})

describe("an HTML page that Salesforce calls .xls", () => {
  it.effect("is read from its first table of several columns, with entities, line breaks and spans", () =>
    Effect.gen(function* () {
      const page = `<html><head><meta charset="windows-1252"><style>td{}</style></head><body><table><tr><td>Report</td></tr></table>
        <table><tr><th>Client</th><th>Deal &amp; more</th><th>&euro;</th></tr>
        <tr><td rowspan=2>M\u00fcller<td>A<br>B<td>1<tr><td>C<td>2
        <tr><td></td></tr><tr><td colspan=2>Total</td><td>3</td></tr></table><table><tr><td>x<td>y</table></body></html>`
      const { facts, rows } = yield* readFile(new Uint8Array(Buffer.from(page, "latin1")))
      assert.strictEqual(facts.container, "html")
      assert.deepStrictEqual(rows, [
        { line: 1, cells: ["Client", "Deal & more", "€"] },
        { line: 2, cells: ["Müller", "A\nB", "1"] },
        { line: 3, cells: ["Müller", "C", "2"] },
        { line: 4, cells: [] },
        { line: 5, cells: ["Total", "", "3"] },
      ])
      assert.match(yield* refusalOf("<html><body>Sign in</body></html>"), /HTML page without a table/)
    }).pipe(inThread),
  )
})

describe("a compressed file", () => {
  it.effect("is inflated, once or twice, of one member or several, within a ratio", () =>
    Effect.gen(function* () {
      const [head, rest] = [gzipSync("name,amount\n"), gzipSync("A,1\n")]
      const { facts, rows } = yield* readFile(Buffer.concat([head, rest]), { size: 5 })
      assert.deepStrictEqual([facts.compression, facts.container, rows[1]?.cells], ["gzip", "csv", ["A", "1"]])
      assert.strictEqual((yield* readFile(gzipSync(gzipSync("name\nA")), { contentEncoding: "gzip" })).rows.length, 2)
      assert.match(yield* refusalOf("name\nA", { contentEncoding: "gzip" }), /is not compressed, although/)
      assert.match(yield* refusalOf(head.subarray(0, -6)), /is damaged, or was cut short/)
      assert.match(yield* refusalOf(gzipSync(Buffer.alloc(5_000_000, "a"))), /more than 200 times its size/)
    }).pipe(inThread),
  )
})

describe("an encoding", () => {
  const cp1250 = Uint8Array.from([
    ...utf8("name,owner\nGda"),
    0xf1,
    ...utf8("sk,Ma"),
    0xb3,
    ...utf8("gorzata Wi"),
    0x9c,
    ...utf8("niewska\n"),
    0xaf,
    ...utf8("ubr,"),
    0xa3,
    0xf3,
    0x64,
    0x9f,
    0x0a,
  ])

  it.effect("is guessed from a few names, or named by the request", () =>
    Effect.gen(function* () {
      const { facts, rows } = yield* readFile(cp1250)
      assert.deepStrictEqual([facts.encoding, facts.encodingBy], ["windows-1250", "guess"])
      assert.deepStrictEqual(rows[1]?.cells, ["Gdańsk", "Małgorzata Wiśniewska"])
      const named = yield* readFile(cp1250, { encoding: "cp1252" })
      assert.deepStrictEqual([named.facts.encoding, named.facts.encodingBy], ["windows-1252", "request"])
      assert.strictEqual(named.rows[1]?.cells[0], "Gdañsk")
      assert.match(
        yield* refusalOf("name\nA", { encoding: "klingon" }),
        /encoding must name an encoding.*not 'klingon'/,
      )
    }).pipe(inThread),
  )

  it.effect("is asked for if two are likely, with a line in each", () =>
    Effect.gen(function* () {
      const koi8 = Uint8Array.of(...utf8("name\n"), 0xf3, 0xc2, 0xc5, 0xd2, 0xc2, 0xc1, 0xce, 0xcb, 0x0a)
      const refusal = yield* refusalOf(koi8)
      assert.match(refusal, /^BadRequest: the file does not say its encoding, and reads '/)
      assert.match(refusal, /'Сбербанк' with encoding=koi8-r/)
    }).pipe(inThread),
  )

  it.effect("is found at the first letter beyond ASCII, however late it comes", () =>
    Effect.gen(function* () {
      const late = Uint8Array.from([
        ...utf8(`name\n${"plain\n".repeat(30_000)}`),
        ...utf8("M"),
        0xfc,
        ...utf8("ller GmbH\n"),
      ])
      const { rows } = yield* readFile(late, { size: 65_536 })
      assert.deepStrictEqual(rows.at(-1), { line: 30_002, cells: ["Müller GmbH"] })
    }).pipe(inThread),
  )

  it.effect("shows the rows whose bytes it does not have", () =>
    Effect.gen(function* () {
      const text = Uint8Array.from([...utf8("name\nMüller\nSöhne\nGröße\nKäufer\nB"), 0xff, ...utf8("d\n")])
      const { rows } = yield* readFile(text)
      assert.deepStrictEqual(
        rows.map(({ problem }) => problem),
        [
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          "contains bytes that are not UTF-8, although the rest of the file is UTF-8",
        ],
      )
    }).pipe(inThread),
  )
})
