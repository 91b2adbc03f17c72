import { assert, describe, it } from "@effect/vitest"
import { QuestionReader } from "../../src/core/answers/QuestionReader.ts"
import { nameTokens, parseNumber, proseTokens, searchTokens, findStem } from "../../src/core/answers/words.ts"

const textsOf = (tokens: ReturnType<typeof proseTokens>) => tokens.map(({ text }) => text)

describe("the word model", () => {
  it("splits prose, names and search terms each in their own way", () => {
    const text = "AT&T’s re-use costs 1,200.50."
    assert.deepStrictEqual(textsOf(proseTokens(text)), ["AT", "T’s", "re", "use", "costs", "1,200.50"])
    assert.deepStrictEqual(textsOf(nameTokens(text)), ["AT&T", "s", "re-use", "costs", "1", "200.50."])
    assert.deepStrictEqual(textsOf(searchTokens(text)), ["AT", "T", "s", "re", "use", "costs", "1", "200", "50"])
  })

  it("gives each token the offsets of its text", () => {
    const text = "  Orvanta's “Starter” plan: €48"
    for (const tokens of [proseTokens(text), nameTokens(text), searchTokens(text)])
      for (const token of tokens) assert.strictEqual(text.slice(token.start, token.end), token.text)
  })

  it("writes equal numbers alike, and takes `one` for a pronoun", () => {
    const numbers = ["1,200.50", "1200.5", "seven", "7", "7.0", "one", "many"].map(parseNumber)
    assert.deepStrictEqual(numbers, ["1200.5", "1200.5", "7", "7", "7", undefined, undefined])
  })

  it("gives the forms of a word one stem", () => {
    for (const [stem, ...forms] of [
      ["charg", "charge", "charges", "charged", "charging"],
      ["plan", "plan", "plans", "planned", "planning"],
      ["company", "company", "companies"],
    ])
      assert.deepStrictEqual([...new Set(forms.map(findStem))], [stem], forms.join())
  })
})

describe("a question reader", () => {
  it("hides what a pattern took, and lists the rest without stop words", () => {
    const reader = new QuestionReader("How many deals did we lose to Foobar Labs since June?")
    assert.isDefined(reader.take(/how many/))
    assert.isUndefined(reader.take(/how many/))
    assert.isDefined(reader.take(/since june/))
    assert.deepStrictEqual(
      reader.unread().map(({ text, before }) => [text, before]),
      [
        ["deals", ""],
        ["lose", "we"],
        ["foobar", "to"],
        ["labs", "foobar"],
      ],
    )
  })
})
