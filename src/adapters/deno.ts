import "./serving/withoutAsyncContext.ts"
import * as Effect from "effect/Effect"
import { cannotListen } from "./serving/address.ts"
import { buildWebHandler, DEFAULT_HOST, DEFAULT_PORT, DRAIN_SECONDS, type ServeOptions } from "./serving/serving.ts"

/** The used part of `Deno`, whose types are not installed. */
declare const Deno: {
  readonly serve: (
    options: {
      readonly hostname: string
      readonly port: number
      readonly signal: AbortSignal
      readonly onListen: () => void
    },
    handler: (request: Request, info: { readonly remoteAddr: { readonly hostname?: string } }) => Promise<Response>,
  ) => { readonly addr: { readonly port: number }; readonly shutdown: () => Promise<void> }
}

/** Serves on `Deno.serve` until the scope closes. */
export const serve = Effect.fnUntraced(function* <E, P = never>(options: ServeOptions<E, P>) {
  const { host = DEFAULT_HOST, port = DEFAULT_PORT } = options
  const { handler, listening } = yield* buildWebHandler(options)
  const abort = new AbortController()
  const server = yield* Effect.acquireRelease(
    Effect.try({
      try: () =>
        Deno.serve({ hostname: host, port, signal: abort.signal, onListen: () => {} }, (request, { remoteAddr }) =>
          handler(request, remoteAddr.hostname),
        ),
      catch: (cause) => cannotListen(host, port, cause),
    }),
    (server) =>
      Effect.promise(() => server.shutdown()).pipe(
        Effect.timeoutOrElse({ duration: `${DRAIN_SECONDS} seconds`, orElse: () => Effect.sync(() => abort.abort()) }),
      ),
  )
  return listening(host, server.addr.port)
})
