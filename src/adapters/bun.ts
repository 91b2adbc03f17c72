import http from "node:http"
import * as Effect from "effect/Effect"
import {
  buildWebHandler,
  cannotListen,
  DEFAULT_HOST,
  DEFAULT_PORT,
  DRAIN_SECONDS,
  MAX_HEADER_BYTES,
  MAX_BODY_BYTES,
  type ServeOptions,
} from "./serving/serving.ts"

/** Serves on `Bun.serve` until the scope closes. */
export const serve = Effect.fnUntraced(function* <E, P = never>(options: ServeOptions<E, P>) {
  const { host = DEFAULT_HOST, port = DEFAULT_PORT } = options
  // The one place where Bun lets a program say it; its types know it as constant.
  Object.assign(http, { maxHeaderSize: MAX_HEADER_BYTES })
  const { handler, listening } = yield* buildWebHandler(options)
  const server = yield* Effect.acquireRelease(
    Effect.try({
      try: () =>
        Bun.serve({
          hostname: host,
          port,
          development: false,
          // Seconds without a byte either way; streams send a ping more often.
          idleTimeout: 120,
          maxRequestBodySize: MAX_BODY_BYTES,
          fetch: (request, server) => handler(request, server.requestIP(request)?.address),
        }),
      catch: (cause) => cannotListen(host, port, cause),
    }),
    (server) =>
      Effect.promise(() => server.stop()).pipe(
        Effect.timeoutOrElse({
          duration: `${DRAIN_SECONDS} seconds`,
          orElse: () => Effect.promise(() => server.stop(true)),
        }),
      ),
  )
  return listening(host, server.port ?? port)
})
