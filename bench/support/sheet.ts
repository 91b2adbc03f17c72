import { strToU8, type Zippable, zipSync } from "fflate"
import { makeRandom } from "../../test/support/random.ts"

const xml = (body: string) => strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${body}`)

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const PACKAGE = "http://schemas.openxmlformats.org/package/2006"
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
const SHARED = 5000

const PARTS = {
  "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${TYPE}.sharedStrings+xml"/></Types>`,
  "_rels/.rels": `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Deals" sheetId="1" r:id="r1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
}

/** Makes an .xlsx whose only sheet has this many bytes of XML as Excel writes it: eight cells per row, styles, full numbers, shared strings. */
export const sheetOf = (bytes: number): Uint8Array => {
  const random = makeRandom(47)
  const pieces: Array<string> = []
  let size = 0
  for (let row = 1; size < bytes; row++) {
    const number = (column: string) => `<c r="${column}${row}" s="2"><v>${random.next() * 1e6}</v></c>`
    const shared = (column: string) => `<c r="${column}${row}" s="1" t="s"><v>${random.below(SHARED)}</v></c>`
    const cells = [
      shared("A"),
      shared("B"),
      number("C"),
      number("D"),
      shared("E"),
      number("F"),
      number("G"),
      shared("H"),
    ]
    const text = `<row r="${row}" spans="1:8" x14ac:dyDescent="0.25">${cells.join("")}</row>`
    pieces.push(text)
    size += text.length
  }
  const names = Array.from({ length: SHARED }, (_, index) => `<si><t>Account ${index} &amp; Sons</t></si>`).join("")
  const files: Zippable = {}
  for (const [name, body] of Object.entries(PARTS)) files[name] = xml(body)
  files["xl/sharedStrings.xml"] = xml(`<sst xmlns="${MAIN}" count="${SHARED}" uniqueCount="${SHARED}">${names}</sst>`)
  files["xl/worksheets/sheet1.xml"] = xml(
    `<worksheet xmlns="${MAIN}" xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac"><sheetData>${pieces.join("")}</sheetData></worksheet>`,
  )
  return zipSync(files, { level: 6 })
}
