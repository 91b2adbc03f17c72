import { assert, describe, it } from "vitest"
import { findUnused } from "../../src/core/answers/questions/plan/account.ts"
import { translate } from "../../src/core/answers/questions/languages/translate.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { Effort } from "../../src/core/answers/questions/names/Effort.ts"
import { explainUnknown } from "../../src/core/answers/questions/reply/refusal.ts"
import { makePlans } from "../../src/core/answers/questions/plan/plan.ts"
import { makePredictor } from "../../src/core/answers/reader/predict.ts"
import { readAgain } from "../../src/core/answers/reader/readAgain.ts"
import { WEIGHTS } from "../../src/core/answers/reader/weights.ts"
import { NAMES, TODAY } from "./dealNames.ts"

const predict = makePredictor(WEIGHTS)

const explain = (question: string) => {
  const { unknown } = parse(question, NAMES, TODAY)
  return { kinds: unknown.map(({ as }) => as), text: explainUnknown(question, unknown, NAMES, TODAY, new Effort()) }
}

/** Asserts that neither the grammar nor the learned reader reads the question. */
const assertRefused = (question: string) => {
  const spelt = translate(question, NAMES.names)
  const slots = parse(spelt, NAMES, TODAY)
  const plans = makePlans(slots)
  assert.isNotEmpty([...slots.unknown, ...findUnused(slots, plans)], question)
  const again = readAgain([spelt], { slots, plans, isRead: false }, NAMES, TODAY, predict)
  assert.strictEqual(again.kind, "stands", question)
}

describe("questions about quotas", () => {
  for (const question of [
    "what is our quota attainment by owner",
    "what is our pipeline coverage",
    "did we hit our quota last quarter",
    "attainment by region",
  ])
    it(`are refused with that reason alone: ${question}`, () => {
      const { text } = explain(question)
      assert.include(text, "Sightline has no quotas")
      assert.notInclude(text, "I do not understand")
      const slots = parse(question, NAMES, TODAY)
      const grammar = { slots, plans: makePlans(slots), isRead: false }
      assert.strictEqual(readAgain([question], grammar, NAMES, TODAY, predict).kind, "stands")
    })

  it("are not seen where documents or other measures are meant", () => {
    for (const question of [
      "what is our win rate by region",
      "which deals mention test coverage",
      "deals of quotas GmbH",
    ])
      assert.notInclude(explain(question).kinds, "quota", question)
  })
})

describe("questions about measures that settings and stages define", () => {
  for (const [question, measure] of [
    ["weighted pipeline by region", "amount_weighted"],
    ["which rep has the largest weighted pipeline this quarter", "amount_weighted"],
    ["what is our renewal rate", "renewal_rate"],
    ["renewal rate by region last quarter", "renewal_rate"],
    ["which region has the best renewal win rate", "renewal_rate"],
    ["how many deals did we lose to no decision", "lost_no_decision"],
    ["no-decision losses by owner", "lost_no_decision"],
  ] as const)
    it(`are read as that measure: ${question}`, () => {
      const slots = parse(question, NAMES, TODAY)
      assert.deepStrictEqual(slots.unknown, [])
      const [plan] = makePlans(slots)
      assert.strictEqual(plan?.kind === "report" && plan.measure, measure)
      assert.notProperty(plan?.kind === "report" && plan.query.filters, "deal_types")
    })

  it("leave the type of deals alone elsewhere", () => {
    for (const question of ["win rate of renewals", "how many renewals did we lose"]) {
      const { names, bases } = parse(question, NAMES, TODAY)
      assert.include(
        names.map(({ kind }) => kind),
        "deal_type",
        question,
      )
      assert.notInclude(bases, "renewal_rate", question)
    }
  })

  it("are refused where a new client would be one that was lost, or that a deal was created for", () => {
    for (const question of [
      "how many new clients did we lose last quarter",
      "new logos created this year",
      "average new customers by region",
    ])
      assertRefused(question)
  })

  it("are refused where no list or measure has them, also by the learned reader", () => {
    for (const question of ["which deals did we lose to no decision", "how many deals ended in indecision"]) {
      const slots = parse(question, NAMES, TODAY)
      const grammar = { slots, plans: makePlans(slots), isRead: false }
      const refused = [...slots.unknown, ...findUnused(slots, grammar.plans)]
      assert.isNotEmpty(refused, question)
    }
  })
  it("are refused with two aggregates", () => {
    for (const question of ["what is the sum of average deal size", "total and average deal size by region"])
      assert.include(explain(question).kinds, "unfit", question)
    assert.notInclude(explain("what is our overall average deal size").kinds, "unfit")
  })

  it("are refused where what a deal entered or left is not one stage, or each", () => {
    for (const question of [
      "how many deals moved to Orvanta last quarter",
      "deals that moved to next quarter",
      "how many deals slipped into next quarter",
      "deals that never slipped",
      "how many deals have not been pushed out",
      "deals that haven't been pushed out",
      "which deals were not pushed out last quarter",
      "what share of our deals slipped",
      "deals that slipped last quarter vs this quarter",
      "how many deals moved from Discovery to Negotiation",
      "how many deals did not enter Negotiation",
      "how many deals entered Discovery and Negotiation last month",
      "win rate of deals that entered Negotiation last month",
    ])
      assertRefused(question)
  })

  it("leave people who moved to a competitor to the documents", () => {
    for (const question of [
      "what does the battlecard say about customers who moved to Orvanta",
      "has anyone moved to Orvanta because of its prices",
    ])
      assert.notInclude(explain(question).kinds, "unfit", question)
  })
})
