import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { translate } from "../../src/core/answers/questions/languages/translate.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { makePlans } from "../../src/core/answers/questions/plan/plan.ts"
import { predictor } from "../../src/core/answers/reader/predictor.ts"
import { readAgain } from "../../src/core/answers/reader/readAgain.ts"
import { NAMES, TODAY } from "./dealNames.ts"

const read = (question: string) => parse(translate(question, NAMES.names), NAMES, TODAY)

const filtersOf = (question: string) => {
  const slots = read(question)
  assert.deepStrictEqual(slots.unknown, [], question)
  const [plan] = makePlans(slots)
  return plan?.kind === "report" ? [plan.measure, plan.query.filters] : plan?.kind
}

it("tells the revenue of clients that won before from that of new ones", () => {
  const won = { outcome: ["won"] } as const
  assert.deepStrictEqual(filtersOf("how much revenue comes from existing customers"), [
    "amount",
    { ...won, first_won: false },
  ])
  assert.deepStrictEqual(filtersOf("revenue from new customers"), ["amount", { ...won, first_won: true }])
  for (const each of [
    "win rate with existing customers",
    "open pipeline from current accounts",
    "win rate with new customers",
  ])
    assert.deepInclude(read(each).unknown[0], { as: "unfit" }, each)
})

it("refuses the pipeline of a time that is over", () => {
  assert.deepInclude(read("pipeline in DACH last quarter").unknown[0], { as: "unfit" })
  assert.deepStrictEqual(read("pipeline created last quarter").unknown, [])
  assert.deepStrictEqual(read("pipeline this quarter").unknown, [])
})

it.effect("shows the course of what is getting longer", () =>
  Effect.gen(function* () {
    const question = "are sales cycles getting longer?"
    const slots = read(question)
    const plans = makePlans(slots)
    const second = readAgain([question], { slots, plans, isRead: true }, NAMES, TODAY, yield* predictor)
    assert.strictEqual(second.kind, "stands")
    assert.strictEqual(slots.grain, "quarter")
  }),
)

it("counts how often customers mention a tag", () => {
  assert.deepStrictEqual(filtersOf("how often do customers mention blocker?"), [
    "mentions",
    { association_tags: ["tag_1"] },
  ])
})

it("reads how somebody is doing as how they do", () => {
  for (const question of ["how are we doing this quarter?", "how r we doing this qtr"])
    assert.deepStrictEqual(filtersOf(question)?.at(0), "win_rate", question)
})

it("asks who mentioned a feature", () => {
  assert.deepStrictEqual(read("who asked for Offline mode?").head, "client")
})

it("asks about a person of two known names: the first name of one and the last name of another are nobody", () => {
  const unknown = (question: string) => read(question).unknown.map(({ said, several }) => [said, several])
  assert.deepStrictEqual(unknown("win rate of Anna Ilves"), [["Anna Ilves", ["Anna Moreau", "Lars Ilves"]]])
  assert.deepStrictEqual(unknown("win rate of Anna and Ilves"), [])
  assert.deepStrictEqual(unknown("win rate of Anna Moreau"), [])
})
