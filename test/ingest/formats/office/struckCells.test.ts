import { assert, describe, it } from "@effect/vitest"
import { readXlsx } from "../../../../src/ingest/formats/office/readXlsx.ts"
import { sheetOf, xlsx } from "../../support/office.ts"

const STYLES =
  '<styleSheet><fonts><font/><font><strike/></font><font><strike val="0"/></font></fonts><cellStyleXfs><xf fontId="1"/></cellStyleXfs>' +
  '<cellXfs><xf fontId="0"/><xf fontId="1"/><xf fontId="2"/></cellXfs><dxfs><dxf><font><strike/></font></dxf></dxfs></styleSheet>'
const STRINGS =
  "<sst><si><t>Plan</t></si><si><t>Old</t></si><si><t>New</t></si><si><r><rPr><strike/></rPr><t>$500</t></r><r><t> $450</t></r></si></sst>"
const s = (index: number) => `<c t="s"><v>${index}</v></c>`

describe("struck-out cells of a workbook", () => {
  it("and struck-out parts of cells are hidden text of their rows, with a warning", async () => {
    const rows =
      `<row r="1">${s(0)}${s(1)}${s(2)}</row>` +
      `<row r="2"><c t="inlineStr"><is><t>Pro</t></is></c><c s="1"><v>100</v></c><c s="2"><v>80</v></c></row>` +
      `<row r="3"><c t="inlineStr"><is><r><rPr><strike/></rPr><t>Max</t></r><r><t>Ultra</t></r></is></c>${s(3)}<c><v>90</v></c></row>`
    const { elements, warnings } = await readXlsx(
      xlsx([{ name: "Prices", xml: sheetOf(rows) }], { strings: STRINGS, styles: STYLES }),
    )
    assert.deepStrictEqual(
      elements.slice(1).map(({ text, hidden }) => [text, hidden ?? false]),
      [
        ["Plan\tOld\tNew", false],
        ["Pro\t\t80", false],
        ["Ultra\t$450\t90", false],
        ["100", true],
        ["Max", true],
        ["$500", true],
      ],
    )
    assert.deepStrictEqual(elements.at(-1)?.place, { kind: "sheet", sheet: "Prices", row: 3 })
    assert.strictEqual(warnings[0]?.code, "hidden_text")
    assert.include(warnings[0]?.message, '(sheet "Prices" row 2, sheet "Prices" row 3), such as "100"')
  })
})
