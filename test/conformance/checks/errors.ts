import assert from "node:assert/strict"
import { section } from "../Check.ts"
import { invalidFields, refusal } from "../Client.ts"

export const errors = section("Errors", [], {
  "404 not_found for an unknown path, with and without a key": async (api) => {
    for (const key of [null, api.spare]) {
      for (const path of ["/nowhere", "/deals/a/b", "/../../etc/passwd", "//deals", "/Deals"]) {
        refusal(await api.request(path, { key }), 404, "not_found")
      }
    }
    refusal(await api.request(`${api.origin}/api`, { key: null }), 404, "not_found")
  },
  "404 not_found for an unknown id": async (api) => {
    refusal(await api.request("/deals/unknown", { key: api.spare }), 404, "not_found")
  },
  "405 method_not_allowed names the methods in Allow": async (api) => {
    for (const [path, method, allow] of [
      ["/deals", "POST", "GET"],
      ["/deals/x", "PUT", "GET"],
      ["/product-intelligence", "PUT", "GET"],
      ["/keys", "PATCH", "POST"],
      ["/keys/x/rotate", "GET", "POST"],
    ] as const) {
      const reply = await api.request(path, { method, key: api.spare })
      refusal(reply, 405, "method_not_allowed")
      const allowed = reply.headers.get("allow")?.split(", ") ?? []
      assert.ok(allowed.includes(allow) && !allowed.includes(method), reply.headers.get("allow") ?? "no Allow")
    }
  },
  "406 not_acceptable if the client does not accept JSON": async (api) => {
    refusal(await api.request("/deals", { key: api.spare, headers: { accept: "text/html" } }), 406, "not_acceptable")
    for (const accept of ["*/*", "application/*", "text/html, application/json;q=0.5"]) {
      assert.equal((await api.request("/deals?count=true", { key: api.spare, headers: { accept } })).status, 200)
    }
  },
  "400 bad_request lists all invalid parameters at once": async (api) => {
    const error = await api.bad("/deals", "page_size=101&page_index=-1&count=maybe&sort=size&nonsense=1")
    assert.deepEqual([...invalidFields(error)].sort(), ["count", "page_index", "page_size", "sort"])
    assert.deepEqual(error.details?.unknown_fields, ["nonsense"])
    for (const { field, reason } of error.details?.invalid_fields ?? []) {
      assert.match(reason, field === "nonsense" ? /^is not accepted here/ : /^must be/)
    }
    for (const name of ["page_size", "page_index", "count", "sort", "nonsense"]) assert.ok(error.message.includes(name))
  },
  "400 for a filter that is not JSON shows the right form": async (api) => {
    assert.match((await api.bad("/deals", { status: "[won" })).message, /status must be JSON, for example \["/)
    assert.match((await api.bad("/deals", { amount: "5" })).message, /amount/)
    assert.match((await api.bad("/deals", { close_date: "2026-01-01" })).message, /\{"from":"\d{4}-/)
    assert.match((await api.bad("/deals", { crm_filters: "x" })).message, /"operator":"is"/)
  },
  "400 for a filter of the wrong shape names the field": async (api) => {
    for (const [query, field] of [
      [{ status: "{}" }, "status"],
      [{ status: [1] }, "status[0]"],
      [{ status: [] }, "status"],
      [{ amount: { min: "1" } }, "amount.min"],
      [{ amount: { min: 2, max: 1 } }, "amount"],
      [{ amount: {} }, "amount"],
      [{ close_date: { from: "31.12.2026" } }, "close_date.from"],
      [{ close_date: { from: "2026-02-30" } }, "close_date.from"],
      [{ created_at: { from: "2026-03-01", to: "2026-01-01" } }, "created_at"],
      [{ analyzed: "yes" }, "analyzed"],
      [{ owner_ids: ["o"], owner_filter_type: "is" }, "owner_filter_type"],
      [{ owner_filter_type: "is not" }, "owner_filter_type"],
      [{ status: ["x"], status_filter_type: "is empty" }, "status"],
      [{ crm_filters: [{ property: "p", operator: "equals", value: 1 }] }, "crm_filters[0].operator"],
      [{ crm_filters: [{ property: "p", operator: "is" }] }, "crm_filters[0].value"],
      [{ sort_order: "up" }, "sort_order"],
      [{ columns: "id,nope" }, "columns"],
      [{ cursor: "not-a-cursor" }, "cursor"],
      [{ searchQuery: "" }, "searchQuery"],
    ] as const) {
      const error = await api.bad("/deals", query)
      assert.ok(invalidFields(error).includes(field), `${JSON.stringify(query)}: ${error.message}`)
    }
    const unknown = await api.bad("/deals", { amount: { min: 1, maximum: 2 } })
    assert.deepEqual(unknown.details?.unknown_fields, ["amount.maximum"])
    const missing = await api.bad("/deals", { crm_filters: [{ property: "p" }] })
    assert.deepEqual(missing.details?.missing_fields, ["crm_filters[0].operator"])
  },
  "400 for a single parameter that is given twice": async (api) => {
    assert.deepEqual(invalidFields(await api.bad("/deals", "page_size=1&page_size=2")), ["page_size"])
    assert.deepEqual(invalidFields(await api.bad("/deals", 'status=["a"]&status=["b"]')), ["status"])
    assert.deepEqual(invalidFields(await api.bad("/product-intelligence", "product=a&product=b")), ["product"])
  },
  "400 for a NUL character anywhere": async (api) => {
    for (const path of [
      "/deals?searchQuery=a%00b",
      `/deals?status=${encodeURIComponent('["a\\u0000b"]')}`,
      `/deals?crm_filters=${encodeURIComponent('[{"property":"a\\u0000","operator":"is","value":"x"}]')}`,
      "/deals?columns=crm_a%00",
      "/deals/a%00b",
      "/product-intelligence?tags=a%00",
      "/product-intelligence?product=%00",
    ]) {
      refusal(await api.request(path, { key: api.spare }), 400, "bad_request")
    }
  },
  "a broken percent-encoding is refused or read literally, never a 500": async (api) => {
    for (const path of ["/deals?searchQuery=%ZZ", "/deals?searchQuery=%E0%A4%A", "/deals?%=1", "/deals/%ZZ", "/%E0"]) {
      const reply = await api.request(path, { key: api.spare })
      assert.ok([200, 400, 404].includes(reply.status), `${path} answered ${reply.status}`)
      if (reply.status !== 200) refusal(reply, reply.status, reply.status === 400 ? "bad_request" : "not_found")
    }
  },
  "text in any script is accepted, and a lone surrogate causes no 500": async (api) => {
    for (const text of ["日本語", "😀", "\ud800", "%_\\", "';--", "\u202e"]) {
      const reply = await api.request(`/deals?count=true&status=${encodeURIComponent(JSON.stringify([text]))}`, {
        key: api.spare,
      })
      assert.ok([200, 400].includes(reply.status), `${JSON.stringify(text)} answered ${reply.status}`)
    }
  },
  "a URL of 12 KB is accepted": async (api) => {
    const ids = Array.from({ length: 600 }, (_, index) => `deal_${index}_0000`)
    assert.deepEqual(await api.get("/deals", { count: true, deal_ids: ids }, { key: api.spare }), { count: 0 })
  },
  "an absurdly long URL is refused, and the server keeps running": async (api) => {
    const reply = await api.request(`/deals?searchQuery=${"x".repeat(300_000)}`, { key: api.spare })
    assert.ok([400, 413, 414, 431].includes(reply.status), `answered ${reply.status}`)
    assert.equal((await api.request(`${api.origin}/health/live`, { key: null })).status, 200)
  },
})

const body = (text: string, type = "application/json") => ({
  method: "POST",
  body: text,
  headers: { "content-type": type },
})

export const bodies = section("Errors", ["write"], {
  "400 lists missing, unknown and invalid fields of a body at once": async (api) => {
    const reply = await api.post("/keys", { role: "boss", nmae: "x", requests_per_minute: 0 }, { key: api.spare })
    const { details, message } = refusal(reply, 400, "bad_request")
    assert.deepEqual(details?.missing_fields, ["name"])
    assert.deepEqual(details?.unknown_fields, ["nmae"])
    assert.deepEqual(details?.invalid_fields?.map(({ field }) => field).sort(), ["nmae", "requests_per_minute", "role"])
    assert.equal(details?.invalid_fields?.find(({ field }) => field === "nmae")?.did_you_mean, "name")
    for (const name of ["name", "nmae", "role"]) assert.ok(message.includes(name))
  },
  "400 for malformed JSON, and for JSON that is not an object": async (api) => {
    for (const text of ["{", "", "nonsense", "[]", '"text"', "1", "null", '{"name":"x","role":}']) {
      refusal(await api.request("/keys", { ...body(text), key: api.spare }), 400, "bad_request")
    }
  },
  "400 for a NUL character in a JSON string": async (api) => {
    const reply = await api.request("/keys", { ...body('{"name":"a\\u0000b","role":"viewer"}'), key: api.spare })
    assert.ok(invalidFields(refusal(reply, 400, "bad_request")).includes("name"))
  },
  "413 payload_too_large for a body over the path's limit": async (api) => {
    const large = JSON.stringify({ name: "x".repeat(12 * 1024 * 1024), role: "viewer" })
    refusal(await api.request("/keys", { ...body(large), key: api.spare }), 413, "payload_too_large")
  },
  "a refused body does not hold up the next request of its connection": async (api) => {
    const ask = (content: string) =>
      api.post("/responses", { messages: [{ role: "user", content }] }, { key: api.spare })
    for (const bytes of [1_200_000, 1_500_000, 2_000_000]) {
      refusal(await ask("x".repeat(bytes)), 413, "payload_too_large")
      assert.equal((await ask("How many deals are there?")).status, 200)
    }
  },
  "415 unsupported_media_type for a body of another type": async (api) => {
    for (const type of ["text/plain", "application/xml", "application/x-www-form-urlencoded"]) {
      refusal(await api.request("/keys", { ...body("name=x", type), key: api.spare }), 415, "unsupported_media_type")
    }
    refusal(await api.request("/import", { ...body("x", "image/png"), key: api.spare }), 415, "unsupported_media_type")
  },
})
