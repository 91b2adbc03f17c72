import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engines } from "../support/engines.ts"
import { layerWeb } from "../support/web.ts"
import { filled, get, imported, send } from "./catalogue.ts"

/** One more than the limit for live counts. */
const MANY = 5001

for (const engine of engines) {
  describe(`deals counted in the workspace on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("reads current entries with cached counts in a large workspace", () =>
        Effect.gen(function* () {
          const stage = { type: "stage", id: "won", name: "Won", category: "won", position: 1 }
          const { key } = yield* filled([stage, ...deals(0, MANY)])
          const before = yield* get("/workspace", key)
          assert.strictEqual(before.stages.data[0].deals, MANY)
          assert.deepStrictEqual(before.regions.data, [{ id: null, name: "EMEA", deals: MANY }])
          yield* send("PUT", "/workspace/stages/won", key, { name: "Closed won" })
          yield* send("PUT", "/workspace/stages/new", key, { name: "New", position: 2 })
          yield* send("PUT", "/workspace", key, { name: "Renamed" })
          yield* imported(key, deals(MANY, 1))
          const after = yield* get("/workspace", key)
          assert.deepStrictEqual(after, {
            ...before,
            settings: { ...before.settings, name: "Renamed" },
            stages: {
              data: [
                { ...before.stages.data[0], name: "Closed won" },
                { id: "new", name: "New", category: "open", position: 2, probability: null, deals: 0 },
              ],
              has_more: false,
            },
          })
          assert.strictEqual((yield* get("/workspace/stages", key)).data[0].deals, MANY + 1)
        }),
      )

      it.effect("counts segments by columns of deals and by related rows", () =>
        Effect.gen(function* () {
          const segments = {
            region: { region: ["EMEA"] },
            "not EMEA": { region: ["EMEA"], region_filter_type: "is not" },
            large: { amount: { min: 5 } },
            won: { status: ["Won"], created_at: { from: "2020-01-01" } },
            rival: { competitors: ["Orvanta"] },
            named: { searchQuery: "Zorgblatt" },
            everything: {},
          }
          const { key } = yield* filled([
            { type: "stage", name: "Won", category: "won", position: 1 },
            { type: "competitor", name: "Orvanta" },
            ...Object.entries(segments).map(([name, filters]) => ({ type: "segment", name, filters })),
            ...Array.from({ length: 8 }, (_, n) => ({
              type: "deal",
              id: `d${n}`,
              name: n === 7 ? "Zorgblatt" : `Deal ${n}`,
              amount: n,
              ...(n < 3 && { region: "EMEA" }),
              ...(n > 5 && { status: "Won" }),
              ...(n === 4 && { competitors: ["Orvanta"] }),
            })),
          ])
          const counted = { region: 3, "not EMEA": 5, large: 3, won: 2, rival: 1, named: 1, everything: 8 }
          for (const path of ["/workspace/segments", "/workspace"]) {
            const found = yield* get(path, key)
            const { data } = path === "/workspace" ? found.segments : found
            const counts = data.map(({ name, deals }: { name: string; deals: number }) => [name, deals])
            assert.deepStrictEqual(Object.fromEntries(counts), counted, path)
          }
        }),
      )
    })
  })
}

const deals = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    type: "deal",
    id: `d${from + n}`,
    name: `Deal ${from + n}`,
    status: "won",
    region: "EMEA",
  }))
