import { assert, describe, it } from "@effect/vitest"
import { readXlsx } from "../../../../src/ingest/formats/office/readXlsx.ts"
import { sheetOf, xlsx } from "../../support/office.ts"

describe("formulas of a workbook", () => {
  it("names cells whose formulas were not calculated", async () => {
    const sum = (n: number) => `<c r="B${n}"><f>SUM(A1:A9)</f><v/></c>`
    const calculated = '<c r="C1"><f>1+1</f><v>2</v></c><c r="D1" t="str"><f>""</f><v></v></c><c r="E1" s="1"/>'
    const rows = Array.from(
      { length: 14 },
      (_, n) => `<row r="${n + 2}"><c r="A${n + 2}"><v>4</v></c>${sum(n + 2)}</row>`,
    )
    const sheet = sheetOf(`<row r="1"><c r="A1"><v>1</v></c>${calculated}</row>${rows.join("")}`)
    const { warnings } = await readXlsx(xlsx([{ name: "Costs", xml: sheet }]))
    assert.deepStrictEqual(
      warnings.map(({ code }) => code),
      ["formulas_not_calculated"],
    )
    assert.match(warnings[0]!.message, /in Costs!B2, Costs!B3, .*Costs!B13 and 2 more:/)
  })
})
