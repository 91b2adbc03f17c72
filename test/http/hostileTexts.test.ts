import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { gzipSync } from "node:zlib"
import { notUtf8InAddress, utf8Problem } from "../../src/core/http/validation/utf8.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

const bytesOf = (...parts: ReadonlyArray<string | number>): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === "number" ? Buffer.from([part]) : Buffer.from(part)))),
  )

const problemOf = (...parts: ReadonlyArray<string | number>) =>
  utf8Problem(bytesOf(...parts), new TextDecoder().decode(bytesOf(...parts)))

layer(layerWeb(engines[0].database), { excludeTestServices: true })((it) => {
  const json = { "content-type": "application/json" }

  it.effect("refuses a body or address that is not UTF-8, and takes U+FFFD", () =>
    Effect.gen(function* () {
      const { request, tenant } = yield* Web
      const { key } = yield* tenant()
      const send = (path: string, body: BodyInit, headers: Record<string, string> = json) =>
        request(path, key, { method: path.endsWith("d1") ? "PATCH" : "POST", body, headers })
      yield* send("/api/v1/import", JSON.stringify({ type: "deal", id: "d1", name: "One" }), {
        "content-type": "application/x-ndjson",
      })
      for (const path of ["/api/v1/deals/d1", "/api/v1/keys", "/api/v1/documents/library", "/mcp"]) {
        const { status, text } = yield* send(path, bytesOf('{"name":"caf', 0xe9, '"}'))
        assert.strictEqual(status, 400, `${path} ${text}`)
        assert.include(text, "the body must be UTF-8: byte 13 is 0xe9, after")
      }
      const kept = yield* send("/api/v1/deals/d1", '{"name":"caf\uFFFD"}')
      assert.deepStrictEqual([kept.status, kept.json.name], [200, "caf\uFFFD"])
      const zipped = yield* send("/api/v1/deals/d1", new Uint8Array(gzipSync("{}")), {
        ...json,
        "content-encoding": "gzip",
      })
      assert.strictEqual(zipped.status, 415)
      assert.include(zipped.json.error.message, "no Content-Encoding, unlike 'gzip'")
      const asked = yield* request("/api/v1/deals?searchQuery=caf%E9", key)
      assert.deepStrictEqual([asked.status, asked.json.error.message], [400, "the address must be UTF-8, unlike '%E9'"])
      assert.strictEqual((yield* request("/api/v1/deals?searchQuery=caf%C3%A9%zz", key)).status, 200)
      const long = yield* request(`/api/v1/deals/${"a".repeat(9000)}`, key)
      assert.deepStrictEqual([long.status, long.json.error.message], [400, "the path has too long a part"])
    }),
  )

  it.effect("refuses line breaks in names of files and addresses of them", () =>
    Effect.gen(function* () {
      const { request, tenant } = yield* Web
      const { key } = yield* tenant()
      const named = { type: "intel", competitor_id: "c", file_name: "a.md", content_type: "text/markdown" }
      for (const [wrong, field] of [
        [{ file_name: "a\r\nSet-Cookie: x.md", file_base64: "YQ==" }, "file_name"],
        [{ file_name: "\u001b[31m.md", file_base64: "YQ==" }, "file_name"],
        [{ file_name: "a\u2028.md", file_base64: "YQ==" }, "file_name"],
        [{ file_url: "https://exa\nmple.com/a.md" }, "file_url"],
        [{ file_url: "https://example.com\\@127.0.0.1/a.md" }, "file_url"],
      ] as const) {
        const body = JSON.stringify({ ...named, ...wrong })
        const reply = yield* request("/api/v1/documents/library", key, { method: "POST", body, headers: json })
        assert.strictEqual(reply.status, 400)
        assert.deepInclude(reply.json.error.details.invalid_fields[0], { field })
      }
    }),
  )

  it.effect("replies shortly to long names and many of them", () =>
    Effect.gen(function* () {
      const { request, tenant } = yield* Web
      const { key } = yield* tenant()
      const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, 1]))
      for (const body of [{ ["k".repeat(900_000)]: 1 }, many]) {
        const headers = json
        const { status, text } = yield* request("/api/v1/keys", key, {
          method: "POST",
          body: JSON.stringify(body),
          headers,
        })
        assert.strictEqual(status, 400)
        assert.isBelow(text.length, 20_000)
        assert.include(text, "missing: name")
        assert.include(text, "is not accepted here")
      }
    }),
  )

  it("finds the byte that is not UTF-8", () => {
    assert.strictEqual(problemOf("a\uFFFDb漢"), undefined)
    assert.strictEqual(problemOf("\uFEFF", "é"), undefined)
    assert.strictEqual(problemOf("\uFEFFa\uFFFD", 0xff), 'must be UTF-8: byte 8 is 0xff, after "a\uFFFD"')
    assert.strictEqual(problemOf("漢", 0xe6, 0xbc), 'must be UTF-8: byte 4 is 0xe6, after "漢"')
    assert.strictEqual(notUtf8InAddress("/a?b=%C3%A9%20%zz"), undefined)
    assert.strictEqual(notUtf8InAddress("/a?b=%C3%A9&c=x%ED%A0%80"), "%ED%A0%80")
  })
})
