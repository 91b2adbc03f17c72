import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { docxTruth } from "../../../bench/support/tables/docxTruth.ts"
import { HALVES, type LabelledPage, pdfTruth } from "../../../bench/support/tables/pdfTruth.ts"
import { pptxTruth } from "../../../bench/support/tables/pptxTruth.ts"
import type { TruthTable } from "../../../bench/support/tables/truth.ts"
import { xlsxTruth } from "../../../bench/support/tables/xlsxTruth.ts"
import { docx, paragraph, pptx, sheetOf, xlsx } from "../support/office.ts"

const textsOf = ({ rows }: TruthTable) => rows.map(({ cells }) => [...cells].map((cell) => cell?.text ?? ""))
const labelsOf = ({ labels }: TruthTable) => labels?.map((label) => label?.text ?? "")

describe("the truth of a Word table", () => {
  const cell = (text: string, properties = "") => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`
  const row = (cells: string, properties = "") => `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`
  const SPAN = '<w:gridSpan w:val="2"/>'

  it("keeps columns behind spans and continues merged cells downwards", () => {
    const rows = [
      row(cell("Region", '<w:vMerge w:val="restart"/>') + cell("Sales", SPAN) + cell("Note"), "<w:tblHeader/>"),
      row(cell("", "<w:vMerge/>") + cell("2024") + cell("2025"), "<w:tblHeader/>"),
      row(cell("North", '<w:vMerge w:val="restart"/>') + cell("1") + cell("2")),
      row(cell("", "<w:vMerge/>") + cell("both", SPAN) + cell("late")),
      row(cell("3"), '<w:gridBefore w:val="2"/>'),
    ]
    const [table] = docxTruth("a.docx", docx(`<w:tbl>${rows.join("")}</w:tbl>`))
    expect(labelsOf(table!)).toEqual(["Region", "Sales 2024", "Sales 2025", "Note"])
    expect(textsOf(table!)).toEqual([
      ["North", "1", "2", ""],
      ["", "both", "", "late"],
      ["", "", "3", ""],
    ])
    expect(table!.rows[0]!.cells[0]!.rows).toBe(2)
  })

  it("judges no header of a table whose first row may be data", () => {
    const rows = [row(cell("Name") + cell("Ada")), row(cell("Role") + cell("Buyer"))]
    expect(docxTruth("a.docx", docx(`<w:tbl>${rows.join("")}</w:tbl>`))[0]!.labels).toBeUndefined()
  })
})

describe("the truth of a slide's table", () => {
  const cell = (text: string, attributes = "") =>
    `<a:tc ${attributes}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`

  it("takes labels from the marked first row and skips what a span covers", () => {
    const rows = [
      cell("Name") + cell("Q1") + cell("Q2"),
      cell("North", 'rowSpan="2"') + cell("both", 'gridSpan="2"') + cell("x", 'hMerge="1"'),
      cell("x", 'vMerge="1"') + cell("3") + cell("4"),
    ]
    const table = `<a:tbl><a:tblPr firstRow="1"/>${rows.map((row) => `<a:tr>${row}</a:tr>`).join("")}</a:tbl>`
    const [truth] = pptxTruth("a.pptx", pptx([{ shapes: "" }, { shapes: table }]))
    expect(labelsOf(truth!)).toEqual(["Name", "Q1", "Q2"])
    expect(textsOf(truth!)).toEqual([
      ["North", "both", ""],
      ["", "3", "4"],
    ])
    expect(truth!.rows[0]!.cells[0]!.rows).toBe(2)
    expect(truth!.place).toBe(2)
  })
})

describe("the truth of a sheet", () => {
  const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
  const number = (at: string, value: number, style = 0) => `<c r="${at}" s="${style}"><v>${value}</v></c>`
  const rowOf = (at: number, cells: string, attributes = "") => `<row r="${at}" ${attributes}>${cells}</row>`

  it("takes columns from the letters and cuts tables at empty rows and columns", () => {
    const rows = [
      rowOf(2, text("B2", "Item") + text("C2", "Price") + text("F2", "Key") + text("G2", "one")),
      rowOf(3, number("C3", 5) + text("F3", "Other") + text("G3", "two")),
      rowOf(4, text("B4", "Pen") + number("C4", 6), 'hidden="1"'),
      rowOf(6, text("B6", "a line alone")),
    ]
    const truth = xlsxTruth("a.xlsx", xlsx([{ name: "S", xml: sheetOf(rows.join("")) }]))
    expect(truth.map(({ name }) => name)).toEqual(["a.xlsx, S, row 2, column 2", "a.xlsx, S, row 2, column 6"])
    expect(labelsOf(truth[0]!)).toEqual(["Item", "Price"])
    expect(textsOf(truth[0]!)).toEqual([["", "5"]])
    expect(truth[0]!.rows[0]!.number).toBe(3)
    expect(truth[1]!.labels).toBeUndefined()
  })

  it("accepts a number in its format, and no other number", () => {
    const styles = `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`
    const rows = [
      rowOf(1, number("A1", 0.6249) + number("B1", 46_112, 1)),
      rowOf(2, number("A2", -1200) + number("B2", 7)),
    ]
    const [truth] = xlsxTruth("a.xlsx", xlsx([{ name: "S", xml: sheetOf(rows.join("")) }], { styles }))
    const isShown = (row: number, column: number, shown: string) => truth!.rows[row]!.cells[column]!.isShownAs(shown)
    for (const shown of ["0.6249", "62 %", "62.5%", "0.62"]) expect(isShown(0, 0, shown), shown).toBe(true)
    for (const shown of ["63 %", "0.7", "", "62.4 %", "two"]) expect(isShown(0, 0, shown), shown).toBe(false)
    for (const shown of ["31 Mar 2026", "2026-03-31", "3/31/26", "46112"])
      expect(isShown(0, 1, shown), shown).toBe(true)
    for (const shown of ["30 Mar 2026", "31 Mar 2025", ""]) expect(isShown(0, 1, shown), shown).toBe(false)
    for (const shown of ["-1200", "$(1,200.00)", "-1.2e3"]) expect(isShown(1, 0, shown), shown).toBe(true)
    expect(isShown(1, 0, "$1,201.00")).toBe(false)
  })
})

describe("the labelled tables of PDFs", () => {
  const pages = HALVES.flatMap((half) => {
    const folder = new URL(`../../../bench/tables/${half}/`, import.meta.url)
    return readdirSync(folder).map((name) => {
      const page = JSON.parse(readFileSync(new URL(name, folder), "utf8")) as LabelledPage
      return { half, page, key: `${page.file.split("/").at(-1)}#${page.page}` }
    })
  })

  it("have rows of one width, at most twelve each", () => {
    for (const { page } of pages) {
      for (const { name, header, rows } of page.tables) {
        expect(new Set([...header, ...rows].map((row) => row.length)).size, name).toBe(1)
        expect(rows.length, name).toBeLessThanOrEqual(12)
      }
    }
  })

  it("are split by hash: each page goes to the half that has fewer tables so far", () => {
    const hash = (key: string) => createHash("sha256").update(key).digest("hex")
    const tables = { work: 0, counted: 0 }
    for (const { half, page, key } of pages.toSorted((a, b) => (hash(a.key) < hash(b.key) ? -1 : 1))) {
      expect(half, key).toBe(tables.work <= tables.counted ? "work" : "counted")
      tables[half] += page.tables.length
    }
  })

  it("join the labels of several header rows", () => {
    const [, table] = pdfTruth("work").find(([, { name }]) => name.endsWith("page 4, Table 1"))!
    expect(labelsOf(table)).toEqual(["Dataset", "Train", "Train", "Dev", "Test"])
  })
})
