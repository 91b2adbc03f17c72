import http from "node:http"
import * as Effect from "effect/Effect"
import { cannotListen } from "./serving/address.ts"
import {
  buildWebHandler,
  DEFAULT_HOST,
  DEFAULT_PORT,
  DRAIN_SECONDS,
  MAX_HEADER_BYTES,
  MAX_BODY_BYTES,
  type ServeOptions,
} from "./serving/serving.ts"

/** As `UNFINISHED_BODY_MS` of Node. */
const UNFINISHED_BODY_SECONDS = 5

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
          fetch: async (request, server) => {
            const response = await handler(request, server.requestIP(request)?.address)
            // Bun waits for the rest of a refused body as long as for a wanted one.
            if (response.status >= 400 && request.body !== null && !request.bodyUsed)
              server.timeout(request, UNFINISHED_BODY_SECONDS)
            return response
          },
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
