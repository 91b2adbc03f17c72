import { assert, describe, it } from "@effect/vitest"
import { readPdf } from "../../../../src/ingest/formats/pdf/readPdf.ts"
import { mappedPage, type Written } from "../../support/pdf.ts"

const SOFT_HYPHEN = { "-": 0xad }

const read = async (runs: ReadonlyArray<Written>) =>
  (await readPdf(mappedPage(runs, SOFT_HYPHEN))).elements.map(({ kind, text }) => `${kind}: ${text}`)

describe("the hyphens of a font that names them U+00AD", () => {
  it("are the signs of amounts and the hyphens of dates in a table", async () => {
    const rows = [
      ["Date", "Client", "Change"],
      ["2026-03-15", "Orbit-Nine", "-3,255.00"],
      ["2026-03-18", "Quelle", "1,120.00"],
      ["2026-04-02", "Maple-Ost", "-15.50"],
    ]
    const runs = rows.flatMap((cells, row) => cells.map((text, at) => ({ text, x: 60 + at * 130, y: 700 - row * 14 })))
    assert.deepStrictEqual(
      await read(runs),
      rows.map((cells) => `table-row: ${cells.join("\t")}`),
    )
  })

  it("are where they are drawn in prose: between digits, between spaces, before a digit, and at the end of a line", async () => {
    const lines = [
      "The margin fell by 10-20 points to -3 percent.",
      "It was cut - as in 2026-03-15 - by the long-",
      "term plan of the owners, and nobody knew.",
    ]
    assert.deepStrictEqual(await read(lines.map((text, at) => ({ text, y: 700 - at * 12 }))), [
      "paragraph: The margin fell by 10-20 points to -3 percent. It was cut - as in 2026-03-15 - by the longterm plan of the owners, and nobody knew.",
    ])
  })

  it("leave texts of other letters as they are", async () => {
    const runs = [{ text: "A well-kept page", y: 700 }]
    assert.deepStrictEqual(
      (await readPdf(mappedPage(runs))).elements.map(({ text }) => text),
      ["A well-kept page"],
    )
  })
})
