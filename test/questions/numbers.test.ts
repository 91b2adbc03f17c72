import { assert, describe, it } from "@effect/vitest"
import { isNumber, numbersIn } from "./numbers.ts"
import type { Language } from "./question.ts"

const shows = (text: string, truth: number, column = "amount", language: Language = "en") =>
  numbersIn(text, language).some((shown) => isNumber(shown, truth, column))

describe("numbers in an answer", () => {
  it("accepts short forms within the rounding that they show", () => {
    assert.isTrue(shows("29.2 m EUR", 29_229_500))
    assert.isFalse(shows("29.3 m EUR", 29_229_500))
    assert.isTrue(shows("€5.87m", 5_868_000))
    assert.isTrue(shows("732 k", 731_600))
    assert.isFalse(shows("732 k", 732_600))
    assert.isTrue(shows("1,234.00 EUR", 1234))
    assert.isTrue(shows("$1,234", 1234.4))
    assert.isTrue(shows("71,096.71 EUR", 71_096.7078))
  })

  it("tells a rate from a count", () => {
    assert.isTrue(shows("36.4 %", 0.3636, "rate"))
    assert.isTrue(shows("36.4%", 0.3636, "share"))
    assert.isFalse(shows("36.4", 0.3636, "rate"))
    assert.isFalse(shows("42 %", 42, "deals"))
    assert.isFalse(shows("37 %", 0.364, "rate"))
  })

  it("reads the separators of other languages in their answers only", () => {
    assert.isTrue(shows("1.234,50 EUR", 1234.5, "amount", "de"))
    assert.isTrue(shows("36,4 %", 0.3636, "rate", "fr"))
    assert.isTrue(shows("29,2 Mio. EUR", 29_229_500, "amount", "de"))
    assert.isFalse(shows("36,4 %", 0.3636, "rate"))
  })

  it("takes no figure from dates, quarters and names", () => {
    for (const text of ["2026-03-31", "Q2 2026", "March 2026", "FY26", "GTX500", "31 March 2026", "H1"]) {
      assert.deepStrictEqual(numbersIn(text, "en"), [], text)
    }
  })

  it("reads small numbers in words, and that nothing is zero", () => {
    assert.isTrue(shows("No deals were lost.", 0, "deals"))
    assert.isTrue(shows("Two deals were lost.", 2, "deals"))
  })

  it("lets days differ by the hour at which a day begins", () => {
    assert.isTrue(shows("79.4 days", 79.9, "days"))
    assert.isFalse(shows("78.9 days", 79.9, "days"))
  })
})
