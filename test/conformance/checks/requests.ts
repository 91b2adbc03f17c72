import assert from "node:assert/strict"
import { section } from "../Check.ts"
import { type Client, refusal } from "../Client.ts"

const CALLER_ID = /^[A-Za-z0-9._-]{1,128}$/

const rateLimit = (headers: Headers) => {
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) => {
    const text = headers.get(`x-ratelimit-${name}`) ?? ""
    assert.match(text, /^\d+$/, `X-RateLimit-${name} is '${text}'`)
    return Number(text)
  }) as [number, number, number]
  assert.ok(remaining <= limit, `${remaining} of ${limit} left`)
  assert.equal(reset % 60_000, 0, "windows are aligned to the epoch")
  const ahead = reset - Date.now()
  // The monthly window may have the fewest requests left; its reset is far ahead.
  assert.ok(ahead > -5000 && ahead < 32 * 86_400_000, `reset is ${ahead} ms ahead`)
  return { limit, remaining, reset }
}

const encodings = async (api: Client, accepted: string) => {
  const reply = await api.request(`${api.origin}/openapi.json`, {
    key: null,
    headers: { "accept-encoding": accepted },
  })
  assert.equal(reply.status, 200)
  assert.equal(reply.json.openapi.slice(0, 3), "3.1")
  return reply.headers
}

/** Every value of a key that names a time, anywhere in a body. */
const times = (value: unknown, name = ""): ReadonlyArray<string> => {
  if (typeof value === "string") return name.endsWith("_at") ? [value] : []
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => times(each, key))
}

