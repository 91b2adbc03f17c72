import { assert, describe, it } from "vitest"
import { findUnused } from "../../src/core/answers/questions/plan/account.ts"
import { Effort } from "../../src/core/answers/questions/names/Effort.ts"
import { translate } from "../../src/core/answers/questions/languages/translate.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { makePlans } from "../../src/core/answers/questions/plan/plan.ts"
import { explainUnknown } from "../../src/core/answers/questions/reply/refusal.ts"
import type { Slots } from "../../src/core/answers/questions/parse/slots.ts"
import { correctSpelling } from "../../src/core/answers/questions/names/spelling.ts"
import { HALVES } from "../questions/halves.ts"
import { NAMES, TODAY } from "./dealNames.ts"

const read = (question: string) => {
  const slots = parse(translate(question, NAMES.names), NAMES, TODAY)
  const plans = makePlans(slots)
  return { slots, plans, unknown: [...slots.unknown, ...findUnused(slots, plans)] }
}

const QUESTIONS = [
  ...[HALVES.fresh, HALVES.unseen].flatMap((half) => half.flatMap(({ turns }) => turns)),
  "Why did we lose in Q3 vs Q2?",
  "deals won in May, June and July",
  "What is our win rate in the East region?",
  "How many deals did Wonderland lose to Orvanta last quarter?",
  "churn by region",
  "Which reps have never lost to Orvanta?",
  "What is the revenue of Nimbrel?",
]

const EMPTY: ReadonlyArray<Partial<Slots>> = [
  { names: [] },
  { periods: [] },
  { conditions: {} },
  { groups: [] },
  { grain: undefined },
  { compare: undefined },
  { having: undefined },
]

describe("slot accounting", () => {
  it("changes the plan of each answered question when a slot is emptied, or the plan still says it", () => {
    let emptied = 0
    for (const question of QUESTIONS) {
      const { slots, plans, unknown } = read(question)
      if (unknown.length > 0 || plans.length === 0) continue
      for (const change of EMPTY) {
        const [key] = Object.keys(change) as [keyof Slots]
        const without = { ...slots, ...change }
        if (JSON.stringify(without) === JSON.stringify(slots)) continue
        emptied++
        const isSaid = key === "groups" && slots.groups.every((each) => JSON.stringify(plans).includes(`"${each}"`))
        if (!isSaid) assert.notDeepEqual(makePlans(without), plans, `${question}: ${key}`)
      }
    }
    assert.isAbove(emptied, 100)
  })

  for (const [question, ...said] of [
    ["Why did we lose in Q3 vs Q2?", "2026-07-01 to 2026-09-30 and 2026-04-01 to 2026-06-30"],
    ["What share of deals?", "share"],
    ["top 0 deals", "top 0"],
    ["total of the 3 largest open deals", "largest 3"],
    ["top 3 and bottom 3 regions by win rate", "bottom 3"],
    ["Who has the longest pipeline?", "longest"],
    ["deals per owner on average", "average"],
    ["Who has the oldest pipeline on average?", "oldest"],
    ["Which region has the newest average deal size?", "newest"],
    ["How many new clients did we win in retail deals?", "new clients"],
  ] as const)
    it(`refuses what no plan reads: ${question}`, () =>
      assert.deepStrictEqual(
        read(question).unknown.map((each) => [each.as, each.said]),
        said.map((each) => ["unused", each]),
      ))
  for (const question of [
    "who closed the most revenue this year",
    "How many new clients did we win in retail?",
    "median amount of won deals",
    "How many deals mention offline mode?",
    "total open pipeline",
    "average win rate by region",
    "What share of deals did we win?",
    "oldest open deals",
    "average size of won deals",
    "Why do customers buy from us?",
    "number one loss reason last quarter?",
    "How many deals did we win in DACH, and what were they worth?",
  ])
    it(`reads what another part implies: ${question}`, () => assert.deepStrictEqual(read(question).unknown, []))
})

describe("the questions that a refusal offers", () => {
  const offersOf = (question: string) => {
    const { plans, unknown } = read(question)
    if (unknown.length === 0 && plans.length > 0) return []
    const text = explainUnknown(translate(question, NAMES.names), unknown, NAMES, TODAY, new Effort())
    return [...text.matchAll(/^- (.+)$/gm)].map(([, offered = ""]) => offered)
  }

  it("are answered when asked", () => {
    const offered = new Set(QUESTIONS.flatMap(offersOf))
    assert.isAbove(offered.size, 20)
    for (const question of offered) {
      const { slots, plans, unknown } = read(question)
      assert.deepStrictEqual(unknown, [], question)
      assert.isNotEmpty(plans, question)
      assert.isFalse(slots.asksWhy && slots.names.some(({ kind }) => kind === "client"), question)
    }
  })

  for (const [question, ...offered] of [
    ["churn by region", "What is our win rate by region?", "How many deals do we have by region?"],
    ["How many bananas did we lose?", "How many deals did we lose last quarter?", "Why do we lose?"],
    ["What is the revenue of Nimbrel?", "What is our win rate against Nimbrel?", "Why do we lose to Nimbrel?"],
    [
      "What is our win rate in the East region?",
      "What is our win rate in DACH region?",
      "What is our win rate by competitor?",
    ],
    ["our revenue in bananas", "What is our revenue this quarter?", "What is our revenue by region?"],
  ] as const)
    it(`share a part with it: ${question}`, () => assert.deepStrictEqual(offersOf(question), offered))

  it("put no word of questions in the place of a name", () => {
    const known = [{ kind: "region" as const, value: "regios", name: "Regios" }]
    assert.deepStrictEqual(correctSpelling("Regiom", known, new Effort()), {
      said: "Regiom",
      meant: "Regios",
      isName: true,
    })
  })
})
