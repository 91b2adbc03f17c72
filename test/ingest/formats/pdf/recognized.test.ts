import { assert, describe, it } from "@effect/vitest"
import type { PageText, RecognizedLine } from "../../../../src/core/ports/document.ts"
import { withPictures } from "../../../../src/ingest/formats/pdf/scans/boxes.ts"
import { drawPage } from "../../../../src/ingest/formats/pdf/scans/drawPage.ts"
import { readPdf } from "../../../../src/ingest/formats/pdf/readPdf.ts"
import { codeOf } from "../../support/codeOf.ts"
import { pagesOf, SCAN } from "../../support/pdf.ts"

const LETTER = 10

/** A line whose letters are 10 pixels wide and 20 high. */
const lineAt = (left: number, baseline: number, text: string): RecognizedLine => {
  let at = left
  const words = text.split(" ").map((text) => {
    const word = { text, left: at, top: baseline - 20, right: at + text.length * LETTER, bottom: baseline }
    at = word.right + LETTER
    return word
  })
  return { words, baseline, size: 20 }
}

const pageOf = (content: PageText["content"]): PageText => ({ width: 1700, height: 2200, pixelsPerInch: 200, content })
const written = [{ text: "The only page with text", y: 700 }]
const file = pagesOf([written, SCAN, SCAN])

describe("PDF pages that are pictures", () => {
  it("read like others once they are recognized, with the boxes of their words", async () => {
    const lines = [lineAt(200, 300, "Prices rise by a tenth as the con-"), lineAt(200, 330, "tract says in its annex.")]
    const { elements, warnings } = await readPdf(file, new Map([[2, pageOf(lines)]]))
    assert.deepStrictEqual(
      elements.map(({ text, place }) => [text, place]),
      [
        ["The only page with text", { kind: "page", page: 1 }],
        ["Prices rise by a tenth as the contract says in its annex.", { kind: "page", page: 2 }],
      ],
    )
    assert.isUndefined(elements[0]!.picture)
    const { boxes, ...size } = elements[1]!.picture!
    assert.deepStrictEqual(size, { width: 1700, height: 2200 })
    assert.deepStrictEqual(boxes[0], [0, 6, 200, 280, 60, 20])
    const { text } = elements[1]!
    assert.deepStrictEqual(
      boxes.map(([start, length]) => text.slice(start, start + length)),
      "Prices rise by a tenth as the con tract says in its annex.".split(" "),
    )
    assert.deepStrictEqual(boxes[8], [text.indexOf("tract"), 5, 200, 310, 50, 20])
    assert.deepStrictEqual(
      warnings.map(({ code, pages }) => [code, pages]),
      [
        ["pages_recognized", [{ from: 2, to: 2 }]],
        ["pages_without_text", [{ from: 3, to: 3 }]],
      ],
    )
  })

  it("mark the right one of equal words, also in elements of another order", () => {
    const words = pageOf([
      lineAt(200, 300, "due in March"),
      lineAt(200, 330, "due in April"),
      lineAt(900, 300, "in total"),
    ])
    const place = { kind: "page", page: 1 } as const
    const texts = ["due in April", "in total", "due in March"]
    const elements = texts.map((text) => ({ kind: "paragraph", text, place }) as const)
    const found = withPictures(elements, new Map([[1, words]])).map(({ picture }) =>
      picture!.boxes.map(([, , left, top]) => [left, top]),
    )
    assert.deepStrictEqual(found, [
      [
        [200, 310],
        [240, 310],
        [270, 310],
      ],
      [
        [900, 280],
        [930, 280],
      ],
      [
        [200, 280],
        [240, 280],
        [270, 280],
      ],
    ])
  })

  it("keep the paragraphs of an engine that knows no places", async () => {
    const { elements } = await readPdf(pagesOf([SCAN]), new Map([[1, pageOf("First line\nof one.\n \nSecond.")]]))
    assert.deepStrictEqual(
      elements.map(({ text, picture }) => [text, picture?.boxes.length]),
      [
        ["First line\nof one.", 0],
        ["Second.", 0],
      ],
    )
  })

  it("are named in a warning that says what follows", async () => {
    const messageOf = async (recognition?: "pending" | ReadonlyMap<number, PageText>) =>
      (await readPdf(file, recognition)).warnings.map(({ message }) => message)
    assert.match((await messageOf())[0]!, /^Pages 2 to 3 are pictures, whose text was not read\. Run text recognition/)
    assert.match((await messageOf("pending"))[0]!, /^Pages 2 to 3 are pictures\. The run adds their text/)
    assert.match((await messageOf(new Map()))[0]!, /^Pages 2 to 3 are pictures on which no text was recognized/)
  })

  it("are drawn as JPEG, at most 12 million pixels large", async () => {
    const picture = await drawPage(file, 1)
    assert.deepInclude(picture, { width: 1700, height: 2200, pixelsPerInch: 200 })
    assert.deepStrictEqual([...picture.bytes.subarray(0, 3)], [0xff, 0xd8, 0xff])
    const huge = new TextEncoder().encode(
      new TextDecoder().decode(file).replaceAll("[0 0 612 792]", "[0 0 14000 14000]"),
    )
    const { width, height } = await drawPage(huge, 1)
    assert.isAtMost(width * height, 12_000_000)
    assert.match((await codeOf(drawPage(file, 9))).reason, /no page 9/)
  })
})
