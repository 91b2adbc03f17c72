import { assert, describe, it as test } from "vitest"
import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { findUnused } from "../../src/core/answers/questions/plan/account.ts"
import { makePlans } from "../../src/core/answers/questions/plan/plan.ts"
import { Import } from "../../src/core/import/Import.ts"
import { TODAY, WORKSPACE } from "../../training/workspace.ts"
import { engines } from "../support/engines.ts"
import { UNLIMITED } from "../support/unlimited.ts"
import { layerWeb, Web } from "../support/web.ts"
import { ask } from "./askByHttp.ts"

const NAMES = { ...WORKSPACE, categories: ["Commercial", "Product", "Trust"] }
const read = (question: string) => parse(question, NAMES, TODAY)

describe("categories of reasons", () => {
  test.each([
    ["How many deals did we lose for commercial reasons?", ["Commercial"]],
    ["How many deals did we lose because of trust issues?", ["Trust"]],
    ["How many deals did we lose for trust or product reasons?", ["Product", "Trust"]],
    ["How many losses had product reasons?", ["Product"]],
    ["Losses in the Trust category by region", ["Trust"]],
    ["Which commercial reasons cost us most?", ["Commercial"]],
    ["Top product loss reasons", ["Product"]],
  ])("are conditions, of reasons against us in lost deals: %s", (question, categories) => {
    const slots = read(question)
    assert.deepStrictEqual(slots.unknown, [])
    const [plan] = makePlans(slots)
    const filters = plan?.kind === "report" ? plan.query.filters : undefined
    assert.deepStrictEqual(filters?.driver_categories, categories)
    assert.deepStrictEqual([filters?.driver_effect, filters?.outcome], [["negative"], ["lost"]])
  })

  test("group the losses", () => {
    const [plan] = makePlans(read("Which category of loss reasons do we lose most deals to?"))
    assert.deepStrictEqual(plan?.kind === "report" && plan.query.groupBy, ["driver_category"])
  })

  test.each(["How many lost deals had no commercial reason?", "Top loss reasons excluding commercial reasons"])(
    "are not excluded, for no filter has the deals without such a reason against us: %s",
    (question) => assert.isNotEmpty(read(question).unknown),
  )

  test("are a share of the losses, or of nothing", () => {
    const [share] = makePlans(read("What share of lost deals had commercial reasons?"))
    assert.deepStrictEqual(share?.kind === "share" && share.whole, { outcome: ["lost"] })
    const slots = read("Share of losses due to commercial reasons")
    assert.include(JSON.stringify(findUnused(slots, makePlans(slots))), "share")
  })
})

const deal = (n: number, status: string, reason: string, positive: boolean) => ({
  type: "deal",
  id: `d${n}`,
  name: `Deal ${n}`,
  amount: 1000 * n,
  status,
  drivers: [{ reason, positive }],
})
const RECORDS = [
  { type: "stage", id: "won", name: "Closed Won", category: "won", position: 1 },
  { type: "stage", id: "lost", name: "Closed Lost", category: "lost", position: 2 },
  { type: "reason", id: "terms", name: "Contract terms", category: "Commercial" },
  { type: "reason", id: "cost", name: "Total cost", category: "Commercial" },
  { type: "reason", id: "mobile", name: "Mobile app", category: "Product" },
  deal(1, "lost", "terms", false),
  deal(2, "lost", "cost", false),
  deal(3, "lost", "cost", true),
  deal(4, "lost", "mobile", false),
  deal(5, "won", "terms", true),
]

for (const engine of engines) {
  describe(`categories of reasons in answers, on ${engine.name}`, () => {
    layer(Layer.unwrap(Effect.sync(() => layerWeb(engine.database))), { excludeTestServices: true })((it) => {
      it.effect("are those of the workspace", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant({ plan: UNLIMITED })
          const report = yield* (yield* Import).records(org, Stream.fromIterable(RECORDS))
          assert.strictEqual(report.failed, 0, JSON.stringify(report.errors[0]))
          const { content } = yield* ask("How many deals did we lose for commercial reasons?", key)
          assert.include(content, "**2 lost deals**, worth 3,000")
          assert.include(content, "reason category Commercial")
        }),
      )
    })
  })
}
