import { assert, describe, it } from "vitest"
import { findUncounted, findUnused } from "../../src/core/answers/questions/plan/account.ts"
import { Effort } from "../../src/core/answers/questions/names/Effort.ts"
import { isEnglish, translate } from "../../src/core/answers/questions/languages/translate.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { makePlans } from "../../src/core/answers/questions/plan/plan.ts"
import { explainUnknown } from "../../src/core/answers/questions/reply/refusal.ts"
import { findAlternatives } from "../../src/core/answers/reader/alternatives.ts"
import { makePredictor } from "../../src/core/answers/reader/predict.ts"
import { readAgain } from "../../src/core/answers/reader/readAgain.ts"
import { WEIGHTS } from "../../src/core/answers/reader/weights.ts"
import { TODAY, WORKSPACE } from "../../training/workspace.ts"
import { offersIn } from "../../src/core/answers/offers.ts"
import { HALVES } from "../questions/halves.ts"
import { ALL } from "../support/extent.ts"
import { SEVERAL } from "../questions/several.ts"

const predict = makePredictor(WEIGHTS)
const names = {
  ...WORKSPACE,
  names: [...WORKSPACE.names, { kind: "owner", value: "namesake", name: "Oluwaseun Grabowski" } as const],
}

const read = (question: string) => {
  const slots = parse(translate(question, names.names), names, TODAY)
  const plans = makePlans(slots)
  const unknown = [...slots.unknown, ...findUnused(slots, plans), ...findUncounted(question, plans)]
  const isRead = unknown.length === 0 && plans.length > 0
  const english = isEnglish(question) ? [question] : []
  return { unknown, isRead, second: readAgain(english, { slots, plans, isRead }, names, TODAY, predict) }
}

const alternativesTo = (question: string) => {
  const { unknown, second } = read(question)
  const turns = [{ question: translate(question, names.names), namesRows: false }]
  return findAlternatives({ turns, asked: question, names, today: TODAY, predict }, unknown, second)
}

describe("an offered question", () => {
  it("is read alike by both readers, behind every refusal of the questions that may be read", () => {
    const offered = new Set<string>()
    const all = [...HALVES.work, ...HALVES.fresh, ...HALVES.unseen]
    for (const { turns } of ALL ? all : all.filter((_, n) => n % 3 === 0)) {
      const question = turns.at(-1)!
      const { isRead, unknown, second } = read(question)
      if (isRead || second.kind !== "stands") continue
      const text = translate(question, names.names)
      for (const offer of offersIn(explainUnknown(text, unknown, names, TODAY, new Effort(), predict)))
        offered.add(offer)
    }
    assert.isAtLeast(offered.size, 20)
    for (const offer of offered) {
      const { isRead, second } = read(offer)
      assert.isTrue(second.kind === "read" || (isRead && second.kind === "stands"), offer)
      assert.notMatch(offer, /\b(\w+) \1\b/i)
    }
  })

  it("has one reading, for each reading of the questions with several", () => {
    for (const { question } of ALL ? SEVERAL : SEVERAL.filter((_, n) => n % 3 === 0)) {
      const alternatives = alternativesTo(question)
      assert.lengthOf(alternatives, 2, question)
      assert.notStrictEqual(alternatives[0]!.question, alternatives[1]!.question)
      for (const each of alternatives) assert.deepStrictEqual(alternativesTo(each.question), [], each.question)
    }
  })
})
