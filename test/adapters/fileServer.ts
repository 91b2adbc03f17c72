import { createServer, type RequestListener, type Server } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { late } from "../support/until.ts"
import { CERTIFICATE, PRIVATE_KEY } from "./certificate.ts"

export const FILE = "%PDF-1.7 a file".repeat(100)

/** Answers like a file server, and like an attacker. */
const answer: RequestListener = (request, response) => {
  const url = new URL(request.url ?? "/", "http://localhost")
  const every = (milliseconds: number, bytes: Uint8Array) => {
    response.writeHead(200, { "content-type": "text/plain" })
    const timer = setInterval(() => response.writableNeedDrain || response.write(bytes), milliseconds)
    response.on("close", () => clearInterval(timer))
  }
  const redirect = (location: string, headers = {}) => response.writeHead(302, { location, ...headers }).end("moved")
  const file = () => response.writeHead(200, { "content-type": "Application/PDF; charset=x" }).end(FILE)
  const n = Number(url.searchParams.get("n"))
  switch (url.pathname) {
    case "/file":
      return file()
    case "/slow":
      return late(6_000).then(file)
    case "/redirect":
      return redirect(url.searchParams.get("to") ?? "")
    case "/chain":
      return redirect(n === 1 ? "/file" : `/chain?n=${n - 1}`)
    case "/cookie":
      return redirect("/echo", { "set-cookie": "a=b" })
    case "/echo":
      return response.writeHead(200).end(JSON.stringify(request.headers))
    case "/compressed":
      return response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(FILE))
    case "/huge":
      return response.writeHead(200, { "content-length": "1000000000" }).write("x")
    case "/endless":
      return every(0, new Uint8Array(32 * 1024))
    case "/drip":
      return every(50, Uint8Array.of(120))
    case "/take": {
      let body = ""
      request.setEncoding("utf8").on("data", (text: string) => (body += text))
      const { "x-told": told, "content-length": length } = request.headers
      const whole = () => request.method === "POST" && told === "1" && length === "8" && body === "größer"
      return request.on("end", () => response.writeHead(whole() ? 202 : 400).end("taken"))
    }
    case "/mute":
      return undefined
    case "/cut":
      response.writeHead(200, { "content-length": "1000" })
      return response.write("x".repeat(500), () => response.destroy())
    default:
      return response.writeHead(404).end("nothing")
  }
}

const listen = (server: Server) =>
  new Promise<number>((done) => server.listen(0, "127.0.0.1", () => done((server.address() as AddressInfo).port)))

/** Listens on two ports of this machine, the second with TLS. `open` counts connections. */
export const startFileServer = async () => {
  let open = 0
  const servers = [createServer(answer), createTlsServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, answer)] as const
  for (const server of servers) {
    server.on("connection", (socket) => {
      open++
      socket.on("close", () => open--)
    })
  }
  return {
    port: await listen(servers[0]),
    tlsPort: await listen(servers[1]),
    open: () => open,
    stop: () => {
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}
