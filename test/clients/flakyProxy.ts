import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** The fault of one request. */
export type Fault =
  /** The connection breaks before the server has the request. */
  | "refuse"
  /** The server carries out the request, and its reply is lost. */
  | "lose reply"
  /** A reply of the proxy itself. */
  | { readonly reply: number; readonly headers?: Record<string, string>; readonly body?: string }
  /** The connection breaks after so many events, and `more` bytes of the next. */
  | { readonly cutAfterEvents: number; readonly more?: number }
  /** After so many events nothing arrives, and the connection stays open. */
  | { readonly stallAfterEvents: number }

export interface FlakyProxy {
  readonly url: string
  /** Every request, as `GET /path`, with its headers. */
  readonly requests: Array<{ readonly line: string; readonly headers: IncomingMessage["headers"] }>
  /** The status of every reply of the target. */
  readonly replies: Array<number | undefined>
  /** The faults of the next requests, in order. Requests after those succeed. */
  readonly fail: (...faults: ReadonlyArray<Fault | "pass">) => void
  /** Breaks every open connection. */
  readonly breakConnections: () => void
  /** Cuts the next event stream after its first event. */
  readonly cutNextStream: () => void
  readonly hasCutStream: () => boolean
  readonly close: () => Promise<void>
}

/** An HTTP proxy to `target` that fails as configured. */
export const startFlakyProxy = async (target: string): Promise<FlakyProxy> => {
  let faults: Array<Fault | "pass"> = []
  let streamCut: "none" | "next" | "cut" = "none"
  const requests: FlakyProxy["requests"] = []
  const replies: FlakyProxy["replies"] = []
  const server = createServer((incoming, outgoing) => {
    requests.push({ line: `${incoming.method} ${incoming.url}`, headers: incoming.headers })
    // A browser asks for permission first.
    const fault = incoming.method === "OPTIONS" ? "pass" : (faults.shift() ?? "pass")
    if (fault === "refuse") return void incoming.socket.destroy()
    if (typeof fault === "object" && "reply" in fault) {
      incoming.resume()
      return void outgoing.writeHead(fault.reply, fault.headers).end(fault.body)
    }
    const { hostname, port } = new URL(target)
    const { method, url: path, headers } = incoming
    const forwarded = request({ hostname, port, method, path, headers }, (reply) => {
      replies.push(reply.statusCode)
      const isStream = reply.headers["content-type"]?.startsWith("text/event-stream") === true
      const isCut = streamCut === "next" && isStream
      if (isCut) streamCut = "cut"
      pass(reply, outgoing, isCut ? { cutAfterEvents: 1 } : fault)
    })
    forwarded.on("error", () => outgoing.destroy())
    outgoing.on("close", () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    replies,
    fail: (...next) => {
      faults = [...next]
      requests.length = 0
      replies.length = 0
    },
    breakConnections: () => server.closeAllConnections(),
    cutNextStream: () => void (streamCut = "next"),
    hasCutStream: () => streamCut === "cut",
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const pass = (reply: IncomingMessage, outgoing: ServerResponse, fault: Fault | "pass") => {
  reply.on("error", () => outgoing.destroy())
  if (fault === "lose reply") {
    reply.on("end", () => outgoing.destroy())
    return void reply.resume()
  }
  outgoing.writeHead(reply.statusCode ?? 500, reply.headers)
  if (typeof fault === "string" || "reply" in fault) return void reply.pipe(outgoing)
  outgoing.flushHeaders()
  const most = "cutAfterEvents" in fault ? fault.cutAfterEvents : fault.stallAfterEvents
  let text = ""
  let sent = 0
  reply.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk
    for (let end = text.indexOf("\n\n"); end >= 0 && sent < most; end = text.indexOf("\n\n")) {
      const event = text.slice(0, end + 2)
      text = text.slice(end + 2)
      outgoing.write(event)
      if (event.startsWith("id:")) sent++
    }
    if (sent < most || "stallAfterEvents" in fault) return
    if (fault.more !== undefined) {
      if (text === "") return
      outgoing.write(text.slice(0, fault.more))
    }
    // What was written arrives before the connection breaks.
    setImmediate(() => outgoing.destroy())
  })
  reply.on("end", () => "cutAfterEvents" in fault && outgoing.destroy())
}
