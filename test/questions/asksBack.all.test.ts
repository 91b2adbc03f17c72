import * as Effect from "effect/Effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { migratedPostgresUrl } from "../support/engines.ts"
import { offersIn } from "../../src/core/answers/offers.ts"
import { gradeSeveral, runOffers } from "./askingBack.ts"
import { HALVES } from "./halves.ts"
import { read } from "./reading.ts"
import { isRefusal } from "./refusal.ts"
import { SEVERAL } from "./several.ts"
import { openWorkspaces, type Workspaces } from "./workspaces.ts"

describe("the demo", () => {
  let workspaces: Workspaces
  beforeAll(async () => {
    workspaces = await openWorkspaces(await Effect.runPromise(migratedPostgresUrl))
  })
  afterAll(() => workspaces.dispose())

  it("asks back most questions with several readings, and each offered question has the result shown", async () => {
    let asked = 0
    const wrong: Array<string> = []
    for (const several of SEVERAL) {
      const { verdict, content, values } = await gradeSeveral(workspaces, several)
      if (verdict === "wrong") wrong.push(`${several.question}\n${JSON.stringify(values)}\n${content}`)
      if (verdict !== "asked") continue
      asked++
      for (const { question, result } of await runOffers(workspaces, content))
        assert.include(content, result ?? "a result", `${question}\n${content}`)
    }
    assert.isAtLeast(asked, 0.8 * SEVERAL.length)
    assert.deepStrictEqual(wrong, [])
  })

  it("offers only questions that run, in every refusal", async () => {
    const offered = new Set<string>()
    for (const question of Object.values(HALVES).flat()) {
      if (question.workspace !== "demo") continue
      const { content } = await workspaces.answer(question)
      for (const offer of offersIn(content)) offered.add(offer)
    }
    assert.isAtLeast(offered.size, 30)
    for (const offer of offered) {
      const turns = [offer] as const
      const { content } = await workspaces.answer({
        id: offer,
        type: "count",
        workspace: "demo",
        language: "en",
        turns,
        truth: { kind: "introduces" },
      })
      assert.isFalse(isRefusal(read(content), offer, "en"), `${offer}\n${content}`)
      assert.notMatch(offer, /\b(\w+) \1\b/i)
    }
  })
})
