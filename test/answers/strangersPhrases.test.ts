import { assert, describe, it } from "vitest"
import { translate } from "../../src/core/answers/questions/languages/translate.ts"
import { findUnused } from "../../src/core/answers/questions/plan/account.ts"
import { makePlans } from "../../src/core/answers/questions/plan/plan.ts"
import { readConversation } from "../../src/core/answers/questions/turns/conversation.ts"
import { planKey } from "../../src/core/answers/reader/planKey.ts"
import { TODAY, WORKSPACE } from "../../training/workspace.ts"

const read = (question: string) => {
  const turns = question.split(" / ").map((each) => ({ question: translate(each, WORKSPACE.names), namesRows: false }))
  const { slots } = readConversation(turns, WORKSPACE, TODAY)!
  const plans = makePlans(slots)
  return { slots, plans, unread: [...slots.unknown, ...findUnused(slots, plans)].map(({ said }) => said) }
}

/** Questions of people who had seen no grammar, each beside a plain one that asks for the same. */
const SAME: Readonly<Record<string, ReadonlyArray<readonly [said: string, plain: string]>>> = {
  "parts of names in idioms": [
    ["How is Elif doing", "How is Elif Zimmer doing"],
    ["how's Elif doing", "How is Elif Zimmer doing"],
    ["how is keiko doing this year", "how is Keiko Fontaine doing this year"],
    ["head to head orvanta vs brixen", "win rate against Orvanta vs Brixen Suite"],
    ["orvanta head-to-head", "win rate against Orvanta"],
  ],
  "types of deals": [
    ["New business vs renewal win rate", "win rate of New business versus Renewal"],
    ["list renewals up for this quarter", "list Renewal deals closing this quarter"],
    ["renewals due in January", "Renewal deals closing in January"],
  ],
  "anything and everything": [
    ["anything closing this week", "deals closing this week"],
    ["is there anything that's open in DACH?", "open deals in DACH"],
  ],
  "deals that slip": [["deals slipping out of this quarter", "deals that slipped out of this quarter"]],
  "reasons with an outcome": [
    ["Total cost as a loss reason by quarter", "deals lost because of Total cost by quarter"],
    ["lost deals where the reason was Total cost", "list deals lost because of Total cost"],
  ],
  "whether anybody competes": [
    ["how many deals have a competitor", "how many deals with any competitor"],
    ["win rate with a competitor in the deal", "win rate with any competitor"],
  ],
  "the order of a list": [
    ["top 10 deals by amount closing this quarter", "top 10 deals closing this quarter"],
    ["deals lost to Nimbrel sorted by amount", "largest deals lost to Nimbrel"],
    ["deals lost in November / sort by amount", "largest deals lost in November"],
    ["deals lost in November / order them by value, smallest first", "smallest deals lost in November"],
  ],
  "what the lines of a list show": [
    ["list all wins this month with amounts and owners", "list all wins this month"],
    ["list all wins this month and their owners, sorted by amount", "list all wins this month, largest first"],
    ["show the lost deals in Retail incl. the close dates", "show the lost deals in Retail"],
  ],
  "weighted amounts": [
    ["pipeline by stage w/ weighted amt", "pipeline by stage with weighted amount"],
    ["pipeline by stage with weighted amount", "weighted pipeline by stage"],
  ],
  "words around a question": [
    [
      "Hi team, could you please send me the list of lost deals in DACH incl. the amounts? Thanks, Jon",
      "list the lost deals in DACH",
    ],
    ["I'm preparing for the QBR. Which region lost the most deals?", "Which region lost the most deals?"],
    ["Good morning Ana - win rate in DACH. Many thanks in advance", "win rate in DACH"],
  ],
  "rows that are left out": [
    [
      "win rate by competitor / exclude Nimbrel",
      "win rate by competitor for Brixen Suite, Calyptus One, Orvanta, Sparrowdesk or Tallowmark",
    ],
    ["lost deals by competitor / without Nimbrel", "lost deals by competitor without Nimbrel"],
  ],
  counts: [
    ["no of deals lost in 2026", "number of deals lost in 2026"],
    ["how many existing customers do we have", "how many customers with won deals"],
  ],
}

describe("phrases of strangers", () => {
  for (const [what, pairs] of Object.entries(SAME))
    it.each(pairs)(`are read with ${what}: %s`, (said, plain) => {
      const { plans, unread } = read(said)
      assert.deepStrictEqual(unread, [])
      assert.isNotEmpty(plans)
      assert.strictEqual(planKey(plans), planKey(read(plain).plans))
    })

  it("keep the deals of other rows when one is left out", () => {
    const [plan] = read("win rate by competitor without Nimbrel").plans
    assert.deepNestedInclude(plan, {
      "query.filters": { competitors: ["Brixen Suite", "Calyptus One", "Orvanta", "Sparrowdesk", "Tallowmark"] },
    })
    // Without rows of competitors, the deals are left out.
    const [one] = read("win rate by region without Nimbrel").plans
    assert.deepNestedInclude(one, {
      "query.filters": { competitors: ["Nimbrel"], competitors_filter_type: "is not" },
    })
  })

  it("count deals with both reasons", () => {
    const [plan] = read("how many deals did we lose on both Total cost and Contract terms").plans
    assert.deepNestedInclude(plan, { "query.filters.driver_ids_filter_type": "is all of" })
  })

  it("show revenue beside a rate of all decided deals", () => {
    for (const question of ["win rate and revenue by region", "revenue and win rate by region"]) {
      const [plan] = read(question).plans
      assert.notDeepNestedInclude(plan, { "query.filters.outcome": ["won"] })
      assert.includeMembers("query" in plan! ? [...plan.query.measures] : [], ["win_rate", "amount_won"])
    }
  })

  it.each([
    ["show me stuck deals in Negotiation", "stuck"],
    ["when did we lose to Orvanta", "when"],
  ])("are refused by the part that no report has: %s", (question, said) => {
    assert.include(read(question).unread, said)
  })
})
