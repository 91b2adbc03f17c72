import { assert, describe, it } from "@effect/vitest"
import { findSpaces } from "../../../../src/ingest/formats/pdf/tables/columns.ts"

const piece = (text: string, start: number, end: number) => ({ text, start, end })

describe("the spaces between columns", () => {
  it("are found below a label that ends above the space, among labels that are wider than the values", () => {
    const values = Array.from({ length: 12 }, (_, at) => [
      piece(`row ${at}`, 72, 110),
      piece("(0.65)", 224, 250),
      piece("(0.71)", 272, 296),
    ])
    const labels = [piece("Object", 72, 104), piece("model_a", 211, 250), piece("model_b", 258, 296)]
    assert.deepStrictEqual(findSpaces([[piece("GLM", 246, 268)], labels, ...values], 10), [
      { start: 110, end: 211 },
      { start: 250, end: 258 },
    ])
  })
})
