import { assert, describe, it } from "@effect/vitest"
import { fromWeb } from "effect/http/HttpServerRequest"
import { clientAddress } from "../../src/core/http/addresses/client.ts"

const request = (forwarded?: string) =>
  fromWeb(
    new Request("http://localhost/", forwarded === undefined ? {} : { headers: { "x-forwarded-for": forwarded } }),
  )

describe("the client's address", () => {
  it("is the connection's, despite X-Forwarded-For, unless a proxy is trusted", () => {
    assert.strictEqual(clientAddress(request("203.0.113.9"), "192.0.2.1", 0), "192.0.2.1")
    assert.strictEqual(clientAddress(request(), "::ffff:192.0.2.1", 0), "192.0.2.1")
    assert.isUndefined(clientAddress(request("203.0.113.9"), undefined, 0))
  })

  it("is what the outermost trusted proxy saw, not what the caller wrote before it", () => {
    assert.strictEqual(clientAddress(request("1.1.1.1, 203.0.113.9"), "10.0.0.1", 1), "203.0.113.9")
    assert.strictEqual(clientAddress(request("1.1.1.1, 203.0.113.9, 10.0.0.2"), "10.0.0.1", 2), "203.0.113.9")
    assert.strictEqual(clientAddress(request("2001:db8::1"), "10.0.0.1", 1), "2001:db8::1")
  })

  it("is the connection's if the proxies wrote no address", () => {
    assert.strictEqual(clientAddress(request(), "10.0.0.1", 1), "10.0.0.1")
    assert.strictEqual(clientAddress(request("203.0.113.9"), "10.0.0.1", 2), "10.0.0.1")
    assert.strictEqual(clientAddress(request("<script>"), "10.0.0.1", 1), "10.0.0.1")
  })
})
