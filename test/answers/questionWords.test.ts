import { assert, describe, it } from "vitest"
import { translate } from "../../src/core/answers/questions/languages/translate.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { NAMES, TODAY } from "./dealNames.ts"

const read = (question: string, names = NAMES) => parse(translate(question, names.names), names, TODAY)

describe("amounts", () => {
  for (const [question, amount] of [
    ["deals over 100.000 €", { min: 100_000.01 }],
    ["deals of at least 1.250 €", { min: 1250 }],
    ["deals of at least 1,250 €", { min: 1250 }],
    ["deals of at least 1.250.000 €", { min: 1_250_000 }],
    ["deals of at least 1.250,50 €", { min: 1250.5 }],
    ["deals of at least 1,250.5 USD", { min: 1250.5 }],
    ["deals of at least 2,5 Mio. €", { min: 2_500_000 }],
    ["deals of at least 2.5m", { min: 2_500_000 }],
    ["deals of at least $1.125m", { min: 1_125_000 }],
    ["deals of at least 1,250k", { min: 1_250_000 }],
    ["deals between 1.000 and 20.000 €", { min: 1000, max: 20_000 }],
    ["Abschlüsse von mindestens 2,5 Mio. €", { min: 2_500_000 }],
  ] as const)
    it(`read a dot or comma before three digits as thousands: ${question}`, () =>
      assert.deepStrictEqual(read(question).conditions.amount, amount))
})

describe("US", () => {
  const elsewhere = { ...NAMES, names: NAMES.names.filter(({ name }) => name !== "US") }
  for (const question of ["US deals", "How many deals in the US?", "Show US deals that we lost", "lost US deals"])
    it(`is the region, or unknown without it: ${question}`, () => {
      assert.deepStrictEqual(
        read(question).names.map(({ name }) => name),
        ["US"],
      )
      assert.deepStrictEqual(
        read(question, elsewhere).unknown.map(({ said, as }) => [said, as]),
        [["US", "place"]],
      )
    })
  for (const question of ["tell us our win rate", "How many deals did Orvanta take from us?", "TELL US OUR WIN RATE"])
    it(`is a pronoun in lower case, and in a question in capitals: ${question}`, () => {
      assert.isFalse(read(question, elsewhere).names.some(({ kind }) => kind === "region"))
      assert.deepStrictEqual(read(question, elsewhere).unknown, [])
    })
})

describe("a word that is no function word", () => {
  for (const word of ["still", "play", "need", "time", "work", "result", "generally", "mostly", "run"])
    it(`makes a reading uncertain: ${word}`, () =>
      assert.deepStrictEqual(
        read(`How many deals did we lose in DACH, ${word} Wonderland`).unknown.map(({ said }) => said),
        [`${word} Wonderland`],
      ))
  for (const question of [
    "Which deals sit in Negotiation?",
    "Which open deals does Anna own?",
    "deals that need offline mode",
  ])
    it(`is read as the verb between deals and a name: ${question}`, () =>
      assert.deepStrictEqual(read(question).unknown, []))
  for (const question of ["What do deals need?", "Which deals sit idle?"])
    it(`is no such verb without one: ${question}`, () => assert.isNotEmpty(read(question).unknown))
})
