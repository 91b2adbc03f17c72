import assert from "node:assert/strict"
import { section } from "../Check.ts"
import { type Client, invalidFields, refusal } from "../Client.ts"

const FIELDS = [
  "created_at",
  "created_by",
  "description",
  "event_types",
  "expires_at",
  "failing_since",
  "id",
  "notice",
  "status",
  "updated_at",
  "url",
]

/** Gets no events, because these checks export nothing. */
const make = async (api: Client) => {
  const fields = {
    url: "https://hooks.example/conformance",
    event_types: ["export.failed"],
    description: "conformance",
  }
  const reply = await api.post("/webhooks", fields, { key: api.spare })
  assert.equal(reply.status, 201, reply.text)
  return reply.json
}

const send = (api: Client, method: string, path: string, body?: object) =>
  api.request(path, {
    method,
    key: api.spare,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  })

export const webhooks = section("Webhooks", ["write"], {
  "POST /webhooks answers 201 with the secret, which is never shown again": async (api) => {
    const made = await make(api)
    assert.deepEqual(Object.keys(made).sort(), [...FIELDS, "secret"].sort())
    assert.match(made.secret, /^whsec_[A-Za-z0-9+/]+=*$/)
    assert.equal(made.status, "enabled")
    const listed = await api.request("/webhooks", { key: api.spare })
    assert.ok(!listed.text.includes(made.secret))
    const { secret: _, ...rest } = made
    assert.deepEqual(
      listed.json.data.find(({ id }: { id: string }) => id === made.id),
      rest,
    )
    assert.deepEqual(await api.get(`/webhooks/${made.id}`, {}, { key: api.spare }), rest)
    assert.equal((await send(api, "DELETE", `/webhooks/${made.id}`)).status, 204)
  },
  "PATCH changes the given fields, pauses and enables": async (api) => {
    const { id, url } = await make(api)
    const paused = await send(api, "PATCH", `/webhooks/${id}`, { status: "paused", event_types: ["deal.created"] })
    assert.equal(paused.status, 200, paused.text)
    assert.deepEqual([paused.json.status, paused.json.event_types, paused.json.url], ["paused", ["deal.created"], url])
    refusal(await send(api, "POST", `/webhooks/${id}/test`), 409, "conflict")
    assert.equal((await send(api, "PATCH", `/webhooks/${id}`, { status: "enabled" })).json.status, "enabled")
    assert.equal((await send(api, "DELETE", `/webhooks/${id}`)).status, 204)
  },
  "rotation returns a new secret": async (api) => {
    const { id, secret } = await make(api)
    const rotated = await send(api, "POST", `/webhooks/${id}/rotate`, { grace_seconds: 60 })
    assert.equal(rotated.status, 200, rotated.text)
    assert.notEqual(rotated.json.secret, secret)
    assert.equal((await send(api, "DELETE", `/webhooks/${id}`)).status, 204)
  },
  "a webhook without deliveries has an empty log and cannot resend": async (api) => {
    const { id } = await make(api)
    const log = await api.get(`/webhooks/${id}/deliveries`, {}, { key: api.spare })
    assert.deepEqual(log, { data: [], next_cursor: null })
    const replayed = await send(api, "POST", `/webhooks/${id}/replay`, { from: "2026-01-01T00:00:00Z" })
    assert.deepEqual([replayed.status, replayed.json], [202, { replayed: 0 }])
    refusal(await send(api, "POST", `/webhooks/${id}/replay`, { delivery_id: "msg_unknown" }), 404, "not_found")
    refusal(await send(api, "POST", `/webhooks/${id}/replay`, {}), 400, "bad_request")
    assert.equal((await send(api, "DELETE", `/webhooks/${id}`)).status, 204)
  },
  "a private address is refused, and an unknown event by name": async (api) => {
    for (const url of ["http://10.0.0.1/", "http://127.0.0.1/", "http://[::1]/", "file:///etc/passwd", "nowhere"]) {
      const reply = await api.post("/webhooks", { url }, { key: api.spare })
      assert.deepEqual(invalidFields(refusal(reply, 400, "bad_request")), ["url"], url)
    }
    const unknown = { url: "https://hooks.example/", event_types: ["deal.exploded"] }
    const reply = await api.post("/webhooks", unknown, { key: api.spare })
    assert.deepEqual(invalidFields(refusal(reply, 400, "bad_request")), ["event_types[0]"])
    refusal(await api.post("/webhooks", {}, { key: api.spare }), 400, "bad_request")
  },
  "an unknown webhook is 404, and only admins have access": async (api) => {
    refusal(await send(api, "GET", "/webhooks/unknown"), 404, "not_found")
    refusal(await send(api, "DELETE", "/webhooks/unknown"), 404, "not_found")
    refusal(await send(api, "PATCH", "/webhooks/unknown", { description: null }), 404, "not_found")
    const member = await api.post("/keys", { name: "conformance", role: "member" }, { key: api.spare })
    const refused = refusal(await api.request("/webhooks", { key: member.json.key }), 403, "forbidden")
    assert.match(refused.message, /role 'member' cannot manage webhooks/)
  },
})
