import { assert, describe, it } from "@effect/vitest"
import { findContained } from "../../../../src/ingest/formats/pdf/hidden/hiddenItems.ts"
import { makeElements } from "../../../../src/ingest/formats/pdf/paragraphs.ts"
import { readPdf } from "../../../../src/ingest/formats/pdf/readPdf.ts"
import { findGrids } from "../../../../src/ingest/formats/pdf/tables/grids.ts"
import { findTables } from "../../../../src/ingest/formats/pdf/tables/tables.ts"
import { Hyphens } from "../../../../src/ingest/formats/pdf/text/hyphens.ts"
import type { Line } from "../../../../src/ingest/formats/pdf/text/lines.ts"
import { divideIntoWords } from "../../../../src/ingest/formats/pdf/text/words.ts"
import { pagesOf } from "../../support/pdf.ts"

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

const lineOf = (up: number, texts: ReadonlyArray<readonly [text: string, start: number]>): Line => {
  const pieces = texts.map(([text, start]) => ({ text, start, end: start + text.length * 5 }))
  const [left, right] = [pieces[0]!.start, pieces.at(-1)!.end]
  const place = { page: 1, angle: 0, start: left, end: right, left, right, readsFromRight: false }
  return { pieces, ...place, up, size: 10, widestGap: 5, fonts: ["f"] }
}

const itemOf = (str: string, x: number, width: number) => ({
  str,
  dir: "ltr",
  transform: [10, 0, 0, 10, x, 0],
  width,
  height: 10,
  fontName: "f",
  hasEOL: false,
})

/** Each of these takes hours, or fails, where the work grows with the square of the page. */
describe("a hostile page", () => {
  it("of rows whose columns drift is searched for tables in linear time", () => {
    const lines = numbers(20_000).map((at) =>
      lineOf(-12 * at, [
        ["ab", at % 400],
        ["cd", 100 + (at % 400)],
      ]),
    )
    assert.isBelow(findTables(lines, (a, b) => `${a} ${b}`).length, lines.length)
  })

  it("of one word is searched for hyphens in linear time", () => {
    const word = "a".repeat(2_000_000)
    const hyphens = new Hyphens([["a broken-", "word", word, `${word} b`]])
    assert.strictEqual(hyphens.join(word, "b", " ").length, word.length + 2)
    assert.strictEqual(
      hyphens
        .joinAll(
          numbers(100_000)
            .fill(0)
            .map(() => "so it goes-"),
          () => " ",
        )
        .slice(0, 20),
      "so it goesso it goes",
    )
  })

  it("of one paragraph is joined in linear time", () => {
    const lines = numbers(200_000).map((at) => lineOf(-12 * at, [["and so it goes on", 72 + (at % 3)]]))
    const [paragraph, ...others] = makeElements([lines], [])
    assert.strictEqual(paragraph?.text.length, 200_000 * 18 - 1)
    assert.strictEqual(others.length, 0)
  })

  it("of texts on one line is divided into words in linear time", () => {
    const letters = ["a", "b"]
    const glyphs = numbers(150_000).flatMap((at) =>
      letters.map((text, index) => {
        const start = at * 20 + index * 8
        return { text, start, end: start + 5, up: 0, space: 3 }
      }),
    )
    const words = divideIntoWords(
      numbers(150_000).map((at) => itemOf("a b", at * 20, 13)),
      glyphs,
    )
    assert.strictEqual(words.length, 3 * 150_000)
    const stacked = numbers(20_000).map(() => itemOf("a b", 0, 13))
    assert.strictEqual(
      divideIntoWords(
        stacked,
        glyphs.map((glyph) => ({ ...glyph, start: 1, end: 2 })),
      ).length,
      stacked.length,
    )
  })

  it("of thousands of small grids is a drawing", () => {
    const boxes = numbers(3_000)
    const horizontal = boxes.flatMap((at) => [0, 10].map((y) => ({ at: at * 50 + y, start: 0, end: 100 })))
    const vertical = boxes.flatMap((at) => [0, 50, 100].map((x) => ({ at: x, start: at * 50, end: at * 50 + 10 })))
    assert.deepStrictEqual(findGrids({ horizontal, vertical }), [])
    assert.strictEqual(findGrids({ horizontal: horizontal.slice(0, 4), vertical: vertical.slice(0, 6) }).length, 2)
  })

  it("is read beside a path of many points, and below one of many boxes", async () => {
    const path = numbers(200_000).map((at) => `${at % 500} ${at % 300} l`)
    const boxes = "0 0 9 9 re ".repeat(350_000)
    const table = "BT /F1 10 Tf 72 700 Td (Plan) Tj 100 0 Td (Price) Tj -100 -14 Td (Basic) Tj 100 0 Td (12) Tj ET"
    for (const drawing of [`0 0 m ${path.join(" ")} f`, `0 g ${boxes} f 1 g BT /F1 10 Tf 3 3 Td (ab) Tj ET 0 g`]) {
      const { elements, warnings } = await readPdf(pagesOf([`${drawing} ${table}`]))
      assert.deepStrictEqual(warnings, [])
      assert.include(elements.map(({ text }) => text).join(), "Basic\t12")
    }
  })

  it("of many texts has its hidden ones found in linear time, as a plain search finds them", () => {
    const texts = new Set(["abc", "bcd", "ca", "cab", "abcab", "d", "bb", "abcabcabd"])
    for (const long of ["abcabcab", "ababcd", "", "d", "xxcaxbb", "abcabcabcabd"])
      assert.deepStrictEqual(findContained(texts, long), new Set([...texts].filter((text) => long.includes(text))))
    const many = new Set(numbers(100_000).map((at) => `${"a".repeat(20)}${at}`))
    assert.strictEqual(findContained(many, "a".repeat(2_000_000)).size, 0)
  })
})
