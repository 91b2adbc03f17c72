import assert from "node:assert/strict"
import { section } from "../Check.ts"
import { type Client, invalidFields, refusal } from "../Client.ts"

export interface MadeKey {
  readonly id: string
  readonly key: string
}

/** Creates a key of the spare organization. */
export const makeKey = async (api: Client, fields: Readonly<Record<string, unknown>>): Promise<MadeKey> => {
  const reply = await api.post("/keys", { name: "conformance", ...fields }, { key: api.spare })
  assert.equal(reply.status, 201, reply.text)
  return reply.json
}

const KEY_FIELDS = [
  "created_at",
  "created_by",
  "display",
  "expires_at",
  "id",
  "last_used_at",
  "name",
  "permissions",
  "requests_per_minute",
  "revoked_at",
  "role",
]

export const keys = section("Keys", ["write"], {
  "POST /keys answers 201 with the secret, which is never shown again": async (api) => {
    const made = await makeKey(api, { role: "member" })
    assert.deepEqual(Object.keys(made).sort(), [...KEY_FIELDS, "key"].sort())
    const listed = await api.request("/keys", { key: api.spare })
    assert.ok(!listed.text.includes(made.key))
    const found = listed.json.data.find(({ id }: MadeKey) => id === made.id)
    assert.deepEqual(Object.keys(found).sort(), KEY_FIELDS)
    assert.equal(found.display, made.key.slice(0, 12))
    assert.ok((await api.get("/usage", {}, { key: api.spare })).keys.some(({ id }: MadeKey) => id === made.id))
  },
  "rotation returns a new secret; the old one works for the grace period": async (api) => {
    const made = await makeKey(api, { role: "viewer" })
    const rotated = await api.request(`/keys/${made.id}/rotate`, { method: "POST", key: api.spare })
    assert.equal(rotated.status, 200)
    assert.equal(rotated.json.id, made.id)
    assert.notEqual(rotated.json.key, made.key)
    assert.equal((await api.request("/usage", { key: made.key })).status, 200)
    assert.equal((await api.request("/usage", { key: rotated.json.key })).status, 200)
  },
  "rotation with a grace period of 0 ends the old secret": async (api) => {
    const made = await makeKey(api, { role: "viewer" })
    const rotated = await api.post(`/keys/${made.id}/rotate`, { grace_seconds: 0 }, { key: api.spare })
    assert.equal(rotated.status, 200)
    refusal(await api.request("/usage", { key: made.key }), 401, "unauthorized")
  },
  "DELETE /keys/{id} answers 204, and 404 the second time": async (api) => {
    const { id } = await makeKey(api, { role: "viewer" })
    const first = await api.request(`/keys/${id}`, { method: "DELETE", key: api.spare })
    assert.equal(first.status, 204)
    assert.equal(first.text, "")
    const second = await api.request(`/keys/${id}`, { method: "DELETE", key: api.spare })
    const unknown = await api.request(`/keys/unknown`, { method: "DELETE", key: api.spare })
    refusal(second, 404, "not_found")
    assert.equal(second.text, unknown.text)
    refusal(await api.request(`/keys/${id}/rotate`, { method: "POST", key: api.spare }), 404, "not_found")
  },
})

export const idempotency = section("Idempotency-Key", ["write"], {
  "a repeated POST is answered byte for byte as the first, and says so": async (api) => {
    const headers = { "idempotency-key": crypto.randomUUID() }
    const send = () => api.post("/keys", { name: "once", role: "viewer" }, { key: api.spare, headers })
    const first = await send()
    const second = await send()
    assert.equal(first.status, 201)
    assert.equal(first.headers.get("idempotent-replayed"), null)
    assert.equal(second.status, 201)
    assert.equal(second.text, first.text)
    assert.equal(second.headers.get("idempotent-replayed"), "true")
    assert.notEqual(second.headers.get("x-request-id"), first.headers.get("x-request-id"))
    const usage = await api.get("/usage", {}, { key: api.spare })
    assert.equal(usage.keys.filter(({ id }: MadeKey) => id === first.json.id).length, 1)
  },
  "with another body it is 409 conflict": async (api) => {
    const headers = { "idempotency-key": crypto.randomUUID() }
    const send = (name: string) => api.post("/keys", { name, role: "viewer" }, { key: api.spare, headers })
    assert.equal((await send("one")).status, 201)
    refusal(await send("two"), 409, "conflict")
  },
  "it is 1 to 255 printable characters": async (api) => {
    const reply = await api.post(
      "/keys",
      { name: "long", role: "viewer" },
      { key: api.spare, headers: { "idempotency-key": "x".repeat(256) } },
    )
    assert.deepEqual(invalidFields(refusal(reply, 400, "bad_request")), ["Idempotency-Key"])
  },
})

export const idempotencyOfTenants = section("Idempotency-Key", ["write", "other"], {
  "it belongs to its organization": async (api) => {
    const headers = { "idempotency-key": crypto.randomUUID() }
    const send = (key: string) => api.post("/keys", { name: "same", role: "viewer" }, { key, headers })
    const [own, theirs] = [await send(api.target.key), await send(api.target.otherKey!)]
    assert.equal(own.status, 201)
    assert.equal(theirs.status, 201)
    assert.notEqual(own.json.id, theirs.json.id)
    assert.equal((await api.request(`/keys/${own.json.id}`, { method: "DELETE" })).status, 204)
  },
})
