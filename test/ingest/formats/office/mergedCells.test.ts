import { assert, describe, it } from "@effect/vitest"
import type { Element } from "../../../../src/ingest/document.ts"
import { readDocx } from "../../../../src/ingest/formats/office/readDocx.ts"
import { readPptx } from "../../../../src/ingest/formats/office/readPptx.ts"
import { readXlsx } from "../../../../src/ingest/formats/office/readXlsx.ts"
import { docx, paragraph, pptx, xlsx } from "../../support/office.ts"

describe("merged cells", () => {
  const mergedOf = ({ elements }: { readonly elements: ReadonlyArray<Element> }) =>
    elements.filter(({ kind }) => kind === "table-row").map(({ text, merged }) => [text, ...(merged ?? [])])

  it("of DOCX, PPTX and XLSX name the rows below that they cover", async () => {
    const expected = [["North\t120"], ["\t130", "North"], ["South\t90"]]
    const word = (text: string, properties = "") => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`
    const [first, next] = ['<w:vMerge w:val="restart"/>', "<w:vMerge/>"]
    const words = [word("North", first) + word("120"), word("", next) + word("130"), word("South") + word("90")]
    const table = `<w:tbl>${words.map((row) => `<w:tr>${row}</w:tr>`).join("")}</w:tbl>`
    assert.deepStrictEqual(mergedOf(await readDocx(docx(table))), expected)

    const slide = (text: string, attributes = "") =>
      `<a:tc ${attributes}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`
    const slides = [
      slide("North", 'rowSpan="2"') + slide("120"),
      slide("", 'vMerge="1"') + slide("130"),
      slide("South") + slide("90"),
    ]
    const shapes = `<a:tbl><a:tblPr/>${slides.map((row) => `<a:tr>${row}</a:tr>`).join("")}</a:tbl>`
    assert.deepStrictEqual(mergedOf(await readPptx(pptx([{ shapes }]))), expected)

    const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
    const rows = [
      `<row r="1">${cell("A1", "North")}${cell("B1", "120")}</row>`,
      `<row r="3">${cell("B3", "130")}</row>`,
      `<row r="4">${cell("A4", "South")}${cell("B4", "90")}</row>`,
    ]
    const merges = '<mergeCells><mergeCell ref="A1:A3"/></mergeCells>'
    const xml = `<worksheet><sheetData>${rows.join("")}</sheetData>${merges}</worksheet>`
    assert.deepStrictEqual(mergedOf(await readXlsx(xlsx([{ name: "S", xml }]))), expected)
  })
})
