import { assert, describe, it } from "@effect/vitest"
import { readConversation, type Turn } from "../../../src/core/answers/questions/turns/conversation.ts"
import { putInEnglish, translate } from "../../../src/core/answers/questions/languages/translate.ts"
import { makePlans } from "../../../src/core/answers/questions/plan/plan.ts"
import { makePredictor } from "../../../src/core/answers/reader/predict.ts"
import { planKey } from "../../../src/core/answers/reader/planKey.ts"
import { completeTurn } from "../../../src/core/answers/reader/readBoth.ts"
import { WEIGHTS } from "../../../src/core/answers/reader/weights.ts"
import { judgeFollowUps } from "../../../training/followUps.ts"
import { HELD_VOICES, tasksOf } from "../../../training/sentences.ts"
import { TODAY, WORKSPACE } from "../../../training/workspace.ts"

const predict = makePredictor(WEIGHTS)

/** Reads the questions of a conversation with both readers. */
const read = (...questions: ReadonlyArray<string>) => {
  const turns: Array<Turn> = []
  for (const [index, asked] of questions.entries()) {
    turns.push({ question: translate(asked, WORKSPACE.names), namesRows: false })
    const english = [putInEnglish(asked, WORKSPACE.names)]
    const all = { ambiguous: [], asked, english, names: WORKSPACE, today: TODAY, predict }
    turns.splice(-1, 1, completeTurn(turns, all, index + 1 < questions.length))
  }
  return readConversation(turns, WORKSPACE, TODAY)!
}

const keyOf = (...questions: ReadonlyArray<string>) => {
  const { slots } = read(...questions)
  return slots.unknown.length > 0 ? slots.unknown.map(({ said }) => said) : planKey(makePlans(slots))
}

describe("a question that continues another", () => {
  it("continues what the network alone read", () => {
    const first = "What's our strike rate versus Nimbrel?"
    assert.strictEqual(keyOf(first, "and in DACH?"), keyOf("win rate against Nimbrel in DACH"))
  })
})

describe("a follow-up in words that the grammar lacks", () => {
  for (const [first, next, plain] of [
    [
      "How many deals did we win this quarter?",
      "How does that divide among the industries?",
      "how many deals did we win this quarter by industry",
    ],
    ["What is our win rate by region?", "Last month alone?", "win rate by region last month"],
    ["Wie hoch ist die Gewinnquote nach Branche?", "Und wenn du nur DACH nimmst?", "win rate by industry in DACH"],
  ] as const)
    it(next, () => assert.strictEqual(keyOf(first, next), keyOf(plain)))
})

describe("follow-ups of people whose words no training has", () => {
  it("are read where the question before them is, and seldom wrongly", () => {
    const { continuing } = judgeFollowUps(HELD_VOICES.map(tasksOf), predict)
    const all = Object.values(continuing).reduce((sum, count) => sum + count, 0)
    assert.isAbove(continuing.right / all, 0.6)
    assert.isBelow(continuing.wrong / all, 0.1)
  })
})
