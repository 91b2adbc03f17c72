import { assert, describe, it } from "@effect/vitest"
import { labelRows, sourceOf, statementsOf } from "../../src/core/search/rows.ts"
import { sentencesOf } from "../../src/core/common/sentences.ts"
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
    const statements = statementsOf(passage(), sentencesOf)
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
    for (const { start, end, text } of statementsOf(given, sentencesOf)) {
      const at = said.indexOf(text)
      assert.deepStrictEqual(sourceOf(given, at, at + text.length), { start, end })
    }
    const at = said.indexOf("450")
    const { start, end } = sourceOf(given, at, at + 3)
    assert.strictEqual(given.text.slice(start, end), "A-12\t450")
    assert.strictEqual(labelRows(given, start, end), "Location: A-12; Expected: 450")
  })
})
