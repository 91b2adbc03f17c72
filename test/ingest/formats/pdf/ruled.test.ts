import { assert, describe, it } from "@effect/vitest"
import { readPdf } from "../../../../src/ingest/formats/pdf/readPdf.ts"
import { pagesOf } from "../../support/pdf.ts"

const text = (x: number, y: number, words: string) => `BT /F1 10 Tf ${x} ${y} Td (${words}) Tj ET`
const across = (y: number, from: number, to: number) => `${from} ${y} m ${to} ${y} l S`
/** As browsers draw borders: a thin filled rectangle. */
const down = (x: number, from: number, to: number) => `${x - 0.5} ${from} 1 ${to - from} re f`

const rowsOf = async (content: ReadonlyArray<string>) => {
  const { elements } = await readPdf(pagesOf([content.join("\n")]))
  return elements.map(({ kind, text, labels }) => [kind, text, ...(labels === undefined ? [] : [labels])])
}

/** Four columns and rows of 20 points, with a header of two levels; "North" covers two rows. */
const LINES = [
  ...[700, 640, 600].map((y) => across(y, 100, 500)),
  across(680, 200, 500),
  across(660, 100, 500),
  across(620, 200, 500),
  ...[100, 200, 400, 500].map((x) => down(x, 600, 700)),
  down(300, 600, 680),
]

describe("tables that rulings draw", () => {
  it("have a cell where its box is, also one over several columns or rows, in any drawing order", async () => {
    const columns = [
      text(105, 675, "Region"),
      text(105, 645, "South"),
      text(105, 615, "North"),
      text(205, 685, "Sales of both halves"),
      text(205, 665, "First"),
      text(205, 645, "1"),
      text(205, 605, "5"),
      text(305, 665, "Second"),
      text(305, 645, "2"),
      text(305, 625, "4"),
      text(405, 685, "Remark"),
      text(405, 625, "late"),
    ]
    const labels = ["Region", "Sales of both halves First", "Sales of both halves Second", "Remark"]
    assert.deepStrictEqual(await rowsOf([text(100, 750, "Above"), ...LINES, ...columns, text(100, 560, "Below")]), [
      ["paragraph", "Above"],
      ["table-row", "Region\tSales of both halves\t\tRemark"],
      ["table-row", "\tFirst\tSecond"],
      ["table-row", "South\t1\t2", labels],
      ["table-row", "North\t\t4\tlate"],
      ["table-row", "\t5"],
      ["paragraph", "Below"],
    ])
  })

  it("divide texts that are drawn as one across a ruling", async () => {
    const grid = [700, 680, 660, 640].map((y) => across(y, 100, 200))
    const lines = [...grid, ...[100, 150, 200].map((x) => down(x, 640, 700))]
    const texts = [
      text(104, 685, "Item"),
      text(154, 685, "Code"),
      text(104, 665, "queue"),
      text(154, 665, "B-8"),
      text(104, 645, "an seat old A-7"),
    ]
    const rows = await rowsOf([...lines, ...texts])
    assert.deepStrictEqual(
      rows.map(([, row]) => row),
      ["Item\tCode", "queue\tB-8", "an seat old\tA-7"],
    )
  })

  it("are not the frames of pages and boxes around paragraphs", async () => {
    const frame = [across(720, 90, 520), across(100, 90, 520), down(90, 100, 720), down(520, 100, 720)]
    const prose = [
      text(100, 700, "The first sentence of a letter in a frame is here"),
      text(100, 688, "and goes on in the second line of the letter."),
      text(100, 600, "Yours"),
      text(300, 600, "Mary"),
      text(100, 588, "Sales"),
      text(300, 588, "Rival"),
    ]
    const [first] = await rowsOf([...frame, ...prose])
    assert.deepStrictEqual(first, [
      "paragraph",
      "The first sentence of a letter in a frame is here and goes on in the second line of the letter.",
    ])
  })

  it("are read in bounded time on a page of 30,000 lines", async () => {
    const lines = Array.from({ length: 30_000 }, (_, n) => across(10 + n / 50, 10, 500 + (n % 7)))
    const rows = await rowsOf([
      ...lines,
      ...[0, 1, 2].flatMap((n) => [text(100, 700 - 20 * n, "left"), text(300, 700 - 20 * n, "right")]),
    ])
    assert.isNotEmpty(rows)
  })
})
