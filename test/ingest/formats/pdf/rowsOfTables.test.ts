import { assert, describe, it } from "@effect/vitest"
import { joinLines } from "../../../../src/ingest/formats/pdf/text/lines.ts"
import { across, down, readDrawn } from "../../support/drawnTable.ts"

const text = (x: number, y: number, words: string) => `BT /F1 10 Tf ${x} ${y} Td (${words}) Tj ET`

const row = (xs: ReadonlyArray<number>, y: number, cells: ReadonlyArray<string>) =>
  cells.flatMap((words, column) => (words === "" ? [] : [text(xs[column]!, y, words)]))

describe("rows of tables that are near each other", () => {
  it("are rows, also with words in lower case, where a line of each cell has room for more", async () => {
    const xs = [72, 250, 350, 450]
    const rows = [
      row(xs, 700, ["Feature", "Alpha", "Beta", "Gamma tools"]),
      row(xs, 674, ["Linear models", "yes", "partly", "using plugins"]),
      row(xs, 662, ["Robust linear models", "yes", "planned", "not yet"]),
      row(xs, 650, ["Survival models", "using plugins", "partly", "partly"]),
      row(xs, 624, ["Weights", "yes", "partly", "partly"]),
      row(xs, 612, ["Offsets and limits of the models", "partly", "using plugins", "yes"]),
    ]
    assert.deepStrictEqual((await readDrawn(rows.flat())).slice(1), [
      "[Feature|Alpha|Beta|Gamma tools] Linear models | yes | partly | using plugins",
      "Robust linear models | yes | planned | not yet",
      "Survival models | using plugins | partly | partly",
      "Weights | yes | partly | partly",
      "Offsets and limits of the models | partly | using plugins | yes",
    ])
  })

  it("are rows, also with one word in each cell of a narrow column", async () => {
    const xs = [72, 250, 350, 450]
    const rows = [
      row(xs, 700, ["Feature of packages", "One", "Two", "Six"]),
      row(xs, 676, ["Random-effects models", "yes", "yes", "yes"]),
      row(xs, 664, ["Heterogeneity estimates", "partly", "DL", "DL"]),
      row(xs, 652, ["Mantel-Haenszel method", "yes", "yes", "yes"]),
      row(xs, 628, ["Forest plots", "yes", "yes", "no"]),
      row(xs, 616, ["Funnel plots", "yes", "no", "no"]),
    ]
    assert.include(await readDrawn(rows.flat()), "Heterogeneity estimates | partly | DL | DL")
  })

  it("are found in a grid whose rulings divide the header and the sum alone", async () => {
    const xs = [105, 225, 325]
    const lines = [
      ...[700, 680, 620, 600].map((y) => across(y, 100, 400)),
      ...[100, 220, 320, 400].map((x) => down(x, 600, 700)),
    ]
    const rows = [
      row(xs, 686, ["Region", "First half", "Second half"]),
      row(xs, 666, ["North", "1.602", "1.972"]),
      row(xs, 654, ["South", "1.581", "1.924"]),
      row(xs, 642, ["East", "1.666", "2.016"]),
      row(xs, 630, ["West", "1.556", "1.813"]),
      row(xs, 606, ["All", "6.405", "7.725"]),
    ]
    assert.deepStrictEqual(await readDrawn([...lines, ...rows.flat()]), [
      "Region | First half | Second half",
      "[Region|First half|Second half] North | 1.602 | 1.972",
      "South | 1.581 | 1.924",
      "East | 1.666 | 2.016",
      "West | 1.556 | 1.813",
      "All | 6.405 | 7.725",
    ])
  })
})

/** Words of a line, in a font whose letters are 6 points wide. */
const typed = (y: number, line: string) =>
  [...line.matchAll(/\S+/g)].map(({ 0: str, index }) => ({
    str,
    dir: "ltr",
    width: 6 * str.length,
    height: 10,
    transform: [10, 0, 0, 10, 72 + 6 * index, y],
    fontName: "typewriter",
    hasEOL: false,
  }))

describe("words in a font whose letters have one width", () => {
  const divide = (lines: ReadonlyArray<string>) =>
    joinLines(
      lines.flatMap((line, at) => typed(700 - 12 * at, line)),
      1,
    ).map(({ pieces }) => pieces.map((piece) => piece.text).join(" | "))

  it("are no cells, one letter apart", () => {
    const code = ["> f <- grow (d, n = 2) {", "+ g <- trim (f, n = 1) ;", "> i <- show (h, n = 3) ;"]
    assert.deepStrictEqual(divide(code), code)
  })

  it("are cells if they are numbers, or further apart", () => {
    assert.deepStrictEqual(divide(["name       left  right", "first one  1.25 -33.50"]), [
      "name | left | right",
      "first one | 1.25 | -33.50",
    ])
  })
})
