import { assert, describe, it } from "@effect/vitest"
import * as Logger from "effect/Logger"
import { afterAll, beforeAll } from "vitest"
import type { FindPrincipal } from "../../src/core/access/principal.ts"
import { ApiKeys, open, Organizations, type Sightline } from "../../src/core/Sightline.ts"
import { layerLibrary } from "../../src/adapters/library.ts"
import { engines } from "../support/engines.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const SITE = "https://app.example"

/** The host's sessions, by cookie. */
const sessions = new Map<string, unknown>()

const principal = ((request) => {
  const session = /\bsession=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1] ?? ""
  const found = sessions.get(session)
  return typeof found === "function" ? found(request) : found
}) as FindPrincipal

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: any
}

for (const engine of engines) {
  describe(`a host's principal on ${engine.name}`, () => {
    let sightline: Sightline
    const logged: Array<string> = []
    let [a, b] = ["", ""]
    beforeAll(async () => {
      const telemetry = Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])
      const database = engine.database
      sightline = await open({ database, library: layerLibrary(), principal, telemetry, background: false })
      await sightline.ready({ seconds: 600 })
      const create = () => sightline.run(Organizations.use(({ create }) => create({ name: "Acme", plan: UNLIMITED })))
      a = (await create()).id
      b = (await create()).id
      sessions.set("ada", { organization: a, role: "owner", identity: { id: "ada", name: "Ada" } })
      sessions.set("bob", { organization: a, role: "owner", identity: { id: "bob", name: "Bob" } })
      sessions.set("eve", { organization: b, role: "owner", identity: { id: "ada", name: "Ada of B" } })
      sessions.set("vic", async () => ({ organization: a, role: "viewer", identity: { id: "vic", name: "Vic" } }))
      sessions.set("few", {
        organization: a,
        role: "admin",
        permissions: ["deals.read"],
        identity: { id: "few", name: "Few" },
      })
    })
    afterAll(() => sightline.dispose())

    const send = async (
      session: string,
      path: string,
      init: RequestInit & { headers?: object } = {},
    ): Promise<Reply> => {
      const headers = { ...(session !== "" && { cookie: `session=${session}` }), ...init.headers }
      const reply = await sightline.handler(new Request(new URL(path, SITE), { ...init, headers } as RequestInit))
      const text = await reply.text()
      const isJson = reply.headers.get("content-type")?.startsWith("application/json") && text !== ""
      return { status: reply.status, headers: reply.headers, text, json: isJson ? JSON.parse(text) : undefined }
    }
    const post = (session: string, path: string, body: unknown, headers: object = {}) =>
      send(session, path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      })

    it("admits a caller without a key, and asks for a key where it names nobody", async () => {
      const { status, headers } = await send("ada", "/api/v1/deals")
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("x-ratelimit-limit"), "600")
      assert.strictEqual((await send("", "/api/v1/deals")).status, 401)
      const { key } = await sightline.run(ApiKeys.use(({ create }) => create(b, { name: "ci", role: "viewer" })))
      const keyed = await send("", "/api/v1/workspace", { headers: { authorization: `Bearer ${key}` } })
      assert.strictEqual(keyed.status, 200)
    })

    it("grants the permissions of the role, or fewer, in every request anew", async () => {
      const refused = await send("vic", "/api/v1/keys")
      assert.strictEqual(refused.status, 403)
      assert.strictEqual(refused.json.error.message, "role 'viewer' cannot manage API keys")
      assert.strictEqual((await send("few", "/api/v1/deals")).status, 200)
      assert.match((await send("few", "/api/v1/documents")).json.error.message, /^this identity of role 'admin' cannot/)
      sessions.set("vic", { organization: a, role: "admin", identity: { id: "vic", name: "Vic" } })
      assert.strictEqual((await send("vic", "/api/v1/keys")).status, 200)
    })

    it("names the identity in the audit log and in the usage, and not among the keys", async () => {
      const { json: made } = await post("ada", "/api/v1/keys", { name: "of ada", role: "viewer" })
      const { data } = (await send("ada", "/api/v1/audit")).json
      assert.deepInclude(data[0], { actor: { person: "ada", name: "Ada" }, action: "key.created", target: made.id })
      const csv = await send("ada", "/api/v1/audit", { headers: { accept: "text/csv" } })
      assert.match(csv.text, /,person,ada,key\.created,/)
      const { identities, keys } = (await send("ada", "/api/v1/usage")).json
      assert.include(
        identities.map(({ id }: { id: string }) => id),
        "ada",
      )
      assert.deepStrictEqual(Object.keys(identities[0]).sort(), [
        "id",
        "name",
        "requests_per_minute",
        "requests_this_month",
        "role",
      ])
      const own = (await send("few", "/api/v1/usage")).json.error
      assert.include(own.message, "usage.read")
      assert.deepStrictEqual(
        keys.map(({ id }: { id: string }) => id),
        [made.id],
      )
    })

    it("binds replies to an Idempotency-Key, links and their revocation to the identity", async () => {
      const once = (session: string) =>
        post(session, "/api/v1/keys", { name: "once", role: "viewer" }, { "idempotency-key": `once-${engine.name}` })
      const first = await once("ada")
      assert.strictEqual((await once("ada")).text, first.text)
      assert.strictEqual((await once("bob")).status, 409)

      const asked = await post("bob", "/api/v1/deals/export", { columns: ["name"] })
      await sightline.tick({ seconds: 600 })
      const linkFor = async (session: string) =>
        (await send(session, `/api/v1/deals/export/${asked.json.export_id}`)).json.download_url as string
      const [bobs, adas] = [await linkFor("bob"), await linkFor("ada")]
      assert.notStrictEqual(bobs, adas)
      assert.strictEqual((await send("", bobs)).status, 200)
      const { data } = (await send("ada", "/api/v1/audit?types=export.downloaded")).json
      assert.deepInclude(data[0].actor, { person: "bob" })
      await sightline.run(ApiKeys.use(({ revokeIdentity }) => revokeIdentity(a, "bob")))
      assert.strictEqual((await send("", bobs)).status, 410)
      assert.strictEqual((await send("", adas)).status, 200)
    })

    it("keeps organizations apart, also for identities with the same id", async () => {
      const stage = { type: "stage", id: "s", name: "Stage of A", category: "open", position: 1 }
      const imported = await send("ada", "/api/v1/import", {
        method: "POST",
        body: `${JSON.stringify(stage)}\n`,
        headers: { "content-type": "application/x-ndjson" },
      })
      assert.strictEqual(imported.json.failed, 0)
      assert.include((await send("ada", "/api/v1/workspace")).text, "Stage of A")
      for (const path of ["/workspace", "/keys", "/usage", "/audit", "/deals", "/documents"]) {
        const { status, text } = await send("eve", `/api/v1${path}`)
        assert.strictEqual(status, 200)
        for (const theirs of ["Stage of A", a, "of ada", '"Ada"']) assert.notInclude(text, theirs, path)
      }
    })

    it("works with MCP", async () => {
      const call = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }
      const names = async (session: string) =>
        (await post(session, "/mcp", call)).json.result.tools.map(({ name }: { name: string }) => name)
      assert.include(await names("ada"), "get_assets")
      assert.notInclude(await names("few"), "get_assets")
      assert.strictEqual((await post("", "/mcp", call)).status, 401)
    })

    it.each([
      [{ "sec-fetch-site": "cross-site", origin: "https://evil.example" }, 403],
      [{ "sec-fetch-site": "same-site", origin: "https://blog.app.example" }, 403],
      [{ "sec-fetch-site": "cross-site" }, 403],
      [{ origin: "https://evil.example" }, 403],
      [{ origin: "null" }, 403],
      [{ "sec-fetch-site": "same-origin", origin: SITE }, 201],
      [{ "sec-fetch-site": "none" }, 201],
      [{ origin: SITE }, 201],
      [{}, 201],
    ])("of the senders of a POST with a cookie and %j, replies %j", async (headers, status) => {
      const reply = await post("ada", "/api/v1/keys", { name: "page", role: "viewer" }, headers)
      assert.strictEqual(reply.status, status, reply.text)
      if (status === 403) assert.match(reply.json.error.message, /^a page of another site sent this request/)
      assert.strictEqual((await send("ada", "/api/v1/deals", { headers })).status, 200)
    })

    it.each([
      ["role", { role: "root" }, 403, /`role` must be one of viewer, member, admin, owner/],
      ["organization", { organization: "org_none" }, 403, /unknown organization: org_none/],
      ["identity", { identity: { id: "" } }, 403, /`identity\.name` is missing; `identity\.id` must be a text/],
      ["permission", { permissions: ["deals.reed"] }, 403, /`permissions\[0\]` must be one of/],
      [
        "permission beyond the role",
        { role: "viewer", permissions: ["keys.manage"] },
        403,
        /does not have keys\.manage/,
      ],
      ["field", { roles: ["viewer"] }, 403, /`roles` is not accepted here/],
    ])("with a wrong %s, refuses the caller, and tells the host why", async (_, fields, status, why) => {
      const good = { organization: a, role: "viewer", identity: { id: "x", name: "X" } }
      sessions.set("wrong", { ...good, ...fields })
      const reply = await send("wrong", "/api/v1/deals")
      assert.strictEqual(reply.status, status)
      assert.strictEqual(
        reply.json.error.message,
        "this application does not give you access to an organization; ask its administrator",
      )
      assert.match(logged.at(-1) ?? "", why)
    })

    it.each([
      ["throws", () => Promise.reject(new Error("password=hunter2")), /failed/],
      ["reads the body", async (request: Request) => void (await request.text()), /read a clone of the request/],
    ])("that %s is the host's error: a 500 that repeats nothing of it", async (_, found, why) => {
      sessions.set("broken", found)
      for (const path of ["/api/v1/keys", "/mcp"]) {
        logged.length = 0
        const reply = await post("broken", path, { name: "n", role: "viewer" })
        assert.strictEqual(reply.status, 500)
        assert.strictEqual(reply.json.error.code, "internal_error")
        assert.strictEqual(reply.json.error.details.request_id, reply.headers.get("x-request-id"))
        assert.notInclude(reply.text, "hunter2")
        assert.match(logged.join("\n"), why)
      }
    })
  })
}
