import { assert, describe, it } from "vitest"
import { parse } from "../../src/core/answers/deals/parse.ts"
import { Effort } from "../../src/core/answers/deals/Effort.ts"
import { explainUnknown } from "../../src/core/answers/deals/refusal.ts"
import { makePlans } from "../../src/core/answers/deals/plan.ts"
import { makePredictor } from "../../src/core/answers/reader/predict.ts"
import { readAgain } from "../../src/core/answers/reader/readAgain.ts"
import { WEIGHTS } from "../../src/core/answers/reader/weights.ts"
import { NAMES, TODAY } from "./dealNames.ts"

const predict = makePredictor(WEIGHTS)

const explain = (question: string) => {
  const { unknown } = parse(question, NAMES, TODAY)
  return { kinds: unknown.map(({ as }) => as), text: explainUnknown(question, unknown, NAMES, TODAY, new Effort()) }
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
  it("read the weighted pipeline, by group and period", () => {
    for (const question of [
      "weighted pipeline by region",
      "which rep has the largest weighted pipeline this quarter",
    ]) {
      const slots = parse(question, NAMES, TODAY)
      assert.deepStrictEqual(slots.unknown, [], question)
      const [plan] = makePlans(slots)
      assert.strictEqual(plan?.kind === "report" && plan.measure, "amount_weighted", question)
    }
  })

  it("are refused where they ask for losses to no decision, also by the learned reader", () => {
    const question = "how many deals did we lose to no decision"
    assert.include(explain(question).kinds, "unfit")
    const slots = parse(question, NAMES, TODAY)
    const grammar = { slots, plans: makePlans(slots), isRead: false }
    assert.strictEqual(readAgain([question], grammar, NAMES, TODAY, predict).kind, "stands")
  })
})
