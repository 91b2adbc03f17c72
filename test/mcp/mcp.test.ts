import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { cite, link, release, type Step, text } from "../answers/double.ts"
import { BATTLECARD, CALL } from "../answers/workspace.ts"
import { engines } from "../support/engines.ts"
import { untilEffect } from "../support/until.ts"
import { connected, layerServed, Served } from "./served.ts"

const post = (url: string, key: string, body: unknown, headers: Record<string, string> = {}) =>
  Effect.promise(async () => {
    const reply = await fetch(`${url}/mcp`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    })
    const text = await reply.text()
    // A reply that takes more than two seconds is the last event of a stream.
    const isStream = reply.headers.get("content-type")?.startsWith("text/event-stream")
    const json = isStream ? text.slice(text.lastIndexOf("data: ") + 6) : text
    return { status: reply.status, headers: reply.headers, json: json === "" ? undefined : JSON.parse(json) }
  })

const HANG_MS = 600_000

const call = (name: string, args: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args },
})

for (const engine of engines) {
  describe(`MCP on ${engine.name}`, () => {
    layer(layerServed(engine.database), { excludeTestServices: true })((it) => {
      it.effect("a client lists and calls the tools, with links that open the cited place", () =>
        Effect.gen(function* () {
          const { url, mine } = yield* Served
          const client = yield* connected(url, yield* mine.key("viewer"))
          assert.match(client.getInstructions() ?? "", /Closed Lost \(lost\)/)
          const { tools } = yield* Effect.promise(() => client.listTools())
          assert.deepStrictEqual(tools.map(({ name }) => name).toSorted(), [
            "ask",
            "count_deals",
            "describe_workspace",
            "fetch",
            "get_assets",
            "read_document",
            "report_deals",
            "report_features",
            "search",
            "search_across_deals",
            "search_competitors",
            "search_deal_documents",
            "search_deals",
            "search_knowledge_base",
            "select_deal",
          ])
          for (const tool of tools) {
            assert.isTrue(tool.annotations?.readOnlyHint, tool.name)
            assert.strictEqual(tool.inputSchema.additionalProperties, false, tool.name)
          }
          const use = (name: string, args: Record<string, unknown>) =>
            Effect.promise(async () => (await client.callTool({ name, arguments: args })).structuredContent as any)

          const card = yield* use("search_knowledge_base", { query: "price per seat", competitor: "zenith cloud" })
          assert.strictEqual(card.passages[0].document_id, mine.battlecard)
          assert.include(BATTLECARD, card.passages[0].text)
          const page = yield* Effect.promise(() => fetch(new URL(card.passages[0].url, url)))
          assert.strictEqual(page.status, 200)

          const heard = yield* use("search_deal_documents", { query: "rollout October", deal_id: "deal_3" })
          assert.deepInclude(heard.passages[0], { document_id: mine.call, deal_id: "deal_3" })
          const across = yield* use("search_across_deals", {
            query: "audit log",
            filters: { status: ["Closed Lost"], competitors: ["Zenith Cloud"] },
          })
          assert.strictEqual(across.deals, 4)
          assert.strictEqual(across.passages[0].document_id, mine.call)
          const elsewhere = yield* use("search_across_deals", {
            query: "audit log",
            filters: { status: ["Closed Won"] },
          })
          assert.notInclude(JSON.stringify(elsewhere), mine.call)

          const lost = yield* use("search_deals", { filters: { status: ["lost"] }, sort: "amount", limit: 2 })
          assert.deepStrictEqual([lost.found, lost.total], [2, 4])
          assert.strictEqual(lost.deals[0].name, "Harbor Freight 9")
          assert.strictEqual((yield* Effect.promise(() => fetch(new URL(String(lost.deals[0].url), url)))).status, 200)
          assert.deepInclude(yield* use("count_deals", { filters: { region: ["EMEA"] } }), { found: 6, count: 6 })
          const one = yield* use("select_deal", { name: "Harbor Freight 3" })
          assert.strictEqual(one.deal.id, "deal_3")
          assert.include(one.record, "Zenith Cloud")
          const several = yield* Effect.promise(() =>
            client.callTool({ name: "select_deal", arguments: { name: "Harbor Freight" } }),
          )
          assert.isTrue(several.isError)
          assert.match(JSON.stringify(several.content), /give the deal_id of one: deal_\d+ \(Harbor Freight \d+\), /)
          const rivals = yield* use("search_competitors", { name: "zen" })
          assert.deepInclude(rivals.competitors[0], { name: "Zenith Cloud", deals: 4, won: 0, lost: 4 })
          const assets = yield* use("get_assets", { competitor: "cmp_zenith", document_type: "intel" })
          assert.deepInclude(assets.assets[0], { document_id: mine.battlecard, competitor_name: "Zenith Cloud" })
        }),
      )

      it.effect("ask answers with citations as structured content", () =>
        Effect.gen(function* () {
          const { url, mine } = yield* Served
          const client = yield* connected(url, yield* mine.key("viewer"))
          const question = JSON.stringify([cite(1), text(`So it is ${link(1)}.`)])
          const reply = yield* Effect.promise(() => client.callTool({ name: "ask", arguments: { question } }))
          assert.deepStrictEqual(reply.content, [{ type: "text", text: `So it is ${link(1)}.` }])
          const { citations, answer } = reply.structuredContent as any
          assert.deepStrictEqual(citations, [cite(1).citation])
          assert.strictEqual(answer, `So it is ${link(1)}.`)
          const left = JSON.stringify([text("So it is."), { type: "withheld" }] satisfies ReadonlyArray<Step>)
          const short = yield* Effect.promise(() => client.callTool({ name: "ask", arguments: { question: left } }))
          assert.match((short.content as [{ text: string }])[0].text, /^So it is\.\n\nSightline left out 1 sentence/)
          assert.include(short.structuredContent, { answer: "So it is.", withheld: 1 })
        }),
      )

      it.effect("a slow answer reports progress, and a later failure is an error", () =>
        Effect.gen(function* () {
          const { url, mine } = yield* Served
          const client = yield* connected(url, yield* mine.key("viewer"))
          const progress: Array<number> = []
          /** The answer goes on to its end when the client has heard of three pieces. */
          const asking = (hold: string, end: Step) => {
            const steps: ReadonlyArray<Step> = [{ repeat: 3, every: 0, content: "x. " }, { hold }, end]
            return client.callTool({ name: "ask", arguments: { question: JSON.stringify(steps) } }, undefined, {
              onprogress: (told) => {
                progress.push(told.progress)
                if (told.progress === 3) release(hold)
              },
              timeout: HANG_MS,
            })
          }
          const reply = yield* Effect.promise(() => asking(`${engine.name} ends`, text("The end.")))
          assert.match((reply.content as [{ text: string }])[0].text, /3 x\. The end\.$/)
          assert.deepStrictEqual(progress.slice(0, 3), [1, 2, 3])
          const failed = yield* Effect.promise(() =>
            asking(`${engine.name} fails`, { fail: "unavailable" }).catch((error: Error) => error),
          )
          assert.match(String(failed), /-32603.*unreachable/)
          const soon = yield* post(
            url,
            yield* mine.key("viewer"),
            call("ask", { question: '[{"fail":"unavailable"}]' }),
          )
          assert.deepStrictEqual([soon.status, soon.json.error.code], [503, "service_unavailable"])
        }),
      )

      it.effect("documents and deals can be read as resources", () =>
        Effect.gen(function* () {
          const { url, mine } = yield* Served
          const client = yield* connected(url, yield* mine.key("viewer"))
          const { resources } = yield* Effect.promise(() => client.listResources())
          assert.sameMembers(
            resources.map(({ name }) => name),
            ["Zenith battlecard.md", "Call.md"],
          )
          const { resourceTemplates } = yield* Effect.promise(() => client.listResourceTemplates())
          assert.deepStrictEqual(
            resourceTemplates.map(({ uriTemplate }) => uriTemplate),
            ["sightline://documents/{id}", "sightline://deals/{id}"],
          )
          const read = (uri: string) =>
            Effect.promise(async () => ((await client.readResource({ uri })).contents[0] as { text: string }).text)
          assert.include(yield* read(`sightline://documents/${mine.call}`), CALL.split("\n")[1] ?? "")
          assert.include(yield* read("sightline://deals/deal_3"), "Harbor Freight 3")
        }),
      )

      it.effect("no tool or resource reveals another organization", () =>
        Effect.gen(function* () {
          const { url, mine, other } = yield* Served
          const key = yield* mine.key("owner")
          const replies = [
            yield* post(url, key, call("search_deal_documents", { query: "rollout audit log Zenith" })),
            yield* post(url, key, call("get_assets", {})),
            yield* post(url, key, { jsonrpc: "2.0", id: 1, method: "resources/list" }),
          ]
          for (const { json } of replies) {
            assert.isDefined(json.result)
            for (const id of [other.org, other.battlecard, other.call]) assert.notInclude(JSON.stringify(json), id)
          }
          const read = (uri: string) =>
            post(url, key, { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } })
          for (const uri of [
            `sightline://documents/${other.call}`,
            "sightline://documents/%00",
            "file:///etc/passwd",
            "sightline://deals/%E0%A4",
          ]) {
            const { json } = yield* read(uri)
            assert.deepStrictEqual(json.error, { code: -32002, message: "this resource does not exist", data: { uri } })
          }
          const org = yield* post(url, key, call("count_deals", { organization_id: other.org }))
          assert.isTrue(org.json.result.isError)
          assert.match(org.json.result.content[0].text, /organization_id/)
        }),
      )

      it.effect("keys, permissions, limits and error envelopes equal those of the API", () =>
        Effect.gen(function* () {
          const { url, mine } = yield* Served
          const ping = { jsonrpc: "2.0", id: "p", method: "ping" }
          const unknown = yield* post(url, "sl_live_wrong", ping)
          assert.strictEqual(unknown.status, 401)
          assert.match(unknown.headers.get("www-authenticate") ?? "", /^Bearer/)
          assert.strictEqual(unknown.json.error.code, "unauthorized")

          const narrow = yield* mine.key("member", { permissions: ["deals.read"] })
          const forbidden = yield* post(url, narrow, call("search_knowledge_base", { query: "price" }))
          assert.strictEqual(forbidden.status, 403)
          assert.match(forbidden.json.error.message, /read documents/)
          assert.strictEqual((yield* post(url, narrow, call("ask", { question: "x" }))).status, 403)
          const listed = yield* post(url, narrow, { jsonrpc: "2.0", id: 1, method: "tools/list" })
          assert.sameMembers(
            listed.json.result.tools.map(({ name }: { name: string }) => name),
            [
              "search_deals",
              "select_deal",
              "search_competitors",
              "count_deals",
              "report_deals",
              "report_features",
              "describe_workspace",
              "search",
              "fetch",
            ],
          )

          const reader = yield* mine.key("member", { permissions: ["documents.read"] })
          const begun = yield* post(url, reader, { ...ping, method: "initialize", params: {} })
          assert.notInclude(begun.json.result.instructions, "Closed Lost")
          const records = yield* post(url, reader, call("search_deal_documents", { query: "price" }))
          assert.match(records.json.error.message, /read deals/)
          assert.strictEqual((yield* post(url, reader, call("search_knowledge_base", { query: "price" }))).status, 200)

          const minute = () => Math.floor(Date.now() / 60_000)
          const thrice = Effect.gen(function* () {
            const slow = yield* mine.key("viewer", { requestsPerMinute: 2 })
            const began = minute()
            const replies = [yield* post(url, slow, ping), yield* post(url, slow, ping), yield* post(url, slow, ping)]
            return minute() === began && replies
          })
          const replies = yield* untilEffect("three requests in one minute of the clock", thrice)
          assert.deepStrictEqual(
            replies.map(({ status }) => status),
            [200, 200, 429],
          )
          assert.strictEqual(replies[0]?.headers.get("x-ratelimit-limit"), "2")
          assert.isNotNull(replies[2]?.headers.get("retry-after"))
          assert.strictEqual(replies[2]?.json.error.details.scope, "key")
        }),
      )

      it.effect("invalid messages, methods and origins are refused as the protocol requires", () =>
        Effect.gen(function* () {
          const { url, mine } = yield* Served
          const key = yield* mine.key("viewer")
          const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
          const code = (reply: { readonly json: any }) => reply.json.error.code
          assert.deepStrictEqual(code(yield* post(url, key, "{")), -32700)
          for (const wrong of [[ping, ping], { ...ping, params: [1] }, { ...ping, id: 2 ** 53 }]) {
            const refused = yield* post(url, key, wrong)
            assert.deepStrictEqual([refused.status, code(refused)], [400, -32600])
          }
          const unknown = yield* post(url, key, { ...ping, method: "prompts/list" })
          assert.deepInclude(unknown.json.error, { code: -32601, message: 'there is no method "prompts/list"' })
          const noTool = yield* post(url, key, call("rm", {}))
          assert.deepInclude(noTool.json.error, {
            code: -32602,
            message: 'there is no tool "rm"; tools/list names the tools',
          })
          assert.strictEqual(
            (yield* post(url, key, { jsonrpc: "2.0", method: "notifications/initialized" })).status,
            202,
          )
          assert.strictEqual((yield* post(url, key, ping, { origin: "http://evil.test" })).status, 403)
          assert.strictEqual((yield* post(url, key, ping, { origin: "http://localhost:6274" })).status, 200)
          assert.strictEqual((yield* post(url, key, ping, { "mcp-protocol-version": "1999-01-01" })).status, 400)
          assert.strictEqual((yield* post(url, key, ping, { "content-type": "text/plain" })).status, 415)
          assert.strictEqual((yield* post(url, key, ping, { accept: "text/html" })).status, 406)
          assert.strictEqual((yield* post(url, key, call("count_deals", { pad: "x".repeat(1_100_000) }))).status, 413)
          const get = yield* Effect.promise(() => fetch(`${url}/mcp`))
          assert.deepStrictEqual([get.status, get.headers.get("allow")], [405, "POST, OPTIONS"])
          for (const params of [undefined, {}, { uri: { toString: 1 } }])
            assert.strictEqual(code(yield* post(url, key, { ...ping, method: "resources/read", params })), -32602)
          const paged = { ...ping, method: "resources/list", params: { cursor: { toString: 1 } } }
          assert.strictEqual(code(yield* post(url, key, paged)), -32602)
          const older = yield* post(url, key, {
            ...ping,
            method: "initialize",
            params: { protocolVersion: "2025-03-26" },
          })
          assert.strictEqual(older.json.result.protocolVersion, "2025-03-26")
          const forgiven = yield* post(url, key, call("count_deals", '{"filters":{"region":"EMEA"}}' as never))
          assert.deepInclude(forgiven.json.result.structuredContent, { found: 6, count: 6 })
          const unasked = yield* post(url, key, call("ask", { question: null }))
          assert.match(unasked.json.result.content[0].text, /missing: question/)
          const wrong = yield* post(url, key, call("search_deals", { filters: { amount: { min: 5, max: 1 } } }))
          assert.match(wrong.json.result.content[0].text, /min no greater than max/)
        }),
      )
    })
  })
}
