import { assert, describe, it } from "@effect/vitest"
import { readPdf } from "../../../../src/ingest/formats/pdf/readPdf.ts"
import { mappedPage, pagesOf } from "../../support/pdf.ts"

/** One text per cell, in columns and rows that a table would have too. */
const place = (rows: ReadonlyArray<ReadonlyArray<string>>) =>
  rows.flatMap((texts, row) => texts.map((text, at) => ({ text, x: 72 + at * 150, y: 700 - row * 14 })))
const rowsOf = async (pdf: Uint8Array<ArrayBuffer>) => {
  const { elements } = await readPdf(pdf)
  return elements.filter(({ kind }) => kind === "table-row").map(({ text }) => text.replaceAll("\t", " | "))
}
/** In a font of one width. */
const typed = (rows: ReadonlyArray<ReadonlyArray<string>>) => rowsOf(mappedPage(place(rows)))
const printed = (rows: ReadonlyArray<ReadonlyArray<string>>) => rowsOf(pagesOf([place(rows)]))

describe("a listing with aligned columns", () => {
  it("is no table if its lines are statements", async () => {
    const assembler = [
      ["000A E501", "62", "mov", "a,_gint"],
      ["000C 23", "63", "rl", "a"],
      ["000D 5401", "64", "anl", "a,#0x01"],
      ["000F F502", "65", "mov", "_foo,a"],
    ]
    assert.deepStrictEqual(await typed(assembler), [])
  })

  it("is no table if it has names of a program and no labels", async () => {
    const linker = [
      ["CODEPAGE", "NAME=vectors", "START=0x00"],
      ["CODEPAGE", "NAME=page", "START=0x2A"],
      ["DATABANK", "NAME=gpr", "START=0x80"],
      ["DATABANK", "NAME=sfr", "START=0xF8"],
    ]
    assert.deepStrictEqual(await typed(linker), [])
  })

  it("is no table if its lines begin with prompts or branches, in any font", async () => {
    const tree = [
      ["|  |", "Gender: Male"],
      ["|  |", "Class: First"],
      ["|  |", "Class: Second"],
      ["|  |", "Gender: Female"],
    ]
    assert.deepStrictEqual(await printed(tree), [])
  })
})

describe("the output of a console", () => {
  it("is a table if it has labels", async () => {
    const output = [
      ["Term", "Estimate", "Address"],
      ["block:treat", "1.25", "0x01"],
      ["class:age", "3.50", "0x02"],
      ["gender:age", "2.75", "0x03"],
    ]
    assert.deepStrictEqual(
      await typed(output),
      output.map((texts) => texts.join(" | ")),
    )
  })
})

describe("formulas", () => {
  it("are no table, with their numbers or conditions", async () => {
    const equations = [
      ["v = u - w", "(9.1)"],
      ["b = c + d", "(9.2)"],
      ["x = y - z", "(9.3)"],
    ]
    assert.deepStrictEqual(await printed(equations), [])
    const cases = [
      ["a,", "if v < 0"],
      ["b + c,", "if v = 0"],
      ["b - c,", "if v > 0"],
    ]
    assert.deepStrictEqual(await printed(cases), [])
  })

  it("differ from negative amounts in brackets, and from terms below a sign", async () => {
    const losses = [
      ["Net loss", "(12)"],
      ["Year before", "(9)"],
      ["Both years", "(21)"],
    ]
    assert.deepStrictEqual(
      await printed(losses),
      losses.map((texts) => texts.join(" | ")),
    )
    const tiers = [
      ["Revenue", "Discount"],
      ["> 1,000,000", "10%"],
      ["> 5,000,000", "20%"],
      ["> 9,000,000", "30%"],
    ]
    assert.deepStrictEqual(
      await printed(tiers),
      tiers.map((texts) => texts.join(" | ")),
    )
  })
})
