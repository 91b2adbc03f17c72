import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { inSectionOrder, SUMMARY_SECTIONS } from "../../src/core/deals/columns/summary.ts"
import { ViewerLinks } from "../../src/core/library/viewer/ViewerLinks.ts"
import { Import } from "../../src/core/import/Import.ts"
import { runExport, parseCsv } from "../exports/support.ts"
import { engines } from "../support/engines.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { layerWeb, Web } from "../support/web.ts"

const EXPECTED = [...SUMMARY_SECTIONS, "zz_own", "a_own"]

/** Sections in another order, with unknown keys among them. */
const scrambled = (keys: ReadonlyArray<string>) =>
  Object.fromEntries(keys.map((key) => [key, key === "key_quotes" ? [`“${key}” said`] : `Text of ${key}.`]))

describe("the order of a summary's sections", () => {
  it("is that of the specification, then other keys as given, for any input order", () => {
    const random = makeRandom(seedOfRun("sections of summaries"))
    for (let round = 0; round < 200; round++) {
      const keys = random.some(EXPECTED, 0, EXPECTED.length)
      const known = SUMMARY_SECTIONS.filter((name) => keys.includes(name))
      const others = keys.filter((key) => key.endsWith("_own"))
      const given = scrambled(keys)
      const ordered = inSectionOrder(given)
      assert.deepStrictEqual(Object.keys(ordered), [...known, ...others])
      assert.deepStrictEqual(ordered, given)
    }
  })
})

for (const engine of engines) {
  describe(`summaries on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("have their sections in order in the API, exports and the viewer", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, key } = yield* web.tenant()
          const summary = scrambled(["key_quotes", "zz_own", ...SUMMARY_SECTIONS.toReversed(), "a_own"])
          const report = yield* (yield* Import).records(
            org,
            Stream.fromIterable([
              { type: "deal", id: "d1", name: "One", summary },
              { type: "deal", id: "d2", name: "Two", summary: "An older summary." },
              { type: "deal", id: "d3", name: "Three" },
            ]),
          )
          assert.strictEqual(report.failed, 0, JSON.stringify(report.errors))
          for (const path of ["/deals/d1?columns=summary", "/deals/d1"]) {
            const { json } = yield* web.request(`/api/v1${path}`, key)
            assert.deepStrictEqual(Object.keys(json.summary), EXPECTED)
            assert.deepStrictEqual(json.summary, summary)
          }
          const patched = yield* web.request("/api/v1/deals/d3", key, {
            method: "PATCH",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ summary }),
          })
          assert.deepStrictEqual(Object.keys(patched.json.summary), EXPECTED)

          const { text } = yield* runExport(key, { columns: ["id", "summary"] })
          const cells = new Map(parseCsv(text).rows.map(([id, cell]) => [id, cell ?? ""]))
          assert.deepStrictEqual(Object.keys(JSON.parse(cells.get("d1") ?? "")), EXPECTED)
          assert.strictEqual(cells.get("d2"), '"An older summary."')

          const page = yield* web.request(yield* (yield* ViewerLinks).dealUrl(org, "d1", { start: 0, end: 3 }), "")
          const titles = [...page.text.matchAll(/<h\d[^>]*>(?:<[^>]*>)*([^<]+)/g)].map(([, title]) => title)
          assert.deepStrictEqual(titles.slice(2), [
            "Executive summary",
            "Deal overview",
            "Decision drivers",
            "Competitive landscape",
            "Key quotes",
            "Lessons learned",
            "Recommendations",
            "Zz own",
            "A own",
          ])
        }),
      )
    })
  })
}
