import { assert, describe, it } from "@effect/vitest"
import { readPdf } from "../../../../src/ingest/formats/pdf/readPdf.ts"
import { pagesOf, type Written } from "../../support/pdf.ts"

const COLUMNS = [72, 220, 320]
const ROWS = [
  ["Driver", "rgb", "gray"],
  ["dvips", "direct", "none"],
  ["pdftex", "direct", "direct"],
  ["luatex", "none", "direct"],
]

const rows = (top: number): ReadonlyArray<Written> =>
  ROWS.flatMap((texts, row) => texts.map((text, at) => ({ text, x: COLUMNS[at]!, y: top - row * 14 })))
const read = async (lines: ReadonlyArray<Written>) => {
  const { elements } = await readPdf(pagesOf([lines]))
  return elements.map(({ kind, text }) => (kind === "table-row" ? text.replaceAll("\t", " | ") : `${kind}: ${text}`))
}
const TABLE = ROWS.map((texts) => texts.join(" | "))

describe("the caption of a table", () => {
  // A wide space behind the number makes two cells of it.
  const caption = (y: number, number: string) => [
    { text: number, x: 72, y },
    { text: "Drivers and color models", x: 220, y },
  ]

  it("is no row of it, above or below, even divided by a wide space", async () => {
    const above = await read([...caption(714, "Table 5:"), ...rows(700)])
    assert.deepStrictEqual(above.slice(-4), TABLE)
    assert.notInclude(above[0], "Driver |")
    const below = await read([...rows(700), ...caption(644, "Tabelle 2.1:")])
    assert.deepStrictEqual(below.slice(0, 4), TABLE)
    assert.include(below[4], "Drivers and color models")
  })

  it("differs from a row whose first cell names a table", async () => {
    const named = await read([...rows(700), ...caption(644, "Table 5")])
    assert.deepStrictEqual(named, [...TABLE, "Table 5 | Drivers and color models"])
  })
})

describe("a mark that is raised by more than half a letter", () => {
  it("belongs to its line, and what follows it does too", async () => {
    const lines = rows(700).flatMap((line): ReadonlyArray<Written> =>
      line.text === "direct" ? [line, { text: "3", x: line.x! + 24.5, y: line.y + 5.2, size: 7 }] : [line],
    )
    assert.deepStrictEqual(
      await read(lines),
      TABLE.map((text) => text.replaceAll("direct", "direct³")),
    )
  })
})
