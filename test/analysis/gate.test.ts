import { assert, describe, it } from "@effect/vitest"
import { locate } from "../../src/core/analysis/gate/gate.ts"

const TEXT = "He said: “We  pay\n40 € — a seat”. İstanbul, then 🎈 and ‘no’."

describe("the gate", () => {
  it("finds a quote with other white space, case and quotation marks, at its offsets", () => {
    for (const [quote, expected] of [
      ['"we pay 40 € — a seat"', "“We  pay\n40 € — a seat”"],
      ["THEN 🎈", "then 🎈"],
      ["and 'no'.", "and ‘no’."],
      ["  istanbul ", undefined],
    ] as const) {
      const place = locate(TEXT, quote)
      assert.strictEqual(place && TEXT.slice(place.start, place.end), expected, quote)
    }
  })

  it("accepts no other word or number, no gap, and nothing outside the place that is named", () => {
    for (const quote of ["we pay 41 € — a seat", "we paid 40", "We pay … a seat", "", "   "])
      assert.isUndefined(locate(TEXT, quote), quote)
    assert.isUndefined(locate(TEXT, "We pay", { start: 12, end: TEXT.length }))
  })
})
