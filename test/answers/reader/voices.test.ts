import { assert, describe, it } from "@effect/vitest"
import { makePredictor } from "../../../src/core/answers/reader/predict.ts"
import { WEIGHTS } from "../../../src/core/answers/reader/weights.ts"
import { judgeVoice } from "../../../training/judge.ts"
import { HELD_OTHER_LANGUAGES, HELD_VOICES, tasksOf } from "../../../training/sentences.ts"

const predict = makePredictor(WEIGHTS)

describe("questions of people whose words no training has", () => {
  it.each(HELD_VOICES)("of %s are answered, and seldom wrongly", (voice) => {
    const { grammar, both, unanswerable } = judgeVoice(tasksOf(voice), predict, 4)
    // Fewer voices train the other languages, and the grammar alone reads few of their sentences.
    const isOther = voice in HELD_OTHER_LANGUAGES
    assert.isAbove(both.right, isOther ? 0.4 : 0.5)
    assert.isAbove(both.right, grammar.right + 0.15)
    assert.isBelow(both.wrong, 0.08)
    assert.isAtMost(both.wrong, isOther ? 0.07 : grammar.wrong)
    assert.isBelow(unanswerable.wrong, 0.15)
  })
})
