import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeQuestions } from "../../src/core/answers/questions/reply/refusal.ts"
import { text } from "../answers/double.ts"
import { engines } from "../support/engines.ts"
import { until } from "../support/until.ts"
import { layerServed, Served } from "./served.ts"

const VERSION = "2026-07-28"
const META = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientCapabilities": {},
}

type Headers = Record<string, string | undefined>

/** Sends a request as this revision wants it, with changes. */
const ask = (
  method: string,
  params: Record<string, unknown> = {},
  { meta = META, headers = {} }: { readonly meta?: object | undefined; readonly headers?: Headers } = {},
) =>
  Effect.gen(function* () {
    const { url, mine } = yield* Served
    const key = yield* mine.key("viewer")
    const named = params["name"] ?? params["uri"]
    const all: Headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "mcp-protocol-version": VERSION,
      "mcp-method": method,
      ...(named !== undefined && { "mcp-name": String(named) }),
      ...headers,
    }
    const kept = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const body = JSON.stringify({ jsonrpc: "2.0", id: "a", method, params: { ...params, _meta: meta } })
    return yield* Effect.promise(async () => {
      const reply = await fetch(`${url}/mcp`, { method: "POST", headers: kept, body })
      return { status: reply.status, json: (await reply.json()) as any }
    })
  })

const ends: Array<string> = []

const refusal = ({ status, json }: Effect.Success<ReturnType<typeof ask>>) => [status, json.id, json.error?.code]

