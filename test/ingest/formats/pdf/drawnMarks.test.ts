import { assert, describe, it } from "@effect/vitest"
import { readPdf } from "../../../../src/ingest/formats/pdf/readPdf.ts"
import { pagesOf } from "../../support/pdf.ts"

const text = (value: string, x: number, y: number) => `BT /F1 10 Tf ${x} ${y} Td (${value}) Tj ET`
const tick = (x: number, y: number) => `${x} ${y + 3} m ${x + 3} ${y} l ${x + 9} ${y + 8} l S`
const cross = (x: number, y: number) => `${x} ${y} m ${x + 8} ${y + 8} l ${x} ${y + 8} m ${x + 8} ${y} l S`
const circle = (x: number, y: number) =>
  `${x} ${y + 4} m ${x} ${y + 10} ${x + 8} ${y + 10} ${x + 8} ${y + 4} c ${x + 8} ${y - 2} ${x} ${y - 2} ${x} ${y + 4} c f`
const box = (x: number, y: number) => `${x} ${y} 8 8 re f`

const names = (header: ReadonlyArray<string>) => [
  ...header,
  ...["Single sign-on", "Audit log", "Exports"].map((name, at) => text(name, 72, 684 - at * 16)),
]
const LABELS = [text("Feature", 72, 700), text("Acme", 200, 700), text("Globex", 280, 700)]
const heights = [684, 668, 652]

const warningsOf = async (...pages: ReadonlyArray<ReadonlyArray<string>>) =>
  (await readPdf(pagesOf(pages.map((page) => page.join("\n"))))).warnings

describe("marks that a page draws as shapes", () => {
  for (const [name, mark] of Object.entries({ ticks: tick, crosses: cross, circles: circle })) {
    it(`are named with their page if they are ${name} in a table`, async () => {
      const [warning, ...others] = await warningsOf(names(LABELS), [
        ...names(LABELS),
        ...heights.map((y) => mark(205, y)),
      ])
      assert.deepStrictEqual(others, [])
      assert.strictEqual(warning?.code, "marks_unread")
      assert.deepStrictEqual(warning?.pages, [{ from: 2, to: 2 }])
      assert.match(warning?.message ?? "", /^Page 2 draws marks in a table/)
    })
  }

  it("are no marks of a table if they are boxes, icons before texts, or not under a label", async () => {
    const isQuiet = async (...drawn: ReadonlyArray<string>) =>
      assert.deepStrictEqual(await warningsOf([...names(LABELS), ...drawn]), [])
    await isQuiet(...heights.map((y) => box(205, y)))
    await isQuiet(...heights.flatMap((y) => [tick(205, y), text("Yes", 218, y)]))
    await isQuiet(...heights.map((y) => tick(400, y)))
    await isQuiet(...heights.map((y) => circle(60, y)))
    assert.deepStrictEqual(await warningsOf([...names([]), ...heights.map((y) => circle(205, y))]), [])
  })
})
