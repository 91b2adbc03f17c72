import { assert, describe, it } from "@effect/vitest"
import { readPdf } from "../../../../src/ingest/formats/pdf/readPdf.ts"
import { pagesOf } from "../../support/pdf.ts"

/** A text and the spaces between its words, which are moved apart by `gap` thousandths of the letters' height. */
const line = (y: number, words: ReadonlyArray<string>, gap: number, x = 72) =>
  `BT /F1 10 Tf ${x} ${y} Td [${words.map((word) => `(${word})`).join(` -${gap} `)}] TJ ET`

const read = async (lines: ReadonlyArray<string>) =>
  (await readPdf(pagesOf([lines.join("\n")]))).elements.map(({ kind, text }) => `${kind}: ${text}`)

describe("words of a PDF", () => {
  it("are in two cells if they are further apart than words, though pdf.js joins them", async () => {
    const rows = ["85,172 seat", "66,757 unit", "46,894 part", "25,015 desk"].map((text, at) =>
      line(700 - at * 14, text.split(" "), 500),
    )
    const names = ["Maple", "Ember", "Delta", "Falcon"].map((name, at) => line(700 - at * 14, [name], 0, 20))
    assert.deepStrictEqual(await read([0, 1, 2, 3].flatMap((at) => [names[at]!, rows[at]!])), [
      "table-row: Maple\t85,172\tseat",
      "table-row: Ember\t66,757\tunit",
      "table-row: Delta\t46,894\tpart",
      "table-row: Falcon\t25,015\tdesk",
    ])
  })

  it("are no cells in lines that are justified, whose spaces are wide but of one width", async () => {
    const prose = ["the man and his dog had run on", "and the cat had met the two at", "the end but did not get far in"]
    const lines = prose.map((text, at) => line(700 - at * 12, text.split(" "), 700))
    assert.deepStrictEqual(await read(lines), [`paragraph: ${prose.join(" ")}`])
  })

  it("are no cells after the end of a sentence, and around the dots of an ellipsis", async () => {
    const text = (words: string) =>
      `[(${words}.) -550 (It was late and dark) -450 (.) -450 (.) -450 (so we went on)] TJ`
    const lines = ["It was cold", "It was cold", "It was cold", "It was cold"].flatMap((words, at) => [
      line(700 - at * 14, [`Day ${at}`], 0, 20),
      `BT /F1 10 Tf 72 ${700 - at * 14} Td ${text(words)} ET`,
    ])
    assert.strictEqual((await read(lines))[0], "table-row: Day 0\tIt was cold. It was late and dark . . so we went on")
  })
})
