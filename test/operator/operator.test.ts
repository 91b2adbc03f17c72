import { assert, describe, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll } from "vitest"
import { layerEmbedded } from "../support/embedded.ts"
import { open, type Sightline } from "../../src/core/Sightline.ts"
import { until } from "../support/until.ts"
import { layerLibrary } from "../support/web.ts"

const KEY = `op_${"k".repeat(40)}`

describe("/operator", () => {
  let web: Sightline
  beforeAll(async () => {
    web = await open({
      database: layerEmbedded,
      library: layerLibrary(),
      operatorKey: Redacted.make(KEY),
      corsOrigins: ["*"],
    })
    await web.ready({ seconds: 600 })
  })
  afterAll(() => web.dispose())

  const request = async (path: string, init: RequestInit & { readonly key?: string } = {}) => {
    const { key = KEY, ...rest } = init
    const headers = { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) }
    const reply = await web.handler(new Request(`http://localhost${path}`, { ...rest, headers }))
    const text = await reply.text()
    return { status: reply.status, headers: reply.headers, text, json: text.startsWith("{") ? JSON.parse(text) : null }
  }
  const send = (method: string, path: string, body: object) =>
    request(path, { method, body: JSON.stringify(body), headers: { "content-type": "application/json" } })

  let org = ""
  beforeAll(async () => {
    const made = await send("POST", "/operator/organizations", { name: "Acme", plan: "growth" })
    assert.strictEqual(made.status, 201, made.text)
    org = `/operator/organizations/${made.json.id}`
  })

  it("refuses requests without the operator key alike on every path", async () => {
    const tenants = (await send("POST", `${org}/keys`, { name: "owner", role: "owner" })).json.key
    const refusals = []
    for (const key of ["", "wrong", `${KEY}x`, KEY.slice(0, -1), tenants]) {
      const api = [`${org}/api/v1/deals`, "/operator/organizations/org_none/api/v1/deals", `${org}/exports/x`]
      for (const path of ["/operator/organizations", org, ...api, "/operator/none", "/operator"]) {
        const { status, text, headers } = await request(path, { key })
        refusals.push(JSON.stringify([status, text, headers.get("www-authenticate"), headers.get("content-type")]))
      }
    }
    assert.strictEqual(new Set(refusals).size, 1)
    assert.match(refusals[0]!, /^\[401,.*unauthorized.*Bearer/)
    assert.strictEqual((await request("/operator/none")).status, 404)
    assert.strictEqual((await request("/api/v1/deals", { key: KEY })).status, 401)
  })

  it("is closed without an operator key", async () => {
    const closed = await open({ database: layerEmbedded })
    await closed.ready({ seconds: 600 })
    for (const key of ["undefined", KEY, ""]) {
      const headers = { authorization: `Bearer ${key}` }
      const reply = await closed.handler(new Request("http://localhost/operator/organizations", { headers }))
      assert.strictEqual(reply.status, 401)
    }
    await closed.dispose()
  })

  it("uses the API's envelope, excludes other origins and caches, and is absent from the OpenAPI description", async () => {
    const misspelt = await send("POST", "/operator/organizations", { nme: "Acme", plan: "growth" })
    assert.strictEqual(misspelt.status, 400)
    assert.deepInclude(misspelt.json.error.details, { missing_fields: ["name"], unknown_fields: ["nme"] })
    const method = await request("/operator/organizations", { method: "PUT" })
    assert.deepStrictEqual([method.status, method.headers.get("allow")], [405, "GET, POST"])
    const origin = { origin: "https://evil.example" }
    const listed = await request("/operator/organizations", { headers: origin })
    assert.isNull(listed.headers.get("access-control-allow-origin"))
    assert.strictEqual(listed.headers.get("cache-control"), "no-store")
    assert.isNotNull(listed.headers.get("x-request-id"))
    const preflight = await request(org, {
      method: "OPTIONS",
      headers: { ...origin, "access-control-request-method": "DELETE" },
    })
    assert.isNull(preflight.headers.get("access-control-allow-origin"))
    const within = await request(`${org}/api/v1/deals`, { headers: origin })
    assert.isNull(within.headers.get("access-control-allow-origin"))
    assert.strictEqual(within.headers.get("cache-control"), "no-store")
    const tenants = await request("/api/v1/deals", { key: "none", headers: origin })
    assert.strictEqual(tenants.headers.get("access-control-allow-origin"), "*")
    assert.notInclude((await request("/openapi.json")).text, "/operator")
  })

  it("creates, pages through and changes organizations", async () => {
    for (let n = 0; n < 201; n++) await send("POST", "/operator/organizations", { name: `N ${n}`, plan: "growth" })
    const first = (await request("/operator/organizations")).json
    assert.lengthOf(first.data, 200)
    const second = (await request(`/operator/organizations?cursor=${first.next_cursor}`)).json
    assert.lengthOf(second.data, 2)
    assert.isNull(second.next_cursor)
    const ids = [...first.data, ...second.data].map(({ id }: { readonly id: string }) => id)
    assert.strictEqual(new Set(ids).size, 202)

    const key = (await send("POST", `${org}/keys`, { name: "k", role: "owner" })).json.key
    const limit = async () => (await request("/api/v1/usage", { key })).json.organization.requests_per_minute.limit
    assert.strictEqual(await limit(), 60)
    const changed = await send("PATCH", org, { plan: "enterprise" })
    assert.deepInclude(changed.json, { name: "Acme", plan: "enterprise" })
    assert.strictEqual(await limit(), 300)
    for (const refused of [
      await send("PATCH", org, { plan: "enterprize" }),
      await send("POST", "/operator/organizations", { name: "Acme", plan: "enterprize" }),
    ]) {
      assert.strictEqual(refused.status, 400)
      assert.include(refused.json.error.message, 'growth, unlimited, not "enterprize" (did you mean enterprise?)')
    }
    const unknown = await send("PATCH", "/operator/organizations/org_none", { plan: "growth" })
    assert.match(unknown.text, /no organization has the id 'org_none'/)
  })

  it("creates organizations with any id that a host can give, once, and finds them", async () => {
    for (const id of ["acme", "a/b c?d#e%2F&ü", "..."]) {
      const given = { id, name: "Host", plan: "growth" }
      const made = await send("POST", "/operator/organizations", given)
      assert.deepStrictEqual([made.status, made.json], [201, given])
      const again = await send("POST", "/operator/organizations", given)
      assert.strictEqual(again.status, 409)
      assert.include(again.json.error.message, `an organization has the id '${id}' already`)
      const path = `/operator/organizations/${encodeURIComponent(id)}`
      assert.strictEqual((await request(path)).json.id, id)
      assert.strictEqual((await request(`${path}/api/v1/deals`)).status, 200)
      assert.deepStrictEqual((await request(path, { method: "DELETE" })).json, { id, files: "removed" })
    }
    for (const id of ["", "..", "x".repeat(65), "a\nb"]) {
      const refused = await send("POST", "/operator/organizations", { id, name: "Host", plan: "growth" })
      assert.strictEqual(refused.status, 400)
      assert.match(refused.text, /id must be 1 to 64 characters without control characters/)
    }
  })

  it("manages keys of any organization", async () => {
    const made = (await send("POST", `${org}/api/v1/keys`, { name: "ci", role: "owner" })).json
    assert.isNull(made.created_by)
    assert.strictEqual((await request("/api/v1/deals", { key: made.key })).status, 200)
    const rotated = (await send("POST", `${org}/api/v1/keys/${made.id}/rotate`, { grace_seconds: 0 })).json
    assert.notStrictEqual(rotated.key, made.key)
    assert.strictEqual((await request(`${org}/api/v1/keys/${made.id}`, { method: "DELETE" })).status, 204)
    const listed = (await request(`${org}/api/v1/keys`)).json.data as ReadonlyArray<{
      readonly id: string
      readonly revoked_at: string | null
    }>
    assert.isNotNull(listed.find(({ id }) => id === made.id)?.revoked_at)
    assert.notInclude(JSON.stringify(listed), "sl_live_".padEnd(40))
    assert.strictEqual((await request(`${org}/api/v1/keys/key_none`, { method: "DELETE" })).status, 404)
  })

  it("has the API of each organization: imports, uploads, answers and exports only there", async () => {
    const api = `${org}/api/v1`
    const records =
      '{"type":"deal","id":"d1","name":"Renewal"}\n{"type":"deal","id":"d2","name":"Renewal"}\n{"type":"competitor","id":"rival","name":"Rival Systems"}\n'
    const ndjson = { "content-type": "application/x-ndjson" }
    const imported = await request(`${api}/import`, { method: "POST", body: records, headers: ndjson })
    assert.deepInclude(imported.json, { created: 3, failed: 0 })

    const body = btoa("# Rival\n\nRival Systems charges $48 per seat.\n")
    const file = { file_name: "n.md", content_type: "text/markdown", file_base64: body }
    const received = await send("POST", `${api}/documents/library`, { ...file, type: "intel", competitor_id: "rival" })
    assert.strictEqual(received.status, 200, received.text)
    const path = `api/v1/documents/${received.json.document.id}`
    await until("the document is ready", async () => (await request(`${org}/${path}`)).json.status === "ready")

    const question = { messages: [{ role: "user", content: "What does Rival Systems charge per seat?" }], stream: true }
    const asked = await send("POST", `${api}/responses`, question)
    assert.match(asked.text, /\$48 per seat/)
    assert.match(asked.text, /"type":"done"/)

    const started = await send("POST", `${api}/deals/export`, { columns: ["name"] })
    const { export_id } = started.json
    const pathOf = (address: string | null) => new URL(address!).pathname + new URL(address!).search
    const location = pathOf(started.headers.get("location"))
    assert.strictEqual(location, `${api}/deals/export/${export_id}`)
    const exported = async () => (await request(location)).json
    await until("the export completes", async () => (await exported()).status === "completed")
    const { pathname } = new URL((await exported()).download_url)
    assert.strictEqual((await request(org + pathname)).text, "name\r\nRenewal\r\nRenewal\r\n")

    const listed = (await request(`${api}/deals?page_size=1&sort=name`)).headers.get("link")
    const next = await request(pathOf(/^<(.+)>; rel="next"$/.exec(listed!)![1]!))
    assert.lengthOf(JSON.parse(next.text), 1)
    const undone = await request(`${api}/import/${imported.json.import_id}/undo`, { method: "POST" })
    const undo = pathOf(undone.headers.get("location"))
    assert.strictEqual((await request(undo)).json.import_id, imported.json.import_id)
    await until("the undo ends", async () => (await request(undo)).json.undone !== undefined)

    const other = (await send("POST", "/operator/organizations", { name: "Other", plan: "growth" })).json.id
    for (const rest of [path, `api/v1/deals/export/${export_id}`, "api/v1/deals/d1"]) {
      assert.strictEqual((await request(`/operator/organizations/${other}/${rest}`)).status, 404, rest)
    }
  })

  it("has nothing else of the service there, and no API of an organization that does not exist", async () => {
    for (const rest of ["docs", "openapi.json", "health/live", "mcp", "v/x", "r/x", "api", "api/v1", "console"]) {
      const reply = await request(`${org}/${rest}`)
      assert.strictEqual(reply.status, 404, rest)
      assert.match(reply.text, /does not exist/, rest)
    }
    for (const name of ["org_none", "%00", "%E0%A4%A", "..", "a%2Fb"]) {
      const { status } = await request(`/operator/organizations/${name}/api/v1/deals`)
      assert.oneOf(status, [400, 404], name)
    }
    const unknown = await request("/operator/organizations/org_none/api/v1/deals")
    assert.match(unknown.text, /no organization has the id 'org_none'/)
    const method = await request(`${org}/api/v1/deals`, { method: "PUT" })
    assert.deepStrictEqual([method.status, method.headers.get("allow")], [405, "GET, HEAD, OPTIONS"])
  })

  it("has no limits there, owns nothing that belongs to a key, and gets no reply of a key", async () => {
    const small = (await send("POST", "/operator/organizations", { name: "Small", plan: "essentials" })).json.id
    const api = `/operator/organizations/${small}/api/v1`
    const limit = (await request(`${api}/usage`)).json.organization
    for (let n = 0; n <= limit.requests_per_minute.limit; n++) {
      const { status, headers } = await request(`${api}/deals?count=true`)
      assert.strictEqual(status, 200)
      assert.isNull(headers.get("x-ratelimit-limit"))
    }
    for (let n = 0; n <= limit.exports_per_month.limit; n++) {
      assert.strictEqual((await send("POST", `${api}/deals/export`, { columns: ["name"] })).status, 202)
    }
    const spent = (await request(`${api}/usage`)).json.organization
    assert.deepStrictEqual([spent.requests_per_month.used, spent.exports_per_month.used], [0, 0])

    const view = { name: "v" }
    for (const [path, body] of [
      ["views", view],
      ["boards", { name: "b" }],
    ] as const) {
      const refused = await send("POST", `${api}/${path}`, body)
      assert.strictEqual(refused.status, 403, refused.text)
      assert.match(refused.text, /belong to a key: use a key of the organization/)
      assert.deepStrictEqual((await request(`${api}/${path}`)).json, { data: [] })
    }

    const { key } = (await send("POST", `${api}/keys`, { name: "owner", role: "owner" })).json
    const headers = { "content-type": "application/json", "idempotency-key": "one" }
    const create = (path: string, key: string) =>
      request(`${path}/keys`, { method: "POST", headers, key, body: JSON.stringify({ name: "k", role: "viewer" }) })
    const made = await create("/api/v1", key)
    assert.strictEqual(made.status, 201)
    const again = await create(api, KEY)
    assert.strictEqual(again.status, 409, again.text)
    const own = await request(`${api}/keys`, {
      method: "POST",
      headers: { ...headers, "idempotency-key": "two" },
      body: JSON.stringify({ name: "k", role: "viewer" }),
    })
    assert.strictEqual(own.status, 201, own.text)
  })

  it("appears in the organization's audit log as the operator", async () => {
    const key = (await send("POST", `${org}/keys`, { name: "auditor", role: "owner" })).json.key
    const { data } = (await request("/api/v1/audit", { key })).json as {
      readonly data: ReadonlyArray<{
        readonly action: string
        readonly actor: object
        readonly request_id: string | null
        readonly target: string | null
        readonly details: object | null
      }>
    }
    const acts = new Map(data.map((entry) => [entry.action, entry]))
    for (const action of [
      "organization.created",
      "organization.updated",
      "key.created",
      "key.rotated",
      "key.revoked",
      "records.imported",
      "export.created",
      "export.downloaded",
    ]) {
      assert.deepStrictEqual(acts.get(action)?.actor, { operator: true }, action)
      assert.isString(acts.get(action)?.request_id, action)
    }
    const { data: changes } = (await request("/api/v1/audit?types=organization.updated", { key })).json
    await send("PATCH", org, { name: "Renamed", plan: "growth" })
    const [changed, ...earlier] = (await request("/api/v1/audit?types=organization.updated", { key })).json.data
    assert.deepStrictEqual(
      [changed.target, changed.details],
      [org.split("/").at(-1), { name: "Renamed", plan: "growth" }],
    )
    assert.deepStrictEqual(earlier, changes)
  })

  it("erases an organization and its keys, once", async () => {
    const { id } = (await send("POST", "/operator/organizations", { name: "Gone", plan: "growth" })).json
    const path = `/operator/organizations/${id}`
    const { key } = (await send("POST", `${path}/keys`, { name: "k", role: "owner" })).json
    assert.deepStrictEqual((await request(path, { method: "DELETE" })).json, { id, files: "removed" })
    assert.strictEqual((await request(path, { method: "DELETE" })).status, 404)
    assert.strictEqual((await request(path)).status, 404)
    assert.strictEqual((await request("/api/v1/deals", { key })).status, 401)
  })
})
