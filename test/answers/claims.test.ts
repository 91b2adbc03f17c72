import { assert, describe, it } from "@effect/vitest"
import { HELD_OUT_HALF } from "./claims/heldOutHalf.ts"
import { citedShare, judgeClaims } from "./claims/judge.ts"
import { WORK_HALF } from "./claims/workHalf.ts"
import { WORK_MORE } from "./claims/workMore.ts"

describe("sentences as models phrase them", () => {
  for (const [name, half] of Object.entries({ work: [...WORK_HALF, ...WORK_MORE], "held-out": HELD_OUT_HALF })) {
    it(`of the ${name} half are cited if the passage states them, and not if it states other values`, () => {
      const judged = judgeClaims(half)
      const count = (kind: string) => judged.filter((each) => each.kind === kind).length
      assert.isAtLeast(count("supported"), 60)
      assert.isAtLeast(count("exchanged") + count("foreign"), 60)
      assert.isAtLeast(citedShare(judged, "supported"), 85)
      assert.isAtMost(citedShare(judged, "exchanged"), 5)
      assert.strictEqual(citedShare(judged, "foreign"), 0)
    })
  }
})
