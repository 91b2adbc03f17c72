import { assert, describe, it } from "@effect/vitest"
import { divideStatements, findBreaks, findSource, labelAll, labelRows, speakerAt } from "../../src/core/search/rows.ts"
import { splitSentences } from "../../src/core/common/sentences.ts"
import { chunk } from "../../src/ingest/chunk.ts"
import type { Element } from "../../src/ingest/document.ts"

const place = { kind: "text" } as const
const row = (text: string, how: Partial<Element> = {}): Element => ({ kind: "table-row", text, place, ...how })

const passage = () => {
  const elements: ReadonlyArray<Element> = [
    { kind: "paragraph", text: "Stock of March. It was counted twice.", place },
    row("Product\tLocation\tExpected", { header: true }),
    row("\tA-12\t450", { labels: ["Product", "Location", "Expected"] }),
    row("SKU-1. Blue\t\t7"),
    { kind: "paragraph", text: "Counted by hand.", place },
  ]
  return [...chunk({ elements, warnings: [] }).chunks][0]!
}

describe("rows of tables in passages", () => {
  it("are read with the label of each value, and leave other text as it is", () => {
    assert.strictEqual(
      labelRows(passage()),
      "Stock of March. It was counted twice.\n\nProduct | Location | Expected\nLocation: A-12; Expected: 450\nProduct: SKU-1. Blue; Expected: 7\n\nCounted by hand.",
    )
  })

  it("are one statement each, whose offsets are those of the row's cells", () => {
    const { text } = passage()
    const statements = divideStatements(passage(), splitSentences)
    assert.deepStrictEqual(
      statements.map((each) => each.text),
      [
        "Stock of March.",
        "It was counted twice.",
        "Location: A-12; Expected: 450",
        "Product: SKU-1. Blue; Expected: 7",
        "Counted by hand.",
      ],
    )
    assert.deepStrictEqual(
      statements.map(({ start, end }) => text.slice(start, end)),
      ["Stock of March.", "It was counted twice.", "A-12\t450", "SKU-1. Blue\t\t7", "Counted by hand."],
    )
  })

  it("lead from any part of the labelled text to the whole row, or to the same words of other text", () => {
    const given = passage()
    const said = labelRows(given)
    for (const { start, end, text } of divideStatements(given, splitSentences)) {
      const at = said.indexOf(text)
      assert.deepStrictEqual(findSource(given, at, at + text.length), { start, end })
    }
    const at = said.indexOf("450")
    const { start, end } = findSource(given, at, at + 3)
    assert.strictEqual(given.text.slice(start, end), "A-12\t450")
    assert.strictEqual(labelRows(given, start, end), "Location: A-12; Expected: 450")
  })

  it("name the merged cells that cover a row, and lead to the row's own cells", () => {
    const elements: ReadonlyArray<Element> = [
      row("Region\tSales\tYear", { header: true }),
      row("North\t120\t2024", { labels: ["Region", "Sales", "Year"] }),
      row("\t130", { merged: ["North", "", "2024"] }),
      row("\t140\t2025", { merged: ["North"] }),
      row("South\t90", { merged: [] }),
    ]
    const [given] = [...chunk({ elements, warnings: [] }).chunks]
    const rows = divideStatements(given!, splitSentences)
    assert.deepStrictEqual(
      rows.map(({ text }) => text),
      [
        "Region: North; Sales: 120; Year: 2024",
        "Region: North; Sales: 130; Year: 2024",
        "Region: North; Sales: 140; Year: 2025",
        "Region: South; Sales: 90",
      ],
    )
    assert.strictEqual(given!.text.slice(rows[1]!.start, rows[1]!.end), "130")
    const said = labelRows(given!)
    for (const { start, end, text } of rows) {
      const at = said.indexOf(text)
      assert.deepStrictEqual(findSource(given!, at, at + text.length), { start, end })
    }
    // A document that an earlier release read has labels alone.
    const before = { ...given!, tables: given!.tables.map(({ start, end, labels }) => ({ start, end, labels })) }
    assert.include(labelRows(before), "\nSales: 130\n")
  })
})

describe("turns of speakers in passages", () => {
  const call = () => {
    const said = (speaker: string, text: string, start: number): Element => ({
      kind: "speech",
      text,
      place: { kind: "time", start, end: start + 5, speaker },
    })
    const elements = [
      said("Elif (us)", "It has been in use for two years. And", 0),
      said("Nadir (them)", "no, it was slow. We need it.", 10),
      said("Elif (us)", "Noted.", 15),
    ]
    return [...chunk({ elements, warnings: [] }).chunks][0]!
  }

  it("end sentences, and no sentence goes on in the words of another speaker", () => {
    const given = call()
    const sentences = divideStatements(given, splitSentences)
    assert.deepStrictEqual(
      sentences.map(({ text, start }) => [speakerAt(given, start), text.replaceAll(/\s+/g, " ")]),
      [
        ["Elif (us)", "It has been in use for two years."],
        ["Elif (us)", "And"],
        ["Nadir (them)", "no, it was slow."],
        ["Nadir (them)", "We need it."],
        ["Elif (us)", "Noted."],
      ],
    )
    for (const { text, start, end } of sentences) assert.strictEqual(given.text.slice(start, end), text)
  })

  it("are read with the name of each, whose words lead to the same place", () => {
    const given = call()
    const all = labelAll(given)
    assert.match(all, /^Elif \(us\): It has been in use for two years\. And\s+Nadir \(them\): no, it was slow/)
    for (const { text, start, end } of divideStatements(given, splitSentences)) {
      const at = all.indexOf(text)
      assert.deepStrictEqual(findSource(given, at, at + text.length), { start, end })
    }
    assert.deepStrictEqual(
      findBreaks(given).map((at) => all.slice(at, at + 5)),
      ["Nadir", "Elif "],
    )
  })
})
