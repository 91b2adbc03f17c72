import { gunzipSync, brotliDecompressSync } from "node:zlib"
import { assert, it, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { compressor } from "../../src/adapters/serving/serving.ts"
import { ICON_LINK } from "../../src/core/http/replies/icon.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { engines } from "../support/engines.ts"

const PATHS = ["/openapi.json", "/docs"]

/** A handler that counts its brotli compressions. */
class Counted extends Context.Service<
  Counted,
  {
    readonly compressions: () => number
    readonly get: (path: string, headers?: Record<string, string>) => Effect.Effect<Response>
  }
>()("test/Counted") {
  static readonly layer = Layer.effect(
    Counted,
    Effect.gen(function* () {
      let compressions = 0
      const counting = {
        ...compressor,
        brotli: () => {
          compressions++
          return compressor.brotli()
        },
      }
      const { handler } = yield* Effect.acquireRelease(
        Effect.promise(() => Sightline.open({ database: engines.at(-1)!.database, compressor: counting })),
        ({ dispose }) => Effect.promise(() => dispose()),
      )
      return Counted.of({
        compressions: () => compressions,
        get: (path, headers = {}) => Effect.promise(() => handler(new Request(`http://localhost${path}`, { headers }))),
      })
    }),
  )
}

layer(Counted.layer, { excludeTestServices: true })("public pages", (it) => {
  it.effect("declare their icon, so that browsers do not ask for /favicon.ico", () =>
    Effect.gen(function* () {
      const { get } = yield* Counted
      const reply = yield* get("/docs")
      assert.include(yield* Effect.promise(() => reply.text()), `<head>${ICON_LINK}`)
      assert.include(reply.headers.get("content-security-policy")!, "img-src data:")
    }),
  )

  it.effect("are compressed once for concurrent requests", () =>
    Effect.gen(function* () {
      const { compressions, get } = yield* Counted
      for (const path of PATHS) {
        const before = compressions()
        const plain = yield* Effect.flatMap(get(path), (reply) => Effect.promise(() => reply.bytes()))
        const replies = yield* Effect.all(
          Array.from({ length: 8 }, () => get(path, { "accept-encoding": "br" })),
          { concurrency: "unbounded" },
        )
        for (const reply of replies) {
          assert.strictEqual(reply.headers.get("content-encoding"), "br")
          const body = yield* Effect.promise(() => reply.bytes())
          assert.strictEqual(reply.headers.get("content-length"), String(body.length))
          assert.isTrue(Buffer.from(plain).equals(brotliDecompressSync(body)), path)
        }
        assert.strictEqual(compressions() - before, 1, path)
        const gzip = yield* get(path, { "accept-encoding": "gzip" })
        assert.strictEqual(gzip.headers.get("content-encoding"), "gzip")
        assert.match(gzip.headers.get("vary") ?? "", /Accept-Encoding/i)
        const unzipped = gunzipSync(yield* Effect.promise(() => gzip.bytes()))
        assert.isTrue(Buffer.from(plain).equals(unzipped), path)
        assert.strictEqual(compressions() - before, 1, path)
      }
    }),
  )

  it.effect("reply 304 without a body to a caller that has them, in any encoding", () =>
    Effect.gen(function* () {
      const { get } = yield* Counted
      for (const path of PATHS) {
        const first = yield* get(path)
        const etag = first.headers.get("etag") ?? ""
        assert.match(etag, /^W\/"[\w-]{20,}"$/)
        assert.match(first.headers.get("cache-control") ?? "", /max-age=\d+/)
        for (const held of [etag, `"other", ${etag}`, etag.slice(2), "*"]) {
          const again = yield* get(path, { "if-none-match": held, "accept-encoding": "br" })
          assert.strictEqual(again.status, 304, held)
          assert.strictEqual(again.headers.get("etag"), etag)
          assert.strictEqual((yield* Effect.promise(() => again.bytes())).length, 0)
        }
        assert.strictEqual((yield* get(path, { "if-none-match": '"other"' })).status, 200)
      }
    }),
  )
})

it("with `docs: false`, /docs is a path that does not exist, and nothing names it", async () => {
  await using sightline = await Sightline.open({ database: engines.at(-1)!.database, docs: false })
  const ask = async (method: string, path: string) => {
    const reply = await sightline.handler(new Request(`http://localhost${path}`, { method }))
    const { "x-request-id": _, date: __, ...headers } = Object.fromEntries(reply.headers)
    return { status: reply.status, body: await reply.text(), headers }
  }
  for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
    const absent = await ask(method, "/absent")
    assert.strictEqual(absent.status, 404)
    const page = await ask(method, "/docs")
    // A failure must not print the page.
    assert.strictEqual(page.status, 404, method)
    assert.deepStrictEqual(page, absent, method)
  }
  const { status, body } = await ask("GET", "/openapi.json")
  assert.strictEqual(status, 200)
  assert.notInclude(body, "/docs")
})