export const requests = section("Every request", [], {
  "bodies are application/json": async (api) => {
    for (const path of ["/deals?page_size=1", "/product-intelligence?product=none", "/usage"]) {
      const reply = await api.request(path)
      assert.equal(reply.status, 200)
      assert.match(reply.headers.get("content-type") ?? "", /^application\/json(;|$)/)
      assert.equal(reply.headers.get("cache-control"), "no-store")
      assert.equal(reply.headers.get("x-content-type-options"), "nosniff")
    }
  },
  "X-Request-Id is generated if the caller sends none, and is unique": async (api) => {
    const one = (await api.request("/deals?count=true", { key: api.spare })).headers.get("x-request-id") ?? ""
    const two = (await api.request("/nowhere", { key: null })).headers.get("x-request-id") ?? ""
    assert.match(one, CALLER_ID)
    assert.match(two, CALLER_ID)
    assert.notEqual(one, two)
  },
  "the caller's X-Request-Id is kept, also on refusals": async (api) => {
    for (const id of ["a", "job-7_B.2", "x".repeat(128)]) {
      const reply = await api.request("/deals", { key: null, headers: { "x-request-id": id } })
      assert.equal(reply.headers.get("x-request-id"), id)
    }
  },
  "an X-Request-Id that is too long or has other characters is replaced": async (api) => {
    for (const id of ["x".repeat(129), "a b", "a/b", "ä"]) {
      const reply = await api.request("/deals", { key: null, headers: { "x-request-id": id } })
      assert.match(reply.headers.get("x-request-id") ?? "", CALLER_ID)
      assert.notEqual(reply.headers.get("x-request-id"), id)
    }
  },
  "a success has rate-limit headers": async (api) => {
    rateLimit((await api.request("/deals?count=true")).headers)
  },
  "a counted refusal has rate-limit headers": async (api) => {
    const before = rateLimit((await api.request("/deals?count=true")).headers)
    const reply = await api.request("/deals?page_size=0")
    refusal(reply, 400, "bad_request")
    const after = rateLimit(reply.headers)
    assert.equal(after.limit, before.limit)
    if (after.reset === before.reset) assert.ok(after.remaining < before.remaining)
  },
  "HEAD answers like GET, without a body": async (api) => {
    const [head, get] = [
      await api.request("/deals?page_size=1", { method: "HEAD" }),
      await api.request("/deals?page_size=1"),
    ]
    assert.equal(head.status, 200)
    assert.equal(head.text, "")
    assert.equal(head.headers.get("content-type"), get.headers.get("content-type"))
    assert.equal(head.headers.get("link"), get.headers.get("link"))
    rateLimit(head.headers)
    assert.equal((await api.request("/deals", { method: "HEAD", key: null })).status, 401)
    assert.equal((await api.request("/nowhere", { method: "HEAD", key: null })).status, 404)
  },
  "OPTIONS lists a path's methods, and needs no key": async (api) => {
    const reply = await api.request("/deals", { method: "OPTIONS", key: null })
    assert.equal(reply.status, 204)
    assert.equal(reply.text, "")
    assert.deepEqual(reply.headers.get("allow")?.split(", ").sort(), ["GET", "HEAD", "OPTIONS"])
    const keys = await api.request("/keys", { method: "OPTIONS", key: null })
    assert.deepEqual(keys.headers.get("allow")?.split(", ").sort(), ["GET", "HEAD", "OPTIONS", "POST"])
  },
  "CORS is off for origins that are not configured": async (api) => {
    const origin = { origin: "https://origin.invalid", "access-control-request-method": "GET" }
    for (const method of ["GET", "OPTIONS"]) {
      const { headers } = await api.request("/deals?count=true", { method, key: api.spare, headers: origin })
      assert.equal(headers.get("access-control-allow-origin"), null)
    }
  },
  "a body over 1 KiB is compressed with gzip if accepted": async (api) => {
    const headers = await encodings(api, "gzip")
    assert.equal(headers.get("content-encoding"), "gzip")
    assert.match(headers.get("vary") ?? "", /accept-encoding/i)
  },
  "a body over 1 KiB is compressed with br if accepted": async (api) => {
    assert.equal((await encodings(api, "br")).get("content-encoding"), "br")
  },
  "a long page of deals is compressed": async (api) => {
    for (const accepted of ["gzip", "br"]) {
      const reply = await api.request("/deals?page_size=20&columns=*", { headers: { "accept-encoding": accepted } })
      assert.equal(reply.headers.get("content-encoding"), accepted)
      assert.match(reply.headers.get("vary") ?? "", /accept-encoding/i)
      assert.equal(reply.json.length > 0, true)
    }
  },
  "no body is compressed if the caller does not accept it": async (api) => {
    assert.equal((await encodings(api, "identity")).get("content-encoding"), null)
    assert.equal((await encodings(api, "gzip;q=0, br;q=0")).get("content-encoding"), null)
  },
  "a body under 1 KiB is not compressed": async (api) => {
    const { headers } = await api.request("/deals?count=true", { headers: { "accept-encoding": "gzip, br" } })
    assert.equal(headers.get("content-encoding"), null)
  },
  "times are ISO 8601 in UTC with milliseconds and Z": async (api) => {
    const bodies = [
      await api.get("/deals", { columns: "*", page_size: 5 }),
      await api.get("/product-intelligence"),
      await api.get("/usage"),
    ]
    const found = times(bodies)
    assert.ok(found.length > 0)
    for (const time of found) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  },
  "ids are opaque strings of 1 to 64 characters": async (api) => {
    const deals: ReadonlyArray<{ id: string }> = await api.get("/deals", { columns: "id", page_size: 20 })
    for (const { id } of deals) assert.ok(typeof id === "string" && id.length >= 1 && id.length <= 64)
    const usage = await api.get("/usage")
    assert.ok(usage.organization.id.length <= 64)
    refusal(await api.request(`/deals/${"x".repeat(65)}`, { key: api.spare }), 400, "bad_request")
    refusal(await api.request(`/deals/${"x".repeat(64)}`, { key: api.spare }), 404, "not_found")
  },
  "unknown query parameters are refused by name, on every endpoint": async (api) => {
    for (const path of ["/deals", "/deals/x", "/product-intelligence"]) {
      const error = await api.bad(path, "owner_idz=1&zzz=2")
      assert.deepEqual([...(error.details?.unknown_fields ?? [])].sort(), ["owner_idz", "zzz"])
      assert.match(error.message, /owner_idz/)
    }
    assert.deepEqual((await api.bad("/usage", "x=1", { key: api.target.key })).details?.unknown_fields, ["x"])
  },
  "/health/live and /health/ready answer without a key": async (api) => {
    for (const path of ["/health/live", "/health/ready"]) {
      const reply = await api.request(`${api.origin}${path}`, { key: null })
      assert.equal(reply.status, 200)
      assert.equal(reply.headers.get("cache-control"), "no-store")
      assert.equal(typeof reply.json.status, "string")
    }
  },
  "/docs is a page": async (api) => {
    const reply = await api.request(`${api.origin}/docs`, { key: null })
    assert.equal(reply.status, 200)
    assert.match(reply.headers.get("content-type") ?? "", /^text\/html/)
    assert.match(reply.text, /<html/i)
  },
})

export const versioning = section("Versioning", [], {
  "rule 1: the version is in the base path": async (api) => {
    assert.match(new URL(api.target.baseUrl).pathname, /\/api\/v1$/)
    refusal(await api.request(api.target.baseUrl.replace(/v1$/, "v2") + "/deals", {}), 404, "not_found")
  },
  "rule 1: the interface description carries version 1.0.0": async (api) => {
    const { info, openapi } = await api.get(`${api.origin}/openapi.json`, {}, { key: null })
    assert.equal(info.version, "1.0.0")
    assert.match(openapi, /^3\.1\./)
  },
})

export { rateLimit }
