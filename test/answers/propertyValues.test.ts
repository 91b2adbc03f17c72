import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { DealQuestions } from "../../src/core/answers/DealQuestions.ts"
import { layerDealQuestions } from "../../src/core/answers/questions/layerDealQuestions.ts"
import { Import } from "../../src/core/import/Import.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"
import { deals, records } from "./dealQuestions.ts"

const PROPERTY = { crm: "crm_one", object: "deal", id: "source", label: "Lead source", data_type: "text" }
const fromEvents = deals.filter(({ id }) => id.endsWith("3"))

for (const engine of engines) {
  const harness = Layer.unwrap(
    Effect.sync(() => layerDealQuestions.pipe(Layer.provideMerge(layerWeb(engine.database)))),
  )
  describe(`values of CRM properties on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      it.effect("are found in the plural too: left out, the answer would count all deals", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const imported = [
            ...records(),
            { type: "crm_property", ...PROPERTY },
            ...fromEvents.map(({ id }) => ({ type: "deal", id, crm_properties: { source: "Trade event" } })),
          ]
          const report = yield* (yield* Import).records(org, Stream.fromIterable(imported))
          assert.strictEqual(report.failed, 0, JSON.stringify(report.errors[0]))
          const won = fromEvents.filter(({ outcome }) => outcome === "won").length
          assert.isAbove(won, 0)
          for (const from of ["from a trade event", "from trade events"]) {
            const content = `How many deals ${from} did we win?`
            const found = yield* (yield* DealQuestions).answer(org, [{ role: "user", content }])
            const { events } = Option.getOrThrow(found)
            const said = events.map((event) => (event.type === "content_delta" ? event.content : "")).join("")
            assert.match(said, new RegExp(`^\\*\\*${won} won deals?\\*\\*`), from)
          }
        }),
      )
    })
  })
}
