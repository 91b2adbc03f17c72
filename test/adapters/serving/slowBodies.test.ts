import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { setInterval as every } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { guard } from "../../../src/adapters/serving/nodeConnections.ts"
import { until } from "../../support/until.ts"

const PACE = { waitMs: 200, bytesPerSecond: 1000, checkIntervalMs: 50 }

/** Replies with the length of the body. With `x-late`, reads the body only when all of it has arrived. */
const server = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = guard(
      createServer(async (request, response) => {
        if (request.headers["x-late"] !== undefined)
          await until(
            "the whole body waits",
            () => String(request.readableLength) === request.headers["content-length"],
          )
        let bytes = 0
        request
          .on("data", (piece: Buffer) => (bytes += piece.length))
          .on("end", () => response.end(String(bytes)))
          .on("error", () => {})
      }),
      undefined,
      PACE,
    )
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    return server
  }),
  (server) => Effect.promise(() => new Promise((done) => (server.close(done), server.closeAllConnections()))),
).pipe(Effect.map((server) => (server.address() as AddressInfo).port))

/** Sends so many bytes, and so many of them in each tenth of a second; resolves with the reply. */
const send = (port: number, bytes: number, perTick: number, head = "") =>
  Effect.promise(async () => {
    const socket = connect(port, "127.0.0.1").on("error", () => {})
    let reply = ""
    socket.setEncoding("utf8").on("data", (piece: string) => (reply += piece))
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${head}Content-Length: ${bytes}\r\nConnection: close\r\n\r\n`)
    let left = bytes
    for await (const _ of every(100)) {
      if (left <= 0 || socket.closed || reply !== "") break
      socket.write("x".repeat(Math.min(left, perTick)))
      left -= perTick
    }
    if (!socket.closed) await once(socket, "close")
    return reply
  })

describe("the pace of a body on Node", () => {
  it.live("refuses a body that arrives too slowly, in the envelope", () =>
    Effect.gen(function* () {
      const reply = yield* send(yield* server, 10_000, 1)
      assert.match(reply, /^HTTP\/1\.1 408 /)
      assert.include(reply, '"code":"bad_request"')
      assert.include(reply, "32 KiB per second")
    }),
  )

  it.live("lets a large body take as long as its bytes may", () =>
    Effect.gen(function* () {
      assert.match(yield* send(yield* server, 4000, 400), /^HTTP\/1\.1 200 [^]*4000$/)
    }),
  )

  it.live("does not count the time in which the app does not read", () =>
    Effect.gen(function* () {
      assert.match(yield* send(yield* server, 300, 25, "x-late: 1\r\n"), /^HTTP\/1\.1 200 [^]*300$/)
    }),
  )
})
