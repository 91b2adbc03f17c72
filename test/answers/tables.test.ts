import { assert, describe, it } from "@effect/vitest"
import { References } from "../../src/core/answers/citations/References.ts"
import { compose } from "../../src/core/answers/quotes/compose.ts"
import { labelRows } from "../../src/core/search/rows.ts"
import { chunk } from "../../src/ingest/chunk.ts"
import { readText } from "../../src/ingest/formats/text/readText.ts"
import { passage } from "./passages.ts"

const MARKDOWN = `# Stock

| Product Code | Location | Expected | Actual |
|---|---|---|---|
| SKU-8846 | B-01 | 446 | 440 |
| SKU-8847 | A-12 | 450 | 448 |
| SKU-8848 | A-12 | | 7 |
`

const stock = () => {
  const [first] = chunk(readText(new TextEncoder().encode(MARKDOWN), "md")).chunks
  return passage({ id: "stock", ...first! })
}

const terms = (...words: ReadonlyArray<string>) => words.map((word) => ({ word, idf: 3, forms: [word] }))

const quote = (question: string, ...words: ReadonlyArray<string>) =>
  compose(question, { passages: [stock()], terms: terms(...words) }).map(({ passage, start, end }) => ({
    said: labelRows(passage, start, end),
    excerpt: passage.text.slice(start, end),
  }))

describe("answers from tables", () => {
  it("quote the row that is asked for with the label of each value, and no other row", () => {
    assert.deepStrictEqual(quote("What is the expected stock of SKU-8847?", "expected", "8847"), [
      {
        said: "Product Code: SKU-8847; Location: A-12; Expected: 450; Actual: 448",
        excerpt: "SKU-8847\tA-12\t450\t448",
      },
    ])
  })

  it("quote every row that has what is asked for", () => {
    assert.deepStrictEqual(
      quote("Which products are at location A-12?", "location", "a-12")
        .map(({ said }) => said)
        .sort(),
      [
        "Product Code: SKU-8847; Location: A-12; Expected: 450; Actual: 448",
        "Product Code: SKU-8848; Location: A-12; Actual: 7",
      ],
    )
  })

  it("leave out rows about another name when a sentence answers", () => {
    const [first] = chunk({
      elements: [
        { kind: "paragraph", text: "Nimbrel has 1,200 seats and wants more seats.", place: { kind: "text" } },
        ...readText(
          new TextEncoder().encode("| Customer | Seats |\n|---|---|\n| Abelund | 90 |\n| Nimbrel | 1200 |\n"),
          "md",
        ).elements,
      ],
      warnings: [],
    }).chunks
    const quotes = compose("How many seats does Nimbrel have?", {
      passages: [passage({ id: "seats", ...first! })],
      terms: terms("seats", "nimbrel"),
    })
    assert.deepStrictEqual(quotes.map(({ passage, start, end }) => labelRows(passage, start, end)).sort(), [
      "Customer: Nimbrel; Seats: 1200",
      "Nimbrel has 1,200 seats and wants more seats.",
    ])
  })

  it("quote the last row, whatever its last cell and whatever follows it", () => {
    for (const after of ["", "\n\nThe office closes at noon.", "\n\nOffice hours"]) {
      const text = `| Plan | Seats | Term |\n|---|---|---|\n| Business | ten | a year |\n| Enterprise | forty | three years |${after}`
      const [first] = chunk(readText(new TextEncoder().encode(text), "md")).chunks
      const passages = [passage({ id: "plans", ...first! })]
      const quotes = compose("How many seats has the Enterprise plan?", {
        passages,
        terms: terms("seats", "enterprise", "plan"),
      })
      assert.deepStrictEqual(
        quotes.map(({ passage, start, end }) => labelRows(passage, start, end)),
        ["Plan: Enterprise; Seats: forty; Term: three years"],
      )
    }
  })

  it("cite the row that supports a model's sentence, and none for a value of another row", () => {
    const references = new References()
    const ref = references.ref(stock())
    const cited = references.quote(ref, "The expected stock of SKU-8847 at location A-12 is 450")
    const quote = cited?.kind === "quote" ? cited.quote : undefined
    assert.strictEqual(quote?.passage.text.slice(quote.start, quote.end), "SKU-8847\tA-12\t450\t448")
    assert.isUndefined(references.quote(ref, "The expected stock of SKU-8847 at location A-12 is 451"))
  })
})
