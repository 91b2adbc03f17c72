import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import process from "node:process"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { guard, withHost } from "./serving/nodeConnections.ts"
import { makeHandler } from "./serving/nodeHandler.ts"
import { cannotListen } from "./serving/address.ts"
import {
  build,
  DEFAULT_HOST,
  DEFAULT_PORT,
  DRAIN_SECONDS,
  MAX_HEADER_BYTES,
  type ServeOptions,
} from "./serving/serving.ts"

// An import would evaluate every export; one loads an HTTP client in 25 ms.
const { createServer, ServerResponse } = process.getBuiltinModule("node:http")

/** Serves on `node:http` until the scope closes. */
export const serve = Effect.fnUntraced(function* <E, P = never>(options: ServeOptions<E, P>) {
  const { host = DEFAULT_HOST, port = DEFAULT_PORT } = options
  const { app, listening } = yield* build(options)
  const requests = yield* Scope.fork(yield* Effect.scope)
  const handler = yield* makeHandler(app, { scope: requests })
  const server = guard(createServer({ ...LIMITS, ServerResponse: OneWrite }, withHost(handler)))
  yield* Effect.acquireRelease(listen(server, host, port), () => close(server))
  return listening(host, (server.address() as AddressInfo).port)
})

/**
 * Writes a reply of text in one call. Effect's handler lets Node count the bytes of each body, and Node then writes an empty chunk after
 * it, in a second step. The length of a text is known: it is the reply's `Content-Length`.
 */
class OneWrite extends ServerResponse {
  override end(...given: ReadonlyArray<any>): this {
    if (typeof given[0] === "string") this.strictContentLength = false
    return super.end(...(given as [() => void]))
  }
}

/** A header has a short timeout; a body may take long, because it may be a recording. */
const LIMITS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: 15_000,
  requestTimeout: 600_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  // Node's default rejection has no body.
  requireHostHeader: false,
}

const listen = (server: Server, host: string, port: number) =>
  Effect.callback<void, ReturnType<typeof cannotListen>>((resume) => {
    server.once("error", (cause) => resume(Effect.fail(cannotListen(host, port, cause))))
    server.listen(port, host, () => resume(Effect.void))
  })

const close = (server: Server) =>
  Effect.callback<void>((resume) => {
    const began = performance.now()
    // A keep-alive connection becomes idle only after its last reply.
    const sweep = setInterval(() => {
      if (performance.now() - began > DRAIN_SECONDS * 1000) server.closeAllConnections()
      else server.closeIdleConnections()
    }, 50)
    server.close(() => {
      clearInterval(sweep)
      resume(Effect.void)
    })
  })
