import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { layerPlainFetcher } from "../../src/adapters/fetch/plain.ts"
import { UrlFetcher } from "../../src/core/ports/UrlFetcher.ts"

const message = { headers: { "content-type": "application/json" }, body: `{"type":"export.completed"}` }

describe("the fetcher of a host without sockets of its own", () => {
  it.effect("refuses private addresses and other ports, and cannot fetch files", () =>
    Effect.gen(function* () {
      const { check, post } = yield* UrlFetcher
      for (const url of [
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://10.0.0.1/",
        "https://a.example:8443/",
        "ftp://a",
      ]) {
        assert.strictEqual((yield* Effect.flip(check(url, "post")))._tag, "FetchRefused", url)
        assert.strictEqual((yield* Effect.flip(post(url, message, { seconds: 600 })))._tag, "FetchRefused", url)
      }
      yield* check("https://hooks.example/sightline", "post")
      assert.include((yield* Effect.flip(check("https://files.example/a.pdf", "fetch"))).message, "no files")
    }).pipe(Effect.provide(layerPlainFetcher({}))),
  )

  it.live("posts to an address that the operator allows, and follows no redirect", () =>
    Effect.gen(function* () {
      const received: Array<string> = []
      const server = yield* Effect.acquireRelease(
        Effect.promise(
          () =>
            new Promise<ReturnType<typeof createServer>>((resolve) => {
              const made = createServer((request, response) => {
                request.on("data", (bytes) => received.push(`${request.url} ${bytes}`))
                request.on("end", () => response.writeHead(307, { location: "/elsewhere" }).end("moved"))
              })
              made.listen(0, "127.0.0.1", () => resolve(made))
            }),
        ),
        (made) => Effect.sync(() => made.close()),
      )
      const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
      const { post } = yield* Effect.provide(UrlFetcher, layerPlainFetcher({ webhookHosts: [host] }))
      const { status } = yield* post(`http://${host}/hook`, message, { seconds: 600 })
      assert.strictEqual(status, 307)
      assert.deepStrictEqual(received, [`/hook ${message.body}`])
    }).pipe(Effect.scoped),
  )
})
