import { assert, describe, it } from "@effect/vitest"
import { readPdf } from "../../../../src/ingest/formats/pdf/readPdf.ts"
import { withLateMarks } from "../../../../src/ingest/formats/pdf/tables/lateMarks.ts"
import type { Line } from "../../../../src/ingest/formats/pdf/text/lines.ts"
import { mappedPage, type Written } from "../../support/pdf.ts"

const read = async (pdf: Uint8Array<ArrayBuffer>) => {
  const { elements } = await readPdf(pdf)
  return elements.map(({ kind, text }) => (kind === "table-row" ? text.replaceAll("\t", " | ") : `${kind}: ${text}`))
}

const COLUMNS = [72, 240, 340, 440]
const ROWS = [
  ["Feature", "Ours", "Gong", "Clari"],
  ["Call recording", "✓", "✓", "✗"],
  ["Forecasts", "✓", "Partial", "✗"],
  ["Self-hosting", "✓", "✗", "✗"],
  ["Price", "29", "120", "100"],
]
const top = (row: number) => 700 - row * 24

/** Draws the words of all rows, and then the marks, larger and lower, with the words among them. */
const drawn = (isLate: (row: number, at: number) => boolean, down = 3): ReadonlyArray<Written> => {
  const cells = ROWS.flatMap((texts, row) =>
    texts.map((text, at) => ({ text, x: COLUMNS[at]!, y: top(row), isLate: isLate(row, at) })),
  )
  return [
    ...cells.filter((cell) => !cell.isLate),
    ...cells.filter((cell) => cell.isLate).map((cell) => ({ ...cell, y: cell.y - down, size: 12 })),
  ]
}

const lineOf = (text: string, left: number, right: number, up: number): Line => {
  const fixed = { page: 1, angle: 0, size: 10, widestGap: 0, fonts: ["F1"], readsFromRight: false }
  return { ...fixed, pieces: [{ text, start: left, end: right }], up, start: left, end: right, left, right }
}

describe("marks that a page draws after its words, off their base line", () => {
  const expected = ROWS.map((texts) => texts.join(" | "))

  it("belong to the rows that they are beside", async () => {
    assert.deepStrictEqual(await read(mappedPage(drawn((row, at) => row > 0 && row < 4 && at > 0))), expected)
  })

  it("stand between the words of their row", async () => {
    const between = drawn((row, at) => (row === 1 || row === 3) && at === 1)
    assert.deepStrictEqual(await read(mappedPage(between)), expected)
    const last = drawn((row, at) => row > 0 && row < 4 && at === 3, -3)
    assert.deepStrictEqual(await read(mappedPage(last)), expected)
  })

  it("stay with the text behind them as bullets, not with a column before them", () => {
    const bullets = [lineOf("*", 200, 206, 700), lineOf("*", 200, 206, 680)]
    const before = [lineOf("Prose", 72, 120, 700), lineOf("Prose", 72, 120, 680)]
    const behind = [lineOf("Item", 210, 240, 700), lineOf("Item", 210, 240, 680)]
    assert.deepStrictEqual(withLateMarks([...bullets, ...before, ...behind]), [...bullets, ...before, ...behind])
    const ordered = [before[0]!, bullets[0]!, before[1]!, bullets[1]!]
    assert.deepStrictEqual(withLateMarks([...bullets, ...before]), ordered)
  })

  it("stay in drawing order if more lines than a page has are at one height", () => {
    const line = (at: number) => {
      const up = 700 - (at % 2) * 20
      return at % 4 < 2 ? lineOf("Word", 72, 120, up) : lineOf("x", 200, 206, up)
    }
    const lines = Array.from({ length: 400 }, (_, at) => line(at))
    assert.deepStrictEqual(withLateMarks(lines), lines)
  })
})
