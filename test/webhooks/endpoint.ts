import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly type: string
  readonly id: string
}

/** Starts a server on a free local port. `answer` returns the status of each reply; undefined: it never replies. */
export const startEndpoint = async () => {
  const received: Array<Received> = []
  const endpoint = {
    received,
    port: 0,
    answer: (_: Received): number | undefined | Promise<number> => 204,
    at: (path: string) => received.filter((each) => each.path === path),
  }
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", async () => {
      const { type, data } = body === "" ? { type: "", data: {} } : JSON.parse(body)
      const delivery: Received = {
        path: request.url ?? "",
        headers: request.headers,
        body,
        type,
        id: data?.id ?? "",
      }
      received.push(delivery)
      const status = await endpoint.answer(delivery)
      if (status === undefined) return
      response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {})
      response.end("x".repeat(100_000))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  endpoint.port = (server.address() as AddressInfo).port
  return Object.assign(endpoint, { stop: () => (server.closeAllConnections(), server.close()) })
}
export type Endpoint = Awaited<ReturnType<typeof startEndpoint>>
