import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import type { FindPrincipal } from "../../src/core/access/principal.ts"
import { layerLibrary } from "../../src/adapters/library.ts"
import { ApiKeys, open, Organizations, type Sightline } from "../../src/core/Sightline.ts"
import { layerEmbedded } from "../support/embedded.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const SITE = "https://host.example"
const BASE = `${SITE}/intel`
const CALLBACK = "http://127.0.0.1:7000/callback"
const VERIFIER = "v".repeat(43)

/** The host's sessions, by cookie. */
const sessions = new Map<string, Awaited<ReturnType<FindPrincipal>>>()

const principal: FindPrincipal = (request) =>
  sessions.get(/\bsession=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1] ?? "")

describe("signing in to /mcp in a host, below a path, with the host's login", () => {
  let sightline: Sightline
  let org = ""
  beforeAll(async () => {
    sightline = await open({
      database: layerEmbedded,
      library: layerLibrary(),
      background: false,
      basePath: "/intel",
      publicUrl: BASE,
      principal,
      oauth: { loginUrl: (returnTo) => `${SITE}/login?to=${encodeURIComponent(returnTo)}` },
    })
    await sightline.ready({ seconds: 600 })
    org = (await sightline.run(Organizations.use(({ create }) => create({ name: "Acme", plan: UNLIMITED })))).id
    sessions.set("ada", { organization: org, role: "member", identity: { id: "ada", name: "Ada" } })
    sessions.set("few", {
      organization: org,
      role: "member",
      permissions: ["usage.read"],
      identity: { id: "few", name: "Few" },
    })
  })
  afterAll(() => sightline.dispose())

  const send = async (url: string, session?: string, init: RequestInit & { readonly headers?: object } = {}) => {
    const headers = { ...(session !== undefined && { cookie: `session=${session}` }), ...init.headers }
    const reply = await sightline.handler(new Request(new URL(url, SITE), { ...init, headers } as RequestInit))
    const text = await reply.text()
    const isJson = reply.headers.get("content-type")?.startsWith("application/json") && text !== ""
    return {
      status: reply.status,
      headers: reply.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
      location: reply.headers.get("location") ?? "",
    }
  }
  const form = (url: string, fields: Record<string, string>, session?: string, headers: object = {}) =>
    send(url, session, {
      method: "POST",
      body: new URLSearchParams(fields).toString(),
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: SITE,
        "sec-fetch-site": "same-origin",
        ...headers,
      },
    })
  const ask = (token: string) =>
    send(`${BASE}/mcp`, undefined, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      headers: { "content-type": "application/json", ...(token !== "" && { authorization: `Bearer ${token}` }) },
    })

  const authorizePath = async () => {
    const { json } = await send(`${BASE}/oauth/register`, undefined, {
      method: "POST",
      body: JSON.stringify({ client_name: "Editor", redirect_uris: ["http://127.0.0.1/callback"] }),
      headers: { "content-type": "application/json" },
    })
    const parameters = {
      response_type: "code",
      client_id: json.client_id,
      redirect_uri: CALLBACK,
      code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
      code_challenge_method: "S256",
    }
    return { client: json.client_id, path: `${BASE}/oauth/authorize?${new URLSearchParams(parameters)}` }
  }
  const hidden = (html: string, name: string) =>
    new RegExp(`type="hidden" name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ""

  const connect = async (session: string) => {
    const { client, path } = await authorizePath()
    const page = await send(path, session)
    const fields = { consent: hidden(page.text, "consent"), as: hidden(page.text, "as"), decision: "allow" }
    const { location } = await form(`${BASE}/oauth/authorize`, fields, session)
    const code = new URL(location).searchParams.get("code") ?? ""
    const { json } = await form(`${BASE}/oauth/token`, {
      grant_type: "authorization_code",
      code,
      client_id: client,
      code_verifier: VERIFIER,
    })
    return { page, token: json.access_token as string }
  }

  it.each([
    "/.well-known/oauth-protected-resource/intel/mcp",
    "/intel/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-authorization-server/intel",
    "/intel/.well-known/oauth-authorization-server",
  ])("describes itself at %s", async (path) => {
    const { status, json } = await send(path)
    assert.strictEqual(status, 200)
    assert.include([json.issuer, json.resource], path.includes("resource") ? `${BASE}/mcp` : BASE)
  })

  it.each(["/.well-known/oauth-authorization-server", "/intel/.well-known/oauth-protected-resource/other"])(
    "does not describe another at %s",
    async (path) => assert.strictEqual((await send(path)).status, 404),
  )

  it("a visitor goes to the host's login and returns to the same request", async () => {
    const { path } = await authorizePath()
    const login = await send(path)
    assert.strictEqual(login.status, 302)
    const returnTo = new URL(login.location).searchParams.get("to")!
    assert.isTrue(returnTo.startsWith(`${BASE}/oauth/authorize?request=`))
    const page = await send(returnTo, "ada")
    assert.include(page.text, "Connect “Editor”?")
    assert.include(page.text, "Ada")
    assert.include(page.text, "Acme")
    // A login that lets nobody in does not send the visitor around for ever.
    assert.strictEqual((await send(returnTo)).status, 403)
    assert.strictEqual((await send(`${returnTo.slice(0, -3)}AAA`, "ada")).status, 400)
  })

  it("takes no key where the host has its own login", async () => {
    const { key } = await sightline.run(ApiKeys.use((keys) => keys.create(org, { name: "k", role: "viewer" })))
    const { path } = await authorizePath()
    const returnTo = new URL((await send(path)).location).searchParams.get("to")!
    const request = new URL(returnTo).searchParams.get("request")!
    assert.strictEqual((await form(`${BASE}/oauth/sign-in`, { request, key })).status, 403)
  })

  it("a token acts as the person, within the person's limits, until the identity is revoked", async () => {
    const { token } = await connect("ada")
    const { status, headers } = await ask(token)
    assert.deepStrictEqual([status, headers.get("x-ratelimit-limit")], [200, "600"])
    const { json } = await send(`${BASE}/api/v1/grants`, "ada")
    assert.deepInclude(json.data[0], { client_name: "Editor", identity: "ada", name: "Ada" })
    assert.match(json.data[0].last_used_on, /^\d{4}-\d\d-\d\d$/)
    await sightline.run(ApiKeys.use((keys) => keys.revokeIdentity(org, "ada")))
    assert.strictEqual((await ask(token)).status, 401)
    const again = await connect("ada")
    assert.strictEqual((await ask(again.token)).status, 200)
    assert.strictEqual((await ask(token)).status, 401)
  })

  it("a person sees and ends only grants of their own", async () => {
    const { token } = await connect("ada")
    const { json } = await send(`${BASE}/api/v1/grants`, "ada")
    const end = (session: string) =>
      send(`${BASE}/api/v1/grants/${json.data[0].id}`, session, { method: "DELETE", headers: { origin: SITE } })
    assert.deepStrictEqual((await send(`${BASE}/api/v1/grants`, "few")).json.data, [])
    assert.strictEqual((await end("few")).status, 404)
    assert.strictEqual((await end("ada")).status, 204)
    assert.strictEqual((await end("ada")).status, 404)
    assert.strictEqual((await ask(token)).status, 401)
  })

  it("a person of several organizations chooses one, and the grant and its audit entry are of that one", async () => {
    const other = await sightline.run(Organizations.use(({ create }) => create({ name: "Bolt", plan: UNLIMITED })))
    const { key, id } = await sightline.run(
      ApiKeys.use((keys) => keys.create(other.id, { name: "desk", role: "admin" })),
    )
    const signedIn = await send(`${BASE}/console/session`, undefined, {
      method: "POST",
      body: JSON.stringify({ key }),
      headers: { "x-sightline-console": "1", "sec-fetch-site": "same-origin" },
    })
    const both = `ada; ${signedIn.headers.get("set-cookie")!.split(";")[0]}`
    const { path } = await authorizePath()
    const page = await send(path, both)
    assert.deepStrictEqual(
      [...page.text.matchAll(/type="radio" name="as"[^>]*><span><strong>(\w+)/g)].map(([, name]) => name),
      ["Acme", "Bolt"],
    )
    const fields = { consent: hidden(page.text, "consent"), as: id, decision: "allow" }
    assert.strictEqual((await form(`${BASE}/oauth/authorize`, fields, both)).status, 303)
    const as = { headers: { authorization: `Bearer ${key}` } }
    const { json: grants } = await send(`${BASE}/api/v1/grants`, undefined, as)
    assert.deepStrictEqual(
      grants.data.map(({ key_id }: any) => key_id),
      [id],
    )
    const { json: audit } = await send(`${BASE}/api/v1/audit`, undefined, as)
    assert.deepStrictEqual(audit.data.find(({ action }: any) => action === "grant.created").actor, { key_id: id })
  })

  it("grants nothing to a person who may read nothing, and refuses a decision that another site sends", async () => {
    const { path } = await authorizePath()
    assert.strictEqual((await send(path, "few")).status, 403)
    const page = await send(path, "ada")
    const fields = { consent: hidden(page.text, "consent"), as: hidden(page.text, "as"), decision: "allow" }
    for (const headers of [
      { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
      { "sec-fetch-site": "same-site", origin: "https://sub.host.example" },
    ])
      assert.strictEqual((await form(`${BASE}/oauth/authorize`, fields, "ada", headers)).status, 403)
  })
})

describe("a host that does not ask for it", () => {
  it("has no address of OAuth, and its 401 names none", async () => {
    const sightline = await open({ database: layerEmbedded, library: layerLibrary(), background: false })
    await sightline.ready({ seconds: 600 })
    const get = (path: string, method = "GET") => sightline.handler(new Request(`${SITE}${path}`, { method }))
    for (const path of ["/oauth/authorize", "/.well-known/oauth-authorization-server"])
      assert.strictEqual((await get(path)).status, 404, path)
    const reply = await sightline.handler(
      new Request(`${SITE}/mcp`, { method: "POST", body: "{}", headers: { "content-type": "application/json" } }),
    )
    assert.strictEqual(reply.headers.get("www-authenticate"), "Bearer")
    await sightline.dispose()
  })

  it("learns which option of `oauth` is wrong", async () => {
    const refused = (oauth: unknown) =>
      open({ database: layerEmbedded, oauth } as never).then(
        () => "",
        (error: Error) => error.message,
      )
    assert.match(await refused(true), /`oauth` must be false, or an object/)
    assert.match(await refused({ loginUrl: "https://x" }), /has 'loginUrl', which must be a function/)
    assert.match(await refused({ login: 1 }), /has 'login'/)
  })
})
