import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { layerDealQuestions } from "../../src/core/answers/questions/layerDealQuestions.ts"
import { Import } from "../../src/core/import/Import.ts"
import { engines } from "../support/engines.ts"
import { atTime } from "../support/fixedClock.ts"
import { layerWeb, Web } from "../support/web.ts"
import { deals, NOW, OWNERS, records } from "./dealQuestions.ts"
import { answerTurns } from "./turns.ts"

const [engine] = engines
const today = NOW.toISOString().slice(0, 10)

describe("whole answers about groups", () => {
  const harness = Layer.unwrap(
    Effect.sync(() => layerDealQuestions.pipe(Layer.provideMerge(layerWeb(engine!.database)))),
  )
  layer(harness, { excludeTestServices: true })((it) => {
    const workspace = Effect.gen(function* () {
      const { org } = yield* (yield* Web).tenant()
      const { failed } = yield* (yield* Import).records(org, Stream.fromIterable(records()))
      assert.strictEqual(failed, 0)
      return org
    })
    const ask = (org: string, ...turns: ReadonlyArray<string>) =>
      answerTurns(org, ...turns).pipe(atTime(NOW.toISOString()))

    it.effect("list the deals of each owner under the owner's name", () =>
      Effect.gen(function* () {
        const content = yield* ask(yield* workspace, "List overdue deals of New business, by owner")
        const overdue = deals.filter(
          ({ outcome, closes, type }) => outcome === "open" && closes < today && type === "New business",
        )
        assert.isAbove(overdue.length, 5)
        for (const owner of OWNERS) {
          const section = content.split(`**${owner}**\n`)[1]?.split("\n**")[0] ?? ""
          const listed = [...section.matchAll(/\[Deal (d\d+)/g)].map(([, id]) => id)
          const own = overdue.filter((deal) => deal.owner === owner).map(({ id }) => id)
          assert.sameMembers(listed, own, owner)
        }
      }),
    )

    it.effect("say that a period has not ended, and which days stand beside it", () =>
      Effect.gen(function* () {
        const org = yield* workspace
        assert.include(yield* ask(org, "revenue in Q1 2025 vs Q2 2026"), "in 2026-Q2 so far [2]")
        assert.notInclude(yield* ask(org, "revenue in Q1 2025 vs Q1 2026"), "so far")
        assert.notMatch(yield* ask(org, "revenue in Q1 2026 and Q2 2026 by owner"), /%\)/)
        const compared = yield* ask(org, "revenue by owner this quarter vs last quarter")
        assert.include(compared, "Before: the same days of last quarter.")
      }),
    )

    it.effect("name a first month that the deals cover only in part", () =>
      Effect.gen(function* () {
        const content = yield* ask(yield* workspace, "number of deals created by month")
        const first = deals.map(({ created }) => created).toSorted()[0]!
        const isPartial = Number(first.slice(8)) > 9
        const note = `${first.slice(0, 7)} is not whole: the first deal of this workspace was created on ${first}.`
        if (isPartial) assert.include(content, note)
        else assert.notInclude(content, "is not whole")
      }),
    )
  })
})
