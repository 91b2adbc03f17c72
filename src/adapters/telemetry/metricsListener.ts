import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import process from "node:process"
import * as Effect from "effect/Effect"
import { type Metrics } from "../../core/server/Metrics.ts"
import { METRICS_TYPE } from "../../core/server/metricsRoute.ts"
import { cannotListen, serving } from "../serving/address.ts"

/**
 * Serves `/metrics` at an address of its own until the scope closes. Anyone who reaches the address can read, so it is one
 * of this machine or of a private network.
 */
export const listenForMetrics = Effect.fnUntraced(function* (
  { page }: Metrics["Service"],
  { host, port }: { readonly host: string; readonly port: number },
) {
  const { createServer } = process.getBuiltinModule("node:http")
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const server = createServer(({ method, url = "" }, response) => {
    if (!/^\/metrics(?:\?|$)/.test(url) || (method !== "GET" && method !== "HEAD")) {
      return void response.writeHead(404, { "content-type": "text/plain" }).end("GET /metrics\n")
    }
    run(page()).then(
      (text) => response.writeHead(200, { "content-type": METRICS_TYPE, "cache-control": "no-store" }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  yield* Effect.acquireRelease(listen(server, host, port), () =>
    Effect.sync(() => (server.closeAllConnections(), server.close())),
  )
  const { url } = serving(host, (server.address() as AddressInfo).port)
  yield* Effect.logInfo(`metrics at ${url}/metrics`)
})

const listen = (server: Server, host: string, port: number) =>
  Effect.callback<void, ReturnType<typeof cannotListen>>((resume) => {
    server.once("error", (cause) => resume(Effect.fail(cannotListen(host, port, cause))))
    server.listen(port, host, () => resume(Effect.void))
  })
