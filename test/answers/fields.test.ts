import { assert, describe, it } from "@effect/vitest"
import { HELD_OUT } from "./fields/heldOut.ts"
import { countCited, judge } from "./fields/judge.ts"
import { TUNING } from "./fields/tuning.ts"

describe("the verifier judges by field", () => {
  // [cited, all]
  it("in the set that it was tuned on", () => {
    assert.deepStrictEqual(countCited(judge(TUNING)), {
      paraphrase: [177, 185],
      value: [1, 56],
      subject: [0, 63],
      number: [0, 25],
      name: [0, 26],
      negated: [0, 37],
    })
  })
  it("in a set that was held out", () => {
    assert.deepStrictEqual(countCited(judge(HELD_OUT)), {
      paraphrase: [55, 63],
      value: [2, 24],
      subject: [0, 24],
      number: [0, 12],
      name: [0, 12],
      negated: [0, 10],
    })
  })
})
