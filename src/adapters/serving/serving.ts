import { Duplex } from "node:stream"
import * as zlib from "node:zlib"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import * as HttpEffect from "effect/http/HttpEffect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { Compressor } from "../../core/http/replies/compression.ts"
import { BaseUrl } from "../../core/http/addresses/BaseUrl.ts"
import { PeerAddress } from "../../core/http/addresses/client.ts"
import { layerHttp, type Options } from "../../core/layers.ts"
import type { Services } from "../../core/provided.ts"
import { HttpApp } from "../../core/server/HttpApp.ts"
import { Metrics } from "../../core/server/Metrics.ts"
import { type CannotListen, type Serving, serving } from "./address.ts"

/** Loads the console when a browser first asks for it. */
const loadConsole = async () => (await import("../console/load.ts")).loadConsole()

export type { CannotListen, Services, Serving }

/** A server accepts keys only, and continues its callers' traces: it has no sessions and no spans of a host. */
export interface ServeOptions<E, P = never> extends Omit<Options<E>, "principal" | "parent"> {
  /** Runs after the services are built and before the server listens. */
  readonly prepare?: Effect.Effect<unknown, P, Services> | undefined
  /** Default 127.0.0.1: only this machine can connect. */
  readonly host?: string | undefined
  /** Default 8787; 0 chooses a free port. */
  readonly port?: number | undefined
  /** Serves `/metrics` at an address of its own, without a key. */
  readonly metricsAt?: { readonly host: string; readonly port: number } | undefined
}

/** How long a stopping server waits for requests in flight before it interrupts them. */
export const DRAIN_SECONDS = 20

/** The largest upload (500 MiB) plus multipart overhead: the outer limit. Each route has its own. */
export const MAX_BODY_BYTES = 512 * 1024 * 1024

/** The URL and the headers together. Filters are in the URL, so it may be long. */
export const MAX_HEADER_BYTES = 64 * 1024

export const DEFAULT_HOST = "127.0.0.1"
export const DEFAULT_PORT = 8787

/** Level 4 takes about gzip's time for fewer bytes. The default, the highest level, takes twenty times as long. */
const LEVEL = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }

export const compressor: Compressor = {
  brotli: () => Duplex.toWeb(zlib.createBrotliCompress(LEVEL)) as unknown as ReturnType<Compressor["brotli"]>,
  whole: (body, algorithm) => (algorithm === "br" ? zlib.brotliCompressSync(body, LEVEL) : zlib.gzipSync(body)),
}

/** Builds everything a request needs before the server listens, so that a listening server answers. */
export const build = Effect.fnUntraced(function* <E, P = never>(options: ServeOptions<E, P>) {
  const context = yield* Layer.build(layerHttp({ compressor, console: loadConsole, oauth: {}, ...options }))
  if (options.prepare !== undefined) yield* Effect.provideContext(options.prepare, context)
  if (options.metricsAt !== undefined) {
    const [{ listenForMetrics }, { layerProcessMetrics }] = yield* Effect.promise(() =>
      Promise.all([import("../telemetry/metricsListener.ts"), import("../telemetry/process.ts")]),
    )
    yield* Layer.build(layerProcessMetrics)
    yield* listenForMetrics(Context.get(context, Metrics), options.metricsAt)
  }
  const { listensAt } = Context.get(context, BaseUrl)
  return {
    // The app holds its context: a request with a small context has little to copy.
    app: Context.get(context, HttpApp),
    /** Call this once the server listens: without a public address, links begin with this one. */
    listening: (host: string, port: number): Serving => {
      const served = serving(host, port, options.basePath)
      listensAt(served.url)
      return served
    },
  }
})

/** Builds one web handler, for runtimes that serve those. */
export const buildWebHandler = <E, P = never>(options: ServeOptions<E, P>) =>
  Effect.flatMap(build(options), ({ app, listening }) =>
    Effect.map(Effect.context<never>(), (context) => ({
      handler: withAddress(HttpEffect.toWebHandlerWith<never, HttpServerRequest | Scope>(context)(app)),
      listening,
    })),
  )

/** Passes the peer's address, which only the runtime knows, to the handler. */
const withAddress =
  (handler: (request: Request, context?: Context.Context<never>) => Promise<Response>) =>
  (request: Request, address: string | undefined) =>
    handler(request, Context.make(PeerAddress, address))
