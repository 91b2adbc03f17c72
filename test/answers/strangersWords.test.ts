import { assert, describe, it } from "vitest"
import type { CanonicalFilters } from "../../src/core/deals/filters/filters.ts"
import { translate } from "../../src/core/answers/questions/languages/translate.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { makePlans } from "../../src/core/answers/questions/plan/plan.ts"
import { NAMES, TODAY } from "./dealNames.ts"

const read = (question: string) => {
  const slots = parse(translate(question, NAMES.names), NAMES, TODAY)
  assert.deepStrictEqual(slots.unknown, [])
  return slots
}

describe("words that the grammar read wrongly", () => {
  for (const question of [
    "What is our win rate when nobody's contesting?",
    "How many deals did we win unopposed last quarter?",
    "How many deals did we win when no one else was competing?",
    "How many deals were lost with no competitor even in the room?",
    "Win rate where we had the field to ourselves",
    "Open pipeline where we are the only vendor",
    "Losses with no rival in the picture",
  ])
    it(`say that nobody competes: ${question}`, () => {
      const { conditions, names } = read(question)
      assert.deepStrictEqual(conditions, { competitors_filter_type: "is empty" } as CanonicalFilters)
      assert.deepStrictEqual(names, [])
    })

  for (const [question, ...names] of [
    ["Win rate when Orvanta is in the negotiation", "Orvanta"],
    ["How many deals have Orvanta in the negotiation stage?", "Orvanta", "Negotiation"],
    ["How many Orvanta deals are in negotiation?", "Orvanta", "Negotiation"],
  ] as const)
    it(`name a process that every deal has, and no stage: ${question}`, () =>
      assert.deepStrictEqual(
        read(question).names.map(({ name }) => name),
        names,
      ))

  for (const question of [
    "How many deals did we lose, Nimbrel excluded?",
    "How many lost deals, ex Nimbrel?",
    "Lost deals by region, excl. Nimbrel",
    "Ignoring anything with Nimbrel, how many deals did we lose?",
    "Nimbrel aside, how many deals did we lose?",
  ])
    it(`exclude a rival: ${question}`, () =>
      assert.deepStrictEqual(
        read(question).names.map(({ name, negated }) => [name, negated]),
        [["Nimbrel", true]],
      ))

  it("ask for none of what they name: no exclusion", () =>
    assert.isFalse(parse("Are there no DACH deals?", NAMES, TODAY).names[0]?.negated))

  it("say that a rival is the main one", () =>
    assert.strictEqual(read("Win rate with Nimbrel as the one to beat").names[0]?.role, "primary"))

  for (const question of [
    "Biggest deal where Offline mode came up",
    "Show me the one biggest deal in which Single sign-on was raised",
    "Which 5 deals where Offline mode came up are the biggest?",
  ])
    it(`ask for deals with a feature, and not for its mentions: ${question}`, () => {
      const [plan] = makePlans(read(question))
      assert.deepInclude(plan, { kind: "list", sort: "amount", ascending: false })
    })

  for (const [question, ...groups] of [
    ["Top features that customers like in DACH"],
    ["Show all deals with Retail customers"],
    ["How many closed deals (won + lost) by region?", "region"],
    ["How many deals were decided last year, won or lost?"],
    ["How many deals were won and lost together last year?"],
    ["Lost deals by region and customer", "region", "client"],
    ["How many wins and losses did we have?", "outcome"],
  ] as const)
    it(`ask for no more groups than they say: ${question}`, () => {
      const [plan] = makePlans(read(question))
      const asked = plan?.kind === "report" ? plan.query.groupBy : []
      assert.deepStrictEqual(
        asked.filter((group) => group !== "feature"),
        groups,
      )
    })
})
