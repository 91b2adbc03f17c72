import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll } from "vitest"
import { layerTokens } from "../../src/core/access/layerTokens.ts"
import { PERMISSION_NAMES } from "../../src/core/access/permissions.ts"
import { type NewToken, Tokens } from "../../src/core/access/Tokens.ts"
import { ApiKeys, type InvalidOptions, open, Organizations, type Sightline } from "../../src/core/Sightline.ts"
import { unpack, unseal } from "../../src/core/signing/token.ts"
import { SigningKeys } from "../../src/core/signing/SigningKeys.ts"
import { layerLibrary } from "../../src/adapters/library.ts"
import { layerEmbedded } from "../support/embedded.ts"
import { atTime } from "../support/fixedClock.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const SITE = "https://app.example"
const OPERATOR_KEY = "o".repeat(32)
const METRICS_KEY = "m".repeat(32)
const HOUR_MS = 3_600_000

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: any
}

describe("a token for a page of the host", () => {
  let sightline: Sightline
  const ada = { organization: "acme", role: "owner", identity: { id: "ada", name: "Ada" } } as const
  const bob = { organization: "acme", role: "viewer", identity: { id: "bob", name: "Bob" } } as const

  beforeAll(async () => {
    sightline = await open({
      database: layerEmbedded,
      library: layerLibrary(),
      signingSecret: "s".repeat(32),
      operatorKey: OPERATOR_KEY,
      metricsKey: METRICS_KEY,
      corsOrigins: [SITE],
      console: async () => ({ "index.html": "<!doctype html>" }),
      background: false,
      // A host with bearer tokens and a cookie of its own.
      principal: ({ headers }) =>
        headers.get("authorization") === "Bearer eyJ.of.the.host" || headers.get("cookie") === "session=ada"
          ? ada
          : undefined,
    })
    await sightline.ready({ seconds: 600 })
    for (const id of ["acme", "other"])
      await sightline.run(Organizations.use(({ create }) => create({ id, name: id, plan: UNLIMITED })))
  })
  afterAll(() => sightline.dispose())

  const send = async (path: string, init: RequestInit & { headers?: object } = {}): Promise<Reply> => {
    const reply = await sightline.handler(new Request(new URL(path, SITE), init as RequestInit))
    const text = await reply.text()
    const isJson = reply.headers.get("content-type")?.startsWith("application/json") && text !== ""
    return { status: reply.status, headers: reply.headers, text, json: isJson ? JSON.parse(text) : undefined }
  }
  const get = (token: string, path: string, headers: object = {}) =>
    send(`/api/v1${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } })
  const post = (token: string, path: string, body: unknown = {}, headers: object = {}) =>
    send(path.startsWith("/api") || path === "/mcp" || path === "/console/session" ? path : `/api/v1${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    })
  const refuses = async (reply: Promise<Reply>, reason: string) => {
    const { status, json, headers } = await reply
    assert.strictEqual(status, 401)
    assert.deepStrictEqual([json.error.code, json.error.details], ["unauthorized", { reason }])
    assert.strictEqual(headers.get("www-authenticate"), "Bearer")
  }
  const who = async (token: string, headers: object = {}) => {
    const { status, json } = await get(token, "/usage", headers)
    assert.strictEqual(status, 200, JSON.stringify(json))
    return json.identities.map(({ id }: { id: string }) => id)
  }

  it("acts as its identity, within that one's window, and the audit log names it", async () => {
    const token = await sightline.token({ ...ada, role: "admin", seconds: 60 })
    const { status, headers } = await get(token, "/deals")
    assert.deepStrictEqual([status, headers.get("x-ratelimit-limit")], [200, "600"])
    const { identities } = (await get(token, "/usage")).json
    const { requests_this_month } = identities.find(({ id }: { id: string }) => id === "ada")
    await sightline.handler(new Request(new URL("/api/v1/deals", SITE), { headers: { cookie: "session=ada" } }))
    const [after] = (await get(token, "/usage")).json.identities
    assert.strictEqual(after.requests_this_month, requests_this_month + 2)
    const { id } = (await post(token, "/keys", { name: "made by a token", role: "viewer" })).json
    const [entry] = (await get(token, "/audit")).json.data
    assert.deepInclude(entry, { actor: { person: "ada", name: "Ada" }, action: "key.created", target: id })
    assert.strictEqual((await get(await sightline.token(bob), "/deals")).status, 200)
  })

  it("has at most 300 characters, whatever its organization, identity, permissions and origin", async () => {
    const id = "w".repeat(64)
    await sightline.run(Organizations.use(({ create }) => create({ id, name: "Long", plan: UNLIMITED })))
    const token = await sightline.token({
      organization: id,
      role: "owner",
      permissions: PERMISSION_NAMES,
      identity: { id: "界".repeat(200), name: "名".repeat(200) },
      origin: `https://${"a".repeat(60)}.example:8443`,
    })
    assert.match(token, /^sl_tok_[\w-]{1,293}$/)
    const headers = { origin: `https://${"a".repeat(60)}.example:8443` }
    assert.deepStrictEqual(await who(token, headers), ["界".repeat(200)])
    await refuses(get(`${token}${"A".repeat(301 - token.length)}`, "/deals"), "token_malformed")
  })

  it.each([
    [{ seconds: 0 }, "seconds"],
    [{ seconds: 3601 }, "seconds"],
    [{ seconds: 1.5 }, "seconds"],
    [{ origin: "https://app.example/" }, "origin"],
    [{ origin: "*" }, "origin"],
    [{ role: "root" }, "role"],
    [{ role: "viewer", permissions: ["keys.manage"] }, "permissions"],
    [{ permissions: ["deals.reed"] }, "permissions[0]"],
    [{ identity: { id: "", name: "X" } }, "identity.id"],
    [{ organisation: "acme" }, "organisation"],
  ])("with %j, rejects with InvalidOptions that name `%s`", async (wrong, option) => {
    const error = await sightline.token({ ...ada, ...wrong } as NewToken).catch((error: InvalidOptions) => error)
    assert.strictEqual((error as InvalidOptions)._tag, "InvalidOptions")
    assert.deepStrictEqual(
      (error as InvalidOptions).problems.map((problem) => problem.option),
      [option],
    )
  })

  it("needs an organization that exists, and the option `signingSecret`", async () => {
    const unknown = await sightline.token({ ...ada, organization: "none" }).catch((error: Error) => error)
    assert.include(String(unknown), "no organization has the id 'none'")
    await using secretless = await open({ database: layerEmbedded, background: false })
    const error = (await secretless.token(ada).catch((error: InvalidOptions) => error)) as InvalidOptions
    assert.deepStrictEqual(
      error.problems.map(({ option }) => option),
      ["signingSecret"],
    )
  })

  it("does not work with any character changed, added or left out, nor in another spelling", async () => {
    const token = await sightline.token(bob)
    assert.strictEqual((await get(token, "/deals")).status, 200)
    const spoilt = new Set([token.slice(0, -1), `${token}A`, `${token}=`, `${token}.`, `sl_tok_${token}`, "sl_tok_"])
    for (let at = 7; at < token.length; at++)
      spoilt.add(`${token.slice(0, at)}${token[at] === "B" ? "C" : "B"}${token.slice(at + 1)}`)
    for (const text of spoilt) await refuses(get(text, "/deals"), "token_malformed")
  })

  it("does not work if another secret signed it", async () => {
    const other = await open({ database: layerEmbedded, signingSecret: "t".repeat(32), background: false })
    await other.run(Organizations.use(({ create }) => create({ id: "acme", name: "Acme", plan: UNLIMITED })))
    const foreign = await other.token(ada)
    await other.dispose()
    await refuses(get(foreign, "/deals"), "token_malformed")
  })

  it("works after the signing secret was rotated, as long as the previous one is accepted", async () => {
    const token = await sightline.token(bob)
    const { current: previous } = await sightline.run(SigningKeys)
    const current = { ...previous, sign: async () => new Uint8Array(32) }
    const opened = await sightline.run(
      Effect.flatMap(Tokens, ({ open }) => open(token)).pipe(
        Effect.provide(layerTokens),
        Effect.provideService(SigningKeys, { current, accepted: [current, previous] }),
      ),
    )
    assert.isObject(opened)
  })

  it("expires, and the reply says so", async () => {
    const makeAt = (ms: number) =>
      sightline.run(atTime(new Date(ms).toISOString())(Tokens.use(({ create }) => create({ ...bob, seconds: 3600 }))))
    await refuses(get(await makeAt(Date.now() - HOUR_MS), "/deals"), "token_expired")
    assert.strictEqual((await get(await makeAt(Date.now() - HOUR_MS + 60_000), "/deals")).status, 200)
  })

  it("ends when its identity is revoked, also if that person enrols again", async () => {
    const eve = { ...bob, identity: { id: "eve", name: "Eve" } }
    const token = await sightline.token(eve)
    assert.strictEqual((await get(token, "/deals")).status, 200)
    await sightline.run(ApiKeys.use(({ revokeIdentity }) => revokeIdentity("acme", "eve")))
    // A process may know an identity for 2.5 s; the limits of this one are in the database, which says so at once.
    await refuses(get(token, "/deals"), "token_ended")
    const next = await sightline.token(eve)
    await refuses(get(token, "/deals"), "token_ended")
    assert.strictEqual((await get(next, "/deals")).status, 200)
  })

  it.each([
    [{ origin: SITE }, 200],
    [{ origin: SITE, "sec-fetch-site": "cross-site" }, 200],
    [{ "sec-fetch-site": "same-origin" }, 200],
    [{ origin: "https://evil.example" }, 403],
    [{ origin: "https://app.example.evil" }, 403],
    [{ origin: "http://app.example" }, 403],
    [{ origin: "null" }, 403],
    [{ origin: "https://evil.example", "sec-fetch-site": "same-origin" }, 403],
    [{ "sec-fetch-site": "same-site" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "none" }, 403],
    [{}, 403],
  ])("bound to an origin, answers a request with %j by %i", async (headers, status) => {
    const { organization, role } = bob
    const identity = { id: "origin", name: "Origin" }
    const token = await sightline.token({ organization, role, identity, origin: SITE })
    const reply = await get(token, "/deals", headers)
    assert.strictEqual(reply.status, status)
    // A request from elsewhere spends nothing of the window.
    assert.strictEqual(reply.headers.has("x-ratelimit-limit"), status === 200)
    if (status === 403) assert.match(reply.json.error.message, /^this token is for the pages of one origin/)
  })

  it("wins over `principal`, and so does a key; a bearer token of the host's own still reaches it", async () => {
    const cookie = { cookie: "session=ada" }
    assert.deepStrictEqual(await who(await sightline.token({ ...bob, role: "member" }), cookie), ["bob"])
    const { key } = await sightline.run(ApiKeys.use(({ create }) => create("other", { name: "ci", role: "viewer" })))
    assert.strictEqual((await get(key, "/usage", cookie)).json.organization.id, "other")
    await refuses(get("sl_tok_none", "/usage", cookie), "token_malformed")
    assert.strictEqual((await get("sl_live_none", "/usage", cookie)).status, 401)
    assert.include(await who("eyJ.of.the.host"), "ada")
    assert.include(await who("eyJ.of.another", cookie), "ada")
    assert.strictEqual((await get("eyJ.of.another", "/usage")).status, 401)
  })

  it("grants its role, or the permissions that it names, and no more", async () => {
    const few = await sightline.token({ ...ada, role: "admin", permissions: ["deals.read", "keys.manage"] })
    assert.strictEqual((await get(few, "/deals")).status, 200)
    assert.match((await get(few, "/documents")).json.error.message, /^this identity of role 'admin' cannot/)
    const higher = await post(few, "/keys", { name: "x", role: "admin" })
    assert.match(higher.json.error.message, /^role 'admin' cannot manage API keys of role 'admin' that have more/)
    const none = await sightline.token({ ...ada, permissions: [] })
    assert.strictEqual((await get(none, "/deals")).status, 403)
    assert.strictEqual(
      (await get(await sightline.token(bob), "/keys")).json.error.message,
      "role 'viewer' cannot manage API keys",
    )
  })

  it("makes no key, webhook or link that outlives it, and no session", async () => {
    const token = await sightline.token({ ...ada, seconds: 60 })
    const parts = await sightline.run(Tokens.use(({ open }) => open(token)))
    const end = typeof parts === "string" ? 0 : parts.expires * 1000
    const iso = new Date(end).toISOString()

    const made = (await post(token, "/keys", { name: "short", role: "admin" })).json
    assert.strictEqual(made.expires_at, iso)
    const longer = await post(token, "/keys", { name: "x", role: "admin", expires_at: new Date(end + 1).toISOString() })
    assert.strictEqual(longer.status, 403)
    assert.include(longer.json.error.message, `this key or token expires at ${iso}`)
    const permanent = await sightline.run(ApiKeys.use(({ create }) => create("acme", { name: "ci", role: "viewer" })))
    assert.strictEqual((await post(token, `/keys/${permanent.id}/rotate`)).status, 403)
    assert.strictEqual((await post(token, `/keys/${made.id}/rotate`)).status, 200)

    const url = "https://93.184.216.34/hook"
    const webhook = await post(token, "/webhooks", { url })
    assert.deepStrictEqual([webhook.status, webhook.json.expires_at], [201, iso])
    const lasting = await post("eyJ.of.the.host", "/webhooks", { url })
    assert.strictEqual((await post(token, `/webhooks/${lasting.json.id}/rotate`)).status, 403)

    const { export_id } = (await post(token, "/deals/export", { columns: ["name"] })).json
    await sightline.tick({ seconds: 600 })
    const { download_url } = (await get(token, `/deals/export/${export_id}`)).json
    assert.strictEqual((await send(download_url)).status, 200)
    assert.strictEqual(unpack(unseal(download_url.split("/").at(-1))!.content)!.expires * 1000, end)

    assert.match((await post(token, "/sessions")).json.error.message, /^only an API key can sign in to the console/)
    const page = { "x-sightline-console": "1", "sec-fetch-site": "same-origin" }
    assert.strictEqual((await post("", "/console/session", { key: token }, page)).status, 401)
  })

  it("gets no reply to an Idempotency-Key that shows a secret which outlives it", async () => {
    const once = (token: string) =>
      post(token, "/keys", { name: "once", role: "owner" }, { "idempotency-key": "token-once" })
    assert.isNull((await once("eyJ.of.the.host")).json.expires_at)
    assert.strictEqual((await once(await sightline.token(ada))).status, 409)
  })

  it("opens neither the operator's paths nor the metrics", async () => {
    const token = await sightline.token(ada)
    const authorization = `Bearer ${token}`
    for (const path of ["/operator/organizations", "/operator/organizations/acme/api/v1/deals", "/metrics"])
      assert.strictEqual((await send(path, { headers: { authorization } })).status, 401, path)
  })

  it("calls MCP with the rights of its identity, and from its origin alone", async () => {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }
    const token = await sightline.token({ ...bob, permissions: ["deals.read"], origin: SITE })
    const listed = await post(token, "/mcp", call, { origin: SITE })
    const names = listed.json.result.tools.map(({ name }: { name: string }) => name)
    assert.include(names, "search_deals")
    assert.notInclude(names, "get_assets")
    assert.strictEqual((await post(token, "/mcp", call, { origin: "http://localhost:3000" })).status, 403)
    assert.strictEqual((await post(token, "/mcp", call)).status, 403)
    await refuses(post(`${token}A`, "/mcp", call), "token_malformed")
  })

  it("reaches the API from a named origin after the browser's preflight, and from no other", async () => {
    const ask = (origin: string) =>
      send("/api/v1/deals", {
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "GET", "access-control-request-headers": "authorization" },
      })
    const { status, headers } = await ask(SITE)
    assert.deepStrictEqual(
      [status, headers.get("access-control-allow-origin"), headers.get("access-control-allow-headers")],
      [204, SITE, "authorization"],
    )
    assert.notStrictEqual(
      (await ask("https://evil.example")).headers.get("access-control-allow-origin"),
      "https://evil.example",
    )
    const reply = await get(await sightline.token({ ...bob, origin: SITE }), "/deals", { origin: SITE })
    assert.deepStrictEqual([reply.status, reply.headers.get("access-control-allow-origin")], [200, SITE])
  })
})