describe("MCP without a handshake", () => {
  layer(
    layerServed(engines[0].database, (how) => ends.push(how)),
    { excludeTestServices: true },
  )((it) => {
    it.effect("a result is complete, names the server, and says how long one key may keep it", () =>
      Effect.gen(function* () {
        const found = (yield* ask("server/discover")).json.result
        assert.deepStrictEqual(found.supportedVersions, [VERSION])
        assert.deepStrictEqual(found.capabilities, { tools: {}, resources: {} })
        assert.match(found.instructions, /Closed Lost \(lost\)/)
        const { resources } = (yield* ask("resources/list")).json.result
        for (const [method, params] of [
          ["server/discover", {}],
          ["tools/list", {}],
          ["resources/list", {}],
          ["resources/templates/list", {}],
          ["resources/read", { uri: resources[0].uri }],
        ] as const) {
          const { status, json } = yield* ask(method, params)
          assert.deepStrictEqual(
            [status, json.result.resultType, json.result.cacheScope],
            [200, "complete", "private"],
            method,
          )
          assert.isAbove(json.result.ttlMs, 0, method)
          assert.strictEqual(json.result._meta["io.modelcontextprotocol/serverInfo"].name, "sightline", method)
        }
        const called = (yield* ask("tools/call", { name: "count_deals", arguments: {} })).json.result
        assert.deepInclude(called, { resultType: "complete" })
        assert.notProperty(called, "ttlMs")
        assert.deepInclude(called.structuredContent, { count: 12 })
      }),
    )

    it.effect("headers that are missing or unlike the body, and other versions, are refused before any work", () =>
      Effect.gen(function* () {
        const call = (headers: Headers, uri = "sightline://deals/deal_3") => ask("resources/read", { uri }, { headers })
        for (const headers of [
          { "mcp-protocol-version": undefined },
          { "mcp-protocol-version": "2025-11-25" },
          { "mcp-method": undefined },
          { "mcp-method": "RESOURCES/READ" },
          { "mcp-name": undefined },
          { "mcp-name": "sightline://deals/deal_4" },
          { "mcp-name": "=?base64?%%%?=" },
        ])
          assert.deepStrictEqual(refusal(yield* call(headers)), [400, "a", -32020], JSON.stringify(headers))
        const encoded = `=?base64?${btoa("sightline://deals/deal_3")}?=`
        assert.strictEqual((yield* call({ "mcp-name": encoded })).status, 200)

        const newer = { ...META, "io.modelcontextprotocol/protocolVersion": "2030-01-01" }
        const unknown = yield* ask("tools/list", {}, { meta: newer, headers: { "mcp-protocol-version": "2030-01-01" } })
        assert.deepStrictEqual(refusal(unknown), [400, "a", -32022])
        assert.deepStrictEqual(unknown.json.error.data, { supported: [VERSION], requested: "2030-01-01" })

        for (const [name, meta] of [
          ["none", undefined],
          ["no version", { "io.modelcontextprotocol/clientCapabilities": {} }],
          ["no capabilities", { "io.modelcontextprotocol/protocolVersion": VERSION }],
          ["a list of capabilities", { ...META, "io.modelcontextprotocol/clientCapabilities": [] }],
        ] as const)
          assert.deepStrictEqual(refusal(yield* ask("tools/list", {}, { meta: meta ?? {} })), [400, "a", -32602], name)
      }),
    )

    it.effect("a question with several readings asks the person by a form, once, if the client shows forms", () =>
      Effect.gen(function* () {
        const [first, second] = ["two *stars*", "three"].map((answer) => JSON.stringify([text(answer)]))
        const asked = `**2** by day, **3** by month: which do you mean?\n\n${writeQuestions([first!, second!])}`
        const call = (elicitation: object | undefined, more: object = {}) =>
          Effect.map(
            ask(
              "tools/call",
              { name: "ask", arguments: { question: JSON.stringify([text(asked)]) }, ...more },
              { meta: { ...META, "io.modelcontextprotocol/clientCapabilities": { elicitation } } },
            ),
            ({ json }) => json.result,
          )
        for (const forms of [{}, { form: {} }, { form: {}, url: {} }]) {
          const { _meta, ...request } = yield* call(forms)
          assert.deepStrictEqual(request, {
            resultType: "input_required",
            inputRequests: {
              reading: {
                method: "elicitation/create",
                params: {
                  mode: "form",
                  message: "2 by day, 3 by month: which do you mean?",
                  requestedSchema: {
                    type: "object",
                    properties: { reading: { type: "string", title: "Your question", enum: [first, second] } },
                    required: ["reading"],
                  },
                },
              },
            },
          })
        }
        const said = (result: any) => [result.resultType, result.content[0].text]
        const answer = (response: unknown) => call({}, { inputResponses: { reading: response } })
        for (const [question, reply] of [
          [first, "two *stars*"],
          [JSON.stringify([text(asked)]), asked],
        ])
          assert.deepStrictEqual(
            said(yield* answer({ action: "accept", content: { reading: question } })),
            ["complete", reply],
            reply,
          )
        // Without a form, and where the person or the client does not choose, in words.
        for (const words of [
          yield* call(undefined),
          yield* call({ url: {} }),
          yield* answer({ action: "decline" }),
          yield* answer({ action: "cancel", content: { reading: first } }),
          yield* answer({ action: "accept", content: { reading: 7 } }),
          yield* answer("accept"),
          yield* call({}, { inputResponses: [] }),
        ])
          assert.deepStrictEqual(said(words), ["complete", asked])
        const empty = yield* answer({ action: "accept", content: { reading: "" } })
        assert.deepStrictEqual([empty.isError, /question/.test(empty.content[0].text)], [true, true])
      }),
    )

    it.effect("a caller that closes the stream of a reply ends the work", () =>
      Effect.gen(function* () {
        const { url, mine } = yield* Served
        const key = yield* mine.key("viewer")
        ends.length = 0
        const params = { name: "ask", arguments: { question: '[{"hold":"nobody releases this"}]' }, _meta: META }
        yield* Effect.promise(async () => {
          const gone = new AbortController()
          const headers = {
            authorization: `Bearer ${key}`,
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            "mcp-protocol-version": VERSION,
            "mcp-method": "tools/call",
            "mcp-name": "ask",
          }
          const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
          const reply = await fetch(`${url}/mcp`, { method: "POST", headers, body, signal: gone.signal })
          assert.match(reply.headers.get("content-type") ?? "", /^text\/event-stream/)
          assert.strictEqual(reply.headers.get("x-accel-buffering"), "no")
          assert.deepStrictEqual(ends, [])
          gone.abort()
          await until("the answer ends", () => ends.length > 0)
        })
        assert.deepStrictEqual(ends, ["interrupted"])
      }),
    )

    it.effect("methods of the handshake do not exist, and an unknown resource is an invalid parameter", () =>
      Effect.gen(function* () {
        for (const method of ["initialize", "ping", "logging/setLevel", "resources/subscribe", "rm"])
          assert.deepStrictEqual(refusal(yield* ask(method)), [404, "a", -32601], method)
        const missing = yield* ask("resources/read", { uri: "sightline://deals/none" })
        assert.deepStrictEqual(refusal(missing), [200, "a", -32602])
        assert.deepStrictEqual(missing.json.error.data, { uri: "sightline://deals/none" })
      }),
    )
  })
})
