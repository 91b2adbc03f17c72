import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { BATTLECARD } from "../answers/workspace.ts"
import { engines } from "../support/engines.ts"
import { connected, layerServed, Served } from "./served.ts"

for (const engine of engines) {
  describe(`MCP tools for reports on ${engine.name}`, () => {
    layer(layerServed(engine.database), { excludeTestServices: true })((it) => {
      const tools = Effect.fnUntraced(function* (more: object = {}) {
        const { url, mine, other } = yield* Served
        const client = yield* connected(url, yield* mine.key("viewer", more))
        const call = (name: string, args: Record<string, unknown>) =>
          Effect.promise(async () => (await client.callTool({ name, arguments: args })) as any)
        const use = (name: string, args: Record<string, unknown>) =>
          Effect.map(call(name, args), ({ structuredContent, content }) => {
            assert.isDefined(structuredContent, JSON.stringify(content))
            return structuredContent
          })
        return { url, mine, other, call, use }
      })

      it.effect("report_deals computes each group, and links the page that shows it", () =>
        Effect.gen(function* () {
          const { url, use } = yield* tools()
          const report = yield* use("report_deals", {
            measures: ["win_rate", "won", "lost", "amount"],
            group_by: ["competitor"],
            filters: { region: ["EMEA"] },
          })
          assert.deepStrictEqual(
            report.rows.map(({ group, values }: any) => [...group, values.win_rate, values.won, values.lost]),
            [
              ["Orbit", 1, 4, 0],
              ["Zenith Cloud", 0, 0, 2],
            ],
          )
          assert.strictEqual(report.rows[0].text, "Orbit: win rate 100.0 %, won 4, lost 0, amount 40.0 k")
          assert.deepInclude(report.totals.values, { won: 4, lost: 2 })
          assert.deepStrictEqual([report.found, report.more, report.filter], [2, 0, "region EMEA"])
          const page = yield* Effect.promise(() => fetch(report.rows[1].url))
          assert.strictEqual(page.status, 200)
          assert.match(yield* Effect.promise(() => page.text()), /<mark>Zenith Cloud: win rate 0\.0 %/)
          assert.include(report.rows[0].url, new URL(url).host)
        }),
      )

      it.effect("report_features counts mentions, and describe_workspace lists names and days", () =>
        Effect.gen(function* () {
          const { use } = yield* tools()
          const features = yield* use("report_features", { measures: ["mentions", "clients"], group_by: ["feature"] })
          assert.deepStrictEqual([features.found, features.totals.values.mentions], [0, 0])
          const { names, found, documents, created } = yield* use("describe_workspace", {})
          assert.deepStrictEqual([found, documents], [12, 2])
          assert.deepStrictEqual(names.competitors, { total: 2, first: ["Orbit", "Zenith Cloud"] })
          assert.deepStrictEqual(names.stages.first, ["Closed Won (won)", "Closed Lost (lost)"])
          assert.deepStrictEqual(names.regions.first, ["AMER", "EMEA"])
          assert.match(created.from, /^\d{4}-\d\d-\d\d$/)
          assert.deepStrictEqual(Object.keys((yield* use("describe_workspace", { kind: "reasons" })).names), [
            "reasons",
          ])
        }),
      )

      it.effect("read_document reads on from an offset, and only what the key may read", () =>
        Effect.gen(function* () {
          const { use, call, mine, other } = yield* tools()
          const whole = yield* use("read_document", { document_id: mine.battlecard })
          assert.include(whole.document.text, "setup fee")
          assert.deepStrictEqual([whole.length, whole.next], [whole.document.text.length, null])
          const rest = yield* use("read_document", { document_id: mine.battlecard, start: 20 })
          assert.strictEqual(rest.document.text, whole.document.text.slice(20))
          assert.include(BATTLECARD, rest.document.text.slice(0, 30))
          const refusals = [
            yield* call("read_document", { document_id: other.battlecard }),
            yield* call("read_document", { document_id: mine.battlecard, start: 1_000_000 }),
            yield* call("report_deals", { measures: ["win_raet"] }),
            yield* call("report_deals", { measures: ["deals"], filters: { regoin: ["EMEA"] } }),
            yield* call("report_deals", { measures: ["deals"], compare: "previous_year" }),
          ]
          assert.deepStrictEqual(
            refusals.map(({ isError }) => isError),
            refusals.map(() => true),
          )
          const said = refusals.map(({ content }) => content[0].text)
          for (const [n, words] of [/no such document/, /ends at/, /win_rate/, /regoin/, /date filter|both/].entries())
            assert.match(said[n], words)
          const narrow = yield* tools({ permissions: ["documents.read"] })
          const ofDeal = yield* narrow.call("read_document", { document_id: mine.call })
          assert.match(ofDeal.content[0].text, /no such document/)
        }),
      )

      it.effect("search and fetch have the form that connectors of assistants expect", () =>
        Effect.gen(function* () {
          const { url, mine, other } = yield* Served
          const client = yield* connected(url, yield* mine.key("viewer"))
          const use = (name: string, args: Record<string, unknown>) =>
            Effect.promise(async () => (await client.callTool({ name, arguments: args })) as any)
          const found = yield* use("search", { query: "Zenith setup fee" })
          assert.lengthOf(found.content, 1)
          assert.deepStrictEqual(JSON.parse(found.content[0].text), found.structuredContent)
          const { results } = found.structuredContent
          for (const result of results) assert.deepStrictEqual(Object.keys(result), ["id", "title", "url"])
          assert.strictEqual(new Set(results.map(({ id }: any) => id)).size, results.length)
          const card = `sightline://documents/${mine.battlecard}`
          assert.deepInclude(results[0], { id: card, title: "Zenith battlecard.md" })
          assert.strictEqual((yield* Effect.promise(() => fetch(results[0].url))).status, 200)

          const fetched = yield* use("fetch", { id: card })
          assert.deepStrictEqual(JSON.parse(fetched.content[0].text), fetched.structuredContent)
          const { url: link, ...item } = fetched.structuredContent
          const { created_at, ...metadata } = item.metadata
          assert.deepStrictEqual(
            { ...item, metadata },
            {
              id: card,
              title: "Zenith battlecard.md",
              // Headings are text without their marks.
              text: BATTLECARD.replaceAll(/^#+ /gm, ""),
              metadata: { type: "document", document_id: mine.battlecard, competitor_id: "cmp_zenith" },
            },
          )
          assert.match(created_at, /^\d{4}-/)
          assert.strictEqual((yield* Effect.promise(() => fetch(link))).status, 200)
          const call = yield* use("fetch", { id: `sightline://documents/${mine.call}` })
          assert.strictEqual(call.structuredContent.title, "Call.md (Harbor Freight 3)")
          const deal = yield* use("fetch", { id: "sightline://deals/deal_3" })
          assert.strictEqual(deal.structuredContent.title, "Harbor Freight 3")
          assert.include(deal.structuredContent.text, "Zenith Cloud")

          for (const id of [`sightline://documents/${other.battlecard}`, "sightline://deals/none", "Call.md"]) {
            const refused = yield* use("fetch", { id })
            assert.isTrue(refused.isError)
            assert.include(refused.content[0].text, id)
            assert.match(refused.content[0].text, /search/)
          }
          const reader = yield* connected(url, yield* mine.key("member", { permissions: ["documents.read"] }))
          const hidden = yield* Effect.promise(() =>
            reader.callTool({ name: "fetch", arguments: { id: `sightline://documents/${mine.call}` } }),
          )
          assert.isTrue(hidden.isError)
          const library = yield* Effect.promise(() =>
            reader.callTool({ name: "search", arguments: { query: "Zenith Cloud rollout audit log" } }),
          )
          assert.deepStrictEqual(
            (library.structuredContent as any).results.map(({ id }: any) => id),
            [card],
          )
          const asker = yield* connected(url, yield* mine.key("member", { permissions: ["answers.create"] }))
          const listed = yield* Effect.promise(() => asker.listTools())
          assert.deepStrictEqual(
            listed.tools.map(({ name }) => name),
            ["ask"],
          )
        }),
      )
    })
  })
}
