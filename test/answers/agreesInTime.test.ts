import { assert, describe, it } from "vitest"
import { agreesInTime } from "../../src/core/answers/quotes/agreesInTime.ts"
import type { Quote } from "../../src/core/answers/citations/References.ts"

const NOW = new Date("2026-11-30")

const quote = (text: string, title = "Prices", createdAt = "2026-10-05T09:00:00.000Z") =>
  ({
    passage: { text, createdAt, name: "notes.md", headings: [title], tables: [] },
    start: 0,
    end: text.length,
  }) as unknown as Quote

const RISE = "The list price rises by $4 from January 2027."

describe("a quote answers a question that says when", () => {
  it.each([
    ["did Brixen raise prices last year?", RISE, false],
    ["did Brixen raise prices in 2025?", RISE, false],
    ["did Brixen raise prices in 2027?", RISE, true],
    ["will Brixen raise prices next year?", RISE, true],
    ["did Brixen raise prices?", RISE, true],
    ["did Brixen raise prices last year?", "It raised its prices on 2025-04-01.", true],
    ["did Brixen raise prices last year?", "It raised its prices in Q3 2024.", false],
    ["did Brixen raise prices last year?", "It raises its prices often.", false],
    ["did Brixen raise prices this year?", "It raises its prices often.", true],
    ["what did they announce last month?", "It raises its prices often.", true],
    ["what happened last year?", "They tried Orvanta last year.", true],
    // A term of a contract is no time.
    ["does Orvanta have a trial of 30 days?", "A trial takes 30 days since 2024.", true],
  ])("%s %s", (question, sentence, agrees) => {
    assert.strictEqual(agreesInTime(question, NOW)(quote(sentence)), agrees)
  })

  it("by the date in a title above it", () => {
    assert.isTrue(agreesInTime("what did Orvanta charge in 2024?", NOW)(quote("A seat costs $40.", "Prices of 2024")))
    assert.isFalse(agreesInTime("what did Orvanta charge in 2025?", NOW)(quote("A seat costs $40.", "Prices of 2024")))
  })

  it("of a question that repeats a time without end", () => {
    const question = "Q1 2024 ".repeat(100_000)
    assert.isFalse(agreesInTime(question, NOW)(quote("They raised prices in 2022.")))
    assert.isTrue(agreesInTime(question, NOW)(quote("They raised prices in February 2024.")))
  })
})
