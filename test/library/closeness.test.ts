import { assert, describe, it } from "@effect/vitest"
import { closeness } from "../../src/core/library/targets.ts"

/** Like PostgreSQL's pg_trgm. */
const similarity = (a: string, b: string) => {
  const trigrams = (text: string) =>
    new Set(
      text
        .toLowerCase()
        .split(/\W+/)
        .flatMap((word) => [...`  ${word} `].slice(2).map((_, n) => `  ${word} `.slice(n, n + 3))),
    )
  const [left, right] = [trigrams(a), trigrams(b)]
  const both = [...left].filter((each) => right.has(each)).length
  return both / (left.size + right.size - both)
}

describe("the closeness of two names", () => {
  it("is high enough for a typo or a part of the name, and too low for another name", () => {
    const close = (a: string, b: string) => closeness(a, b, similarity(a, b)) >= 0.7
    for (const [a, b] of [
      ["Globx", "Globex"],
      ["Golbex", "Globex"],
      ["globex inc", "Globex"],
      ["Orvnata", "Orvanta"],
      ["Rival System", "Rival Systems"],
      ["SALESFORCE", "Salesforce"],
      ["Zyzygy ", "Zyzzygy"],
    ] as const) {
      assert.isTrue(close(a, b), `${a} ${b}`)
    }
    for (const [a, b] of [
      ["Oracle", "Miracle"],
      ["Acme", "Acne"],
      ["Box", "Bix"],
      ["Rival", "Arrival Systems"],
      ["", "Globex"],
      ["nobody at all", "Nobel"],
    ] as const) {
      assert.isFalse(close(a, b), `${a} ${b}`)
    }
  })
})
