import assert from "node:assert/strict"
import { until } from "../../support/until.ts"
import { section } from "../Check.ts"
import { type Client, refusal, type Reply } from "../Client.ts"
import { makeKey } from "./keys.ts"

const unauthorized = (reply: Reply) => {
  const error = refusal(reply, 401, "unauthorized")
  assert.equal(reply.headers.get("www-authenticate"), "Bearer")
  assert.equal(reply.headers.get("x-ratelimit-limit"), null)
  assert.equal(reply.headers.get("x-ratelimit-remaining"), null)
  return error
}

const without = (api: Client, headers: Record<string, string> = {}) => api.request("/deals", { key: null, headers })

export const authentication = section("Authentication", [], {
  "rule 1: the key travels as Authorization: Bearer": async (api) => {
    assert.equal((await api.request("/deals?count=true")).status, 200)
    const scheme = await without(api, { authorization: `bearer ${api.target.key}` })
    assert.equal(scheme.status, 200, "the scheme's name is case-insensitive")
  },
  "rule 1: a key travels nowhere else": async (api) => {
    unauthorized(await without(api, { "x-api-key": api.target.key }))
    unauthorized(await without(api, { cookie: `key=${api.target.key}` }))
    unauthorized(await api.request(`/deals?access_token=${api.target.key}`, { key: null }))
  },
  "rule 4: an absent key is 401 unauthorized with WWW-Authenticate and without rate-limit headers": async (api) => {
    unauthorized(await without(api))
  },
  "rule 4: 401 says whether the header, the key's form or the key itself is wrong": async (api) => {
    const { key } = api.target
    const last = key.endsWith("a") ? "b" : "a"
    const unknown = `sl_live_${"0".repeat(49)}`
    const causes: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
      [/of the form 'Bearer <key>'/, ["Bearer", "Bearer ", `Basic ${btoa(`${key}:`)}`, key]],
      [
        /length or checksum is wrong/,
        ["Bearer short", `Bearer ${"x".repeat(600)}`, `Bearer ${key.slice(0, -1)}${last}`, `Bearer ${unknown}`],
      ],
      [/does not exist or was revoked/, ["Bearer unknown-key-without-prefix"]],
    ]
    for (const [cause, headers] of causes) {
      for (const authorization of headers) {
        assert.match(unauthorized(await without(api, { authorization })).message, cause, authorization)
      }
    }
    assert.match(unauthorized(await without(api)).message, /is missing/)
  },
  "rule 4: 401 comes before anything is said of the request": async (api) => {
    unauthorized(await api.request("/deals?nonsense=1", { key: null }))
    unauthorized(await api.request("/deals/x", { key: null }))
    unauthorized(await api.request("/keys", { key: null, method: "POST", body: "{" }))
  },
})

const untilRefused = (api: Client, key: string) =>
  until("the key is refused", async () => {
    const reply = await api.request("/usage", { key })
    return reply.status !== 200 && reply
  })

export const keysAndRoles = section("Authentication", ["write"], {
  "rule 2: new keys begin with a short fixed prefix": async (api) => {
    assert.match((await makeKey(api, { role: "viewer" })).key, /^sl_live_[0-9A-Za-z]{49}$/)
    assert.match((await makeKey(api, { role: "viewer", environment: "test" })).key, /^sl_test_[0-9A-Za-z]{49}$/)
  },
  "rule 4: an expired key is 401": async (api) => {
    const at = new Date(Date.now() + 1500).toISOString()
    const { key } = await makeKey(api, { role: "viewer", expires_at: at })
    const { status } = await api.request("/usage", { key })
    // A busy machine may answer after the key expires.
    if (Date.now() < Date.parse(at)) assert.equal(status, 200)
    unauthorized(await untilRefused(api, key))
  },
  "rule 4: a revoked key is 401 within 5 seconds": async (api) => {
    const { id, key } = await makeKey(api, { role: "viewer" })
    assert.equal((await api.request("/usage", { key })).status, 200)
    assert.equal((await api.request(`/keys/${id}`, { method: "DELETE", key: api.spare })).status, 204)
    unauthorized(await untilRefused(api, key))
  },
  "rule 5: a role that may not is 403, and the message names the role and the action": async (api) => {
    for (const role of ["viewer", "member"]) {
      const { key } = await makeKey(api, { role })
      const listing = await api.request("/keys", { key })
      assert.equal(refusal(listing, 403, "forbidden").message, `role '${role}' cannot manage API keys`)
      assert.match(listing.headers.get("x-ratelimit-remaining") ?? "", /^\d+$/)
      const importing = await api.request("/import", {
        key,
        method: "POST",
        body: '{"type":"owner","name":"x"}\n',
        headers: { "content-type": "application/x-ndjson" },
      })
      assert.equal(refusal(importing, 403, "forbidden").message, `role '${role}' cannot import records`)
      assert.equal((await api.request("/deals?count=true", { key })).status, 200)
      assert.equal((await api.request("/product-intelligence?product=none", { key })).status, 200)
    }
  },
  "a key may carry fewer permissions than its role": async (api) => {
    const { key } = await makeKey(api, { role: "admin", permissions: ["deals.read"] })
    assert.equal((await api.request("/deals?count=true", { key })).status, 200)
    for (const [path, action] of [
      ["/product-intelligence", "read product intelligence"],
      ["/usage", "read usage"],
      ["/keys", "manage API keys"],
    ] as const) {
      const { message } = refusal(await api.request(path, { key }), 403, "forbidden")
      assert.ok(message.includes("'admin'") && message.includes(action), message)
    }
  },
  "a caller gives no key powers that it lacks": async (api) => {
    const { key } = await makeKey(api, { role: "admin", permissions: ["keys.manage"] })
    const { message } = refusal(await api.post("/keys", { name: "more", role: "viewer" }, { key }), 403, "forbidden")
    assert.match(message, /'admin'/)
    assert.match(message, /'viewer'/)
  },
})

export const organizations = section("Authentication", ["data", "other"], {
  "rule 3: results are limited to the key's organization": async (api) => {
    const other = api.target.otherKey!
    const own = await api.get("/usage")
    const theirs = await api.get("/usage", {}, { key: other })
    assert.notEqual(own.organization.id, theirs.organization.id)
    const foreign = theirs.keys[0].id
    const keys: ReadonlyArray<{ id: string }> = (await api.get("/keys")).data
    assert.ok(keys.length > 0 && !keys.some(({ id }) => id === foreign))
    assert.deepEqual(await api.get("/deals", {}, { key: other }), [])
    assert.deepEqual((await api.get("/product-intelligence", {}, { key: other })).data, [])
  },
  "rule 3: a foreign id answers exactly like an unknown one": async (api) => {
    const other = api.target.otherKey!
    const unknown = await api.request("/deals/unknown", { key: other })
    const foreign = await api.request("/deals/d01", { key: other })
    refusal(foreign, 404, "not_found")
    assert.equal(foreign.text, unknown.text)
  },
})

export const olderKeys = section("Versioning", ["older"], {
  "rule 3: a key without the prefix stays valid": async (api) => {
    assert.doesNotMatch(api.target.olderKey!, /^sl_/)
    assert.equal((await api.request("/deals?count=true", { key: api.target.olderKey! })).status, 200)
  },
})
