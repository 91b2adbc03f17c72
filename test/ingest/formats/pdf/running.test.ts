import { assert, describe, it } from "@effect/vitest"
import { readPdf } from "../../../../src/ingest/formats/pdf/readPdf.ts"
import { pagesOf } from "../../support/pdf.ts"

const XS = [72, 250, 350, 450]

const row = (y: number, ...cells: ReadonlyArray<string>) =>
  cells.flatMap((words, column) => (words === "" ? [] : [{ text: words, x: XS[column]!, y }]))

const read = async (rows: Parameters<typeof pagesOf>[0][number] & ReadonlyArray<unknown>) => {
  const { elements } = await readPdf(pagesOf([rows]))
  return elements.map(({ kind, text, labels }) => {
    const marks = labels === undefined ? "" : `[${labels.join("|")}] `
    return kind === "table-row" ? marks + text.split("\t").join(" | ") : `${kind}: ${text}`
  })
}

const TABLE = [
  ...row(710, "Method", "First", "Second", "Third"),
  ...row(690, "Forest plots", "12", "14", "15"),
  ...row(676, "Funnel plots", "31", "32", "35"),
  ...row(662, "Radial plots", "41", "44", "47"),
  ...row(648, "Normal plots", "51", "52", "58"),
]
const ROWS = [
  "Method | First | Second | Third",
  "[Method|First|Second|Third] Forest plots | 12 | 14 | 15",
  "Funnel plots | 31 | 32 | 35",
  "Radial plots | 41 | 44 | 47",
  "Normal plots | 51 | 52 | 58",
]

describe("the running header and footer of a page", () => {
  it("are no rows of the table below and above them", async () => {
    const header = row(740, "Journal of Tests", "", "", "41")
    assert.deepStrictEqual(await read([...header, ...TABLE]), ["paragraph: Journal of Tests 41", ...ROWS])
    const footer = row(616, "Manual of Tests", "", "", "41")
    assert.deepStrictEqual(await read([...TABLE, ...footer]), [...ROWS, "paragraph: Manual of Tests 41"])
  })

  it("are not the years above a table, nor a row as near as the others", async () => {
    const rows = TABLE.filter(({ y }) => y < 700)
    const years = row(720, "Method", "2022", "2023", "2024")
    const labels = "[Method|2022|2023|2024] "
    assert.include(await read([...years, ...rows]), `${labels}Forest plots | 12 | 14 | 15`)
    const next = row(634, "Other plots", "", "", "61")
    assert.include(await read([...TABLE, ...next]), "Other plots |  |  | 61")
  })
})

describe("a line of three cells alone", () => {
  it("is a row, but not numbers without a name: the scale of a diagram", async () => {
    const words = [{ text: "A diagram of what was sold", x: 72, y: 700 }]
    const scale = row(660, "0.5", "1.0", "1.5")
    assert.deepStrictEqual((await read([...words, ...scale])).at(-1), "paragraph: 0.5 1.0 1.5")
    const named = row(660, "Sold", "1.0", "1.5")
    assert.deepStrictEqual((await read([...words, ...named])).at(-1), "[] Sold | 1.0 | 1.5")
  })
})
