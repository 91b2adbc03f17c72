import assert from "node:assert/strict"
import { section } from "../Check.ts"
import { type Client, type Options, refusal } from "../Client.ts"
import { DEAL_IDS } from "../dataset.ts"

const send = (api: Client, method: string, params: object = {}, { headers, ...options }: Options = {}) =>
  api.request(`${api.origin}/mcp`, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      ...headers,
    },
    ...options,
  })

const call = async (api: Client, name: string, args: object) => {
  const { status, json, text } = await send(api, "tools/call", { name, arguments: args })
  assert.equal(status, 200, text)
  return json.result
}

export const mcp = section("MCP", ["data"], {
  "a client without a session is served in the version it requests": async (api) => {
    for (const version of ["2025-11-25", "2025-06-18"]) {
      const { json, headers } = await send(api, "initialize", {
        protocolVersion: version,
        capabilities: {},
        clientInfo: { name: "conformance", version: "1" },
      })
      assert.equal(json.result.protocolVersion, version)
      assert.equal(json.result.serverInfo.name, "sightline")
      assert.equal(headers.get("mcp-session-id"), null)
    }
  },
  "without a key, the reply says where to sign in, and the description there announces PKCE": async (api) => {
    const { status, headers } = await send(api, "tools/list", {}, { key: null })
    const address = /resource_metadata="([^"]+)"/.exec(headers.get("www-authenticate") ?? "")?.[1]
    assert.equal(status, 401)
    // A host may keep it closed.
    if (address === undefined) return
    const { json: resource } = await api.request(new URL(new URL(address).pathname, api.origin).href, { key: null })
    const issuer = new URL(resource.authorization_servers[0])
    const path = `/.well-known/oauth-authorization-server${issuer.pathname.replace(/\/$/, "")}`
    const { json: server } = await api.request(`${api.origin}${path}`, { key: null })
    assert.equal(server.issuer, resource.authorization_servers[0])
    assert.deepEqual(server.code_challenge_methods_supported, ["S256"])
  },
  "the tools are ask, search, fetch and those of answers; each has input and output schemas and is read-only": async (
    api,
  ) => {
    const { json } = await send(api, "tools/list")
    assert.equal(json.result.tools.length, 15)
    for (const tool of json.result.tools) {
      assert.equal(tool.inputSchema.type, "object", tool.name)
      assert.equal(tool.outputSchema.type, "object", tool.name)
      assert.equal(tool.annotations.readOnlyHint, true, tool.name)
      assert.equal(tool.inputSchema.additionalProperties, false, tool.name)
      assert.doesNotMatch(JSON.stringify(tool.inputSchema), /organi[sz]ation|org_id/)
    }
  },
  "tools find what the API finds": async (api) => {
    const filters = { deal_ids: DEAL_IDS }
    const listed = await api.get("/deals", { deal_ids: DEAL_IDS, count: "true" })
    const counted = await call(api, "count_deals", { filters })
    assert.equal(counted.structuredContent.count, listed.count)
    const found = await call(api, "search_deals", { filters, limit: 1 })
    const [deal] = found.structuredContent.deals
    assert.deepEqual(JSON.parse(found.content[0].text), found.structuredContent)
    const page = await fetch(new URL(deal.url, api.origin))
    assert.equal(page.status, 200)
    const record = await send(api, "resources/read", { uri: `sightline://deals/${encodeURIComponent(deal.id)}` })
    assert.ok(record.json.result.contents[0].text.includes(deal.name))
  },
  "ask answers like POST /responses": async (api) => {
    const question = "How many deals are there?"
    const reply = await api.post("/responses", { messages: [{ role: "user", content: question }] })
    const asked = await call(api, "ask", { question })
    assert.equal(asked.structuredContent.answer, reply.json.message.content)
    assert.deepEqual(asked.structuredContent.tool_calls, reply.json.tool_calls)
  },
  "a misspelt argument is refused and named": async (api) => {
    const refused = await call(api, "count_deals", { filters: { regoin: ["EMEA"] } })
    assert.equal(refused.isError, true)
    assert.match(refused.content[0].text, /regoin/)
  },
  "a missing key is 401, in the API's envelope": async (api) => {
    const reply = await send(api, "ping", {}, { key: null })
    refusal(reply, 401, "unauthorized")
    assert.match(reply.headers.get("www-authenticate") ?? "", /^Bearer/)
  },
  "GET is 405, because the server sends nothing unrequested": async (api) => {
    const reply = await api.request(`${api.origin}/mcp`)
    refusal(reply, 405, "method_not_allowed")
  },
})
