import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import process from "node:process"
import type { Duplex } from "node:stream"
import { BODY_PACE, watchBodies } from "./slowBodies.ts"

// An import would evaluate every export; one loads an HTTP client in 25 ms.
const { STATUS_CODES } = process.getBuiltinModule("node:http")

/** Connections without a complete first request. Above this limit the oldest are closed; the header timeout closes the rest. */
export const MAX_HALF_OPEN = 1_000

/** After the reply, a caller that still sends its body has so long to read the reply before its connection is closed. */
export const UNFINISHED_BODY_MS = 5_000

const CALLER_ID = /^[A-Za-z0-9._-]{1,128}$/

const CLIENT_ERRORS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "the address and the headers together must stay under 64 KiB"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "the request did not arrive in time"],
  SLOW_BODY: [
    408,
    `the body arrives at less than ${BODY_PACE.bytesPerSecond / 1024} KiB per second; send it faster, or in smaller requests`,
  ],
}

/**
 * Replies with the app's error envelope and a request id to requests that never reach the app: invalid HTTP, a header that is too long or too slow, a missing
 * `Host`, an unsupported `Expect`, a slow body. Limits half-open connections, and closes those whose body does not end after the reply.
 */
export const guard = (server: Server, unfinishedBodyMs = UNFINISHED_BODY_MS, pace = BODY_PACE) => {
  const watch = watchBodies(pace, ({ socket }) =>
    refuseConnection(Object.assign(new Error("slow body"), { code: "SLOW_BODY" }), socket),
  )
  server.on("clientError", refuseConnection)
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) =>
    refuse(request, response, 417, "only `Expect: 100-continue` is supported; omit the header"),
  )
  const halfOpen = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    halfOpen.add(socket)
    socket.once("close", () => halfOpen.delete(socket))
    const [oldest] = halfOpen
    if (halfOpen.size > MAX_HALF_OPEN) oldest?.destroy()
  })
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket, headers } = request
    halfOpen.delete(socket)
    if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined) {
      response.once("finish", () => endUnfinished(request, unfinishedBodyMs))
      watch(request, response)
    }
  })
  return server
}

/** Without this, Node waits for the rest of a refused body as long as for a wanted one. */
const endUnfinished = (request: IncomingMessage, waitMs: number) => {
  if (request.complete) return
  const { socket } = request
  const timer = setTimeout(() => socket.destroy(), waitMs).unref()
  const stop = () => clearTimeout(timer)
  request.once("end", stop)
  socket.once("close", stop)
}

/** Rejects HTTP/1.1 requests without the required `Host`. */
export const withHost =
  (listener: RequestListener): RequestListener =>
  (request, response) =>
    request.headers.host === undefined && request.httpVersion === "1.1"
      ? refuse(request, response, 400, "the request has no Host header, which HTTP/1.1 requires")
      : listener(request, response)

const refuse = ({ headers }: IncomingMessage, response: ServerResponse, status: number, message: string) => {
  const given = headers["x-request-id"]
  const [body, more] = refusal(message, typeof given === "string" && CALLER_ID.test(given) ? given : undefined)
  response.writeHead(status, { ...more, connection: "close" }).end(body)
}

const refuseConnection = (error: NodeJS.ErrnoException, socket: Duplex) => {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy()
  const [status, message] = CLIENT_ERRORS[error.code ?? ""] ?? [400, "this is not a well-formed HTTP request"]
  const [body, headers] = refusal(message)
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`)
}

const refusal = (message: string, id: string = crypto.randomUUID()) => {
  const body = JSON.stringify({ error: { code: "bad_request", message } })
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": id,
  }
  return [body, headers] as const
}
