import { assert, describe, it } from "@effect/vitest"
import { readPdf } from "../../../../src/ingest/formats/pdf/readPdf.ts"
import { pagesOf, type Written } from "../../support/pdf.ts"

const block = (x: number, y: number, ...texts: ReadonlyArray<string>): Array<Written> =>
  texts.map((text, down) => ({ text, x, y: y - 13 * down }))

const read = async (...blocks: ReadonlyArray<ReadonlyArray<Written>>) =>
  (await readPdf(pagesOf([blocks.flat()]))).elements.map(({ text }) => text)

const TITLE = block(72, 740, "Repair order 2022-17 for the north plant")
const BODY = block(72, 600, "The pump was replaced on Monday.", "It runs without noise.")
const FOOTER = block(72, 60, "Page one of one, printed by the workshop")

describe("the reading order of a PDF page", () => {
  it("reads a title that is drawn last first, and a footer that is drawn first last", async () => {
    const inOrder = await read(TITLE, BODY, FOOTER)
    assert.strictEqual(inOrder[0], "Repair order 2022-17 for the north plant")
    assert.deepStrictEqual(await read(FOOTER, BODY, TITLE), inOrder)
  })

  it("reads columns one after the other, below the title that they share", async () => {
    const left = block(72, 600, "Left one ends here.", "Left two ends here.")
    const right = block(330, 640, "Right one ends here.", "Right two ends here.")
    const text = (
      await read(
        left,
        right,
        block(72, 740, "A title over both of the columns below it, and as wide as the two of them are together"),
      )
    ).join(" ")
    assert.match(text, /^A title .* Left one ends here\.\s+Left two ends here\. Right one/)
  })

  it("keeps the drawing order of columns in which neither is above the other", async () => {
    const text = (await read(block(330, 640, "Second."), block(72, 700, "First."))).join(" ")
    assert.strictEqual(text, "Second. First.")
  })

  it("ends for a page of a thousand scattered texts", async () => {
    const scattered = Array.from({ length: 1_000 }, (_, index) => ({
      text: `t${index}`,
      x: 20 + ((index * 197) % 500),
      y: 20 + ((index * 331) % 740),
    }))
    const texts = (await read(scattered)).join(" ").split(/\s+/)
    assert.strictEqual(texts.length, 1_000)
  })
})
