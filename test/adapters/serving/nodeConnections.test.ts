import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { until } from "../../support/until.ts"
import { guard, MAX_HALF_OPEN, withHost } from "../../../src/adapters/serving/nodeConnections.ts"

const UNFINISHED_BODY_MS = 500

const server = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = guard(
      createServer(
        { requireHostHeader: false },
        withHost((_request, response) => response.end("answered")),
      ),
      UNFINISHED_BODY_MS,
    )
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    return server
  }),
  (server) => Effect.promise(() => new Promise((done) => (server.close(done), server.closeAllConnections()))),
).pipe(Effect.map((server) => (server.address() as AddressInfo).port))

const open = async (port: number) => {
  const socket = connect(port, "127.0.0.1").on("error", () => {})
  await once(socket, "connect")
  return socket
}

/** Everything that the server sends until it closes the connection. */
const sent = async (port: number, text: string) => {
  const socket = await open(port)
  let reply = ""
  socket.setEncoding("utf8").on("data", (piece: string) => (reply += piece))
  socket.write(text)
  await once(socket, "close")
  const [head = "", body = ""] = reply.split("\r\n\r\n")
  const [status = "", ...lines] = head.split("\r\n")
  const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(": ")))
  return { status: Number(status.split(" ")[1]), headers, body }
}

const END = "\r\n\r\n"

describe("requests that never reach the app on Node", () => {
  for (const [kind, text, status] of [
    ["text that is not HTTP", `hello${END}`, 400],
    ["a request without Host", `GET / HTTP/1.1${END}`, 400],
    ["an Expect that cannot be met", `GET / HTTP/1.1\r\nHost: x\r\nExpect: a-miracle${END}`, 417],
    ["a header over the limit", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(70_000)}${END}`, 431],
    ["two lengths of one body", `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2${END}`, 400],
  ] as const) {
    it.effect(`${kind} is answered in the envelope, with a request id`, () =>
      Effect.gen(function* () {
        const port = yield* server
        const reply = yield* Effect.promise(() => sent(port, text))
        assert.strictEqual(reply.status, status)
        const { error } = JSON.parse(reply.body) as { error: Record<string, string> }
        assert.strictEqual(error["code"], "bad_request")
        assert.isNotEmpty(error["message"])
        assert.match(reply.headers["x-request-id"] ?? "", /^[\w-]{36}$/)
        assert.strictEqual(reply.headers["content-type"], "application/json")
        assert.strictEqual(reply.headers["x-content-type-options"], "nosniff")
      }),
    )
  }

  it.effect("keeps the caller's request id if the header is readable", () =>
    Effect.gen(function* () {
      const port = yield* server
      const text = `GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine-1\r\nExpect: a-miracle${END}`
      const { headers } = yield* Effect.promise(() => sent(port, text))
      assert.strictEqual(headers["x-request-id"], "mine-1")
    }),
  )

  it.effect("closes a connection whose body does not end after the reply, and keeps one whose body does", () =>
    Effect.gen(function* () {
      const port = yield* server
      const post = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3${END}`
      const whole = yield* Effect.promise(() => open(port))
      whole.write(`${post}abc`)
      yield* Effect.promise(() => once(whole, "data"))
      const late = yield* Effect.promise(() => open(port))
      late.write(`${post}a`)
      yield* Effect.promise(() => once(late, "data"))
      late.write("bc")
      assert.strictEqual((yield* Effect.promise(() => sent(port, `${post}a`))).status, 200)
      for (const socket of [whole, late]) {
        socket.write(`GET / HTTP/1.1\r\nHost: x${END}`)
        yield* Effect.promise(() => once(socket, "data"))
        socket.destroy()
      }
    }),
  )

  it.effect("beyond the limit closes the oldest half-open connections, but no connection that made a request", () =>
    Effect.gen(function* () {
      const port = yield* server
      const used = yield* Effect.promise(() => open(port))
      used.write(`GET / HTTP/1.1\r\nHost: x${END}`)
      yield* Effect.promise(() => once(used, "data"))
      const idle: Array<Socket> = []
      for (let n = 0; n < MAX_HALF_OPEN + 50; n++) idle.push(yield* Effect.promise(() => open(port)))
      const closed = () =>
        idle.map((socket, n) => (socket.closed || socket.readableEnded ? n : -1)).filter((n) => n >= 0)
      for (const socket of idle) socket.resume()
      yield* Effect.promise(() => until("50 connections close", () => closed().length >= 50))
      assert.deepStrictEqual(
        closed(),
        Array.from({ length: 50 }, (_, n) => n),
      )
      const again = yield* Effect.promise(() => sent(port, `GET / HTTP/1.1\r\nHost: x\r\nConnection: close${END}`))
      assert.strictEqual(again.status, 200)
      assert.isFalse(used.closed)
      for (const socket of [used, ...idle]) socket.destroy()
    }),
  )
})
