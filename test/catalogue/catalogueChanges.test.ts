import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { layerWeb } from "../support/web.ts"
import { dealsWith, filled, get, imported, send } from "./catalogue.ts"

for (const engine of engines) {
  describe(`changes of the workspace on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("creates an entry, changes the given fields, and deletes it", () =>
        Effect.gen(function* () {
          const { key } = yield* filled()
          for (const [kind, body, more] of [
            ["stages", { name: "Legal" }, { category: "open", position: 0, probability: null }],
            ["competitors", { name: "Calyptus" }, { website_url: null, aliases: [] }],
            ["reasons", { name: "Timing", category: "Buyer" }, { aliases: [] }],
            ["features", { name: "Offline", product: "Flow" }, { description: null, product_area: null, aliases: [] }],
            ["segments", { name: "Large", filters: { amount: { min: 100 } } }, {}],
            ["metrics", { name: "Urgency" }, { question: null, filters: {} }],
            ["answers", { name: "Next step" }, { question: null, form: null, options: [], filters: {} }],
          ] as const) {
            const made = yield* send("PUT", `/workspace/${kind}/x1`, key, body)
            assert.deepStrictEqual([made.status, made.json], [201, { id: "x1", ...body, ...more, deals: 0 }], kind)
            const renamed = yield* send("PUT", `/workspace/${kind}/x1`, key, { name: "Renamed" })
            assert.deepStrictEqual([renamed.status, renamed.json], [200, { ...made.json, name: "Renamed" }], kind)
            assert.deepInclude((yield* get(`/workspace/${kind}?searchQuery=Renamed`, key)).data, renamed.json)
            assert.strictEqual((yield* send("DELETE", `/workspace/${kind}/x1`, key)).status, 204, kind)
            assert.strictEqual((yield* send("DELETE", `/workspace/${kind}/x1`, key)).status, 404, kind)
          }
        }),
      )

      it.effect("refuses fields of other kinds, a new entry without a name, and a duplicate name", () =>
        Effect.gen(function* () {
          const { key } = yield* filled()
          const reasons = (reply: { json: any }) => reply.json.error.details.invalid_fields
          const wrong = yield* send("PUT", "/workspace/competitors/orvanta", key, { position: 3, category: "open" })
          assert.deepStrictEqual(
            [wrong.status, reasons(wrong).map(({ field }: { field: string }) => field)],
            [400, ["category", "position"]],
          )
          assert.strictEqual((yield* send("PUT", "/workspace/stages/won", key, { category: "maybe" })).status, 400)
          const nameless = yield* send("PUT", "/workspace/stages/x1", key, { category: "open" })
          assert.deepStrictEqual([nameless.status, reasons(nameless)[0].field], [400, "name"])
          const property = yield* send("PUT", "/workspace/segments/emea", key, {
            filters: { crm_filters: [{ property: "unknown", operator: "is", value: "x" }] },
          })
          assert.strictEqual(property.status, 400, property.text)
          const taken = yield* send("PUT", "/workspace/stages/x1", key, { name: "WON" })
          assert.strictEqual(taken.status, 409)
          assert.include(taken.json.error.message, "'won'")
          assert.strictEqual((yield* send("PUT", "/workspace/stages/won", key, { name: "WON" })).status, 200)
          const another = { name: "Single sign-on", product: "Ledger" }
          assert.strictEqual((yield* send("PUT", "/workspace/features/sso2", key, another)).status, 201)
          assert.strictEqual(
            (yield* send("PUT", "/workspace/features/sso3", key, { ...another, product: "ledger" })).status,
            409,
          )
        }),
      )

      it.effect("refuses to delete entries in use by deals, documents or segments, with the counts", () =>
        Effect.gen(function* () {
          const { key } = yield* filled()
          const upload = yield* send("POST", "/documents/library", key, {
            type: "intel",
            competitor_id: "orvanta",
            file_name: "a.md",
            content_type: "text/markdown",
            file_base64: btoa("# Orvanta\n\nTheir price list."),
          })
          assert.strictEqual(upload.status, 200, upload.text)
          for (const [path, uses] of [
            ["stages/won", { deals: 2, documents: 0, segments: 1 }],
            ["stages/new", { deals: 1, documents: 0, segments: 0 }],
            ["competitors/orvanta", { deals: 3, documents: 1, segments: 0 }],
            ["reasons/price", { deals: 2, documents: 0, segments: 0 }],
            ["features/sso", { deals: 1, documents: 0, segments: 0 }],
            ["metrics/champion", { deals: 2, documents: 0, segments: 0 }],
            ["answers/why", { deals: 1, documents: 0, segments: 0 }],
          ] as const) {
            const reply = yield* send("DELETE", `/workspace/${path}`, key)
            assert.deepStrictEqual([reply.status, reply.json.error.details], [409, uses], path)
            assert.include(reply.json.error.message, `${uses.deals} deal`, path)
          }
          const { json } = yield* send("DELETE", "/workspace/competitors/orvanta", key)
          assert.strictEqual(
            json.error.message,
            "the competitor 'Orvanta' is used by 3 deals and 1 document: change or delete those first",
          )
          assert.strictEqual((yield* send("DELETE", "/workspace/segments/emea", key)).status, 204)
          assert.strictEqual((yield* send("DELETE", "/workspace/competitors/nimbrel", key)).status, 204)
        }),
      )

      it.effect("a renamed stage keeps its deals in lists, filters and segments that named it", () =>
        Effect.gen(function* () {
          const { key } = yield* filled()
          const named = { name: "Won ones", filters: { status: ["WON", "new"] } }
          assert.strictEqual((yield* send("PUT", "/workspace/segments/named", key, named)).status, 201)
          const renamed = yield* send("PUT", "/workspace/stages/won", key, { name: "Signed" })
          assert.deepStrictEqual([renamed.json.deals, renamed.json.category], [2, "won"])
          const [deal] = yield* get(
            `/deals?${new URLSearchParams({ deal_ids: '["d2"]', columns: "deal_status" })}`,
            key,
          )
          assert.deepStrictEqual(deal, { id: "d2", deal_status: "Signed" })
          assert.deepStrictEqual(yield* dealsWith(key, { status: '["signed"]' }), ["d2", "d3"])
          assert.deepStrictEqual(yield* dealsWith(key, { segment_ids: '["named"]' }), ["d1", "d2", "d3"])
          const { data } = yield* get("/workspace/segments?searchQuery=Won%20ones", key)
          assert.deepStrictEqual(data[0].filters, { status: ["won", "new"] })
          // An import can rename it too.
          yield* imported(key, [{ type: "stage", id: "new", name: "Discovery" }])
          assert.deepStrictEqual(yield* dealsWith(key, { segment_ids: '["named"]' }), ["d1", "d2", "d3"])
        }),
      )

      it.effect("a renamed competitor and reason show in the default columns", () =>
        Effect.gen(function* () {
          const { key } = yield* filled()
          yield* get("/deals", key)
          yield* send("PUT", "/workspace/competitors/orvanta", key, { name: "Orvanta AG" })
          yield* send("PUT", "/workspace/reasons/price", key, { name: "Cost", category: "Money" })
          const deal = (yield* get("/deals", key)).find(({ id }: { id: string }) => id === "d2")
          assert.strictEqual(deal.deal_competitor_associations[0].competitor_name, "Orvanta AG")
          assert.deepInclude(deal.drivers[0], { name: "Cost", category: "Money" })
        }),
      )

      it.effect("records changes with their actor in the audit log, and no unchanged writes", () =>
        Effect.gen(function* () {
          const { org, key } = yield* filled()
          yield* send("PUT", "/workspace", key, { currency: "EUR" })
          yield* send("PUT", "/workspace/stages/x1", key, { name: "Legal" })
          yield* send("PUT", "/workspace/stages/x1", key, { name: "Legal" })
          yield* send("DELETE", "/workspace/stages/x1", key)
          yield* send("DELETE", "/workspace/stages/won", key)
          const database = yield* Database
          const acts = yield* database.transaction(
            org,
            database.sql<{ action: string; target: string | null; details: object }>`
              select action, target, details from audit_log where org_id = ${org}
                and (action like 'workspace.%' or action like 'catalogue.%') order by action desc`,
          )
          assert.deepStrictEqual(
            acts.map(({ action, target, details }) => [action, target, details]),
            [
              ["workspace.updated", null, { settings: ["currency"] }],
              ["catalogue.updated", "x1", { kind: "stages", result: "created" }],
              ["catalogue.deleted", "x1", { kind: "stages", name: "Legal" }],
            ],
          )
        }),
      )
    })
  })
}
