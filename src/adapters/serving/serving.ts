import { Duplex } from "node:stream"
import * as zlib from "node:zlib"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import * as HttpEffect from "effect/http/HttpEffect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { Compressor } from "../../core/http/compression.ts"
import { BaseUrl } from "../../core/http/BaseUrl.ts"
import { PeerAddress } from "../../core/http/clientAddress.ts"
import { HttpApp, layerHttp, type Options } from "../../core/Sightline.ts"

/** The services that a request finds, for a host that wants them before the first. */
export type Services = Layer.Success<ReturnType<typeof layerHttp>>

export interface ServeOptions<E, P = never> extends Options<E> {
  /** Done after the services are built and before anything listens. */
  readonly prepare?: Effect.Effect<unknown, P, Services> | undefined
  /** 127.0.0.1 unless said: only this machine. */
  readonly host?: string | undefined
  /** 8787 unless said; 0 takes a free one. */
  readonly port?: number | undefined
}

/** A server that answers. Closing its scope stops it: requests in flight are finished first, for `DRAIN_SECONDS` at most. */
export interface Serving {
  readonly host: string
  readonly port: number
  readonly url: string
}

/** The address is taken, or may not be used. */
export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", { message: Schema.String }) {}

/** How long requests in flight are waited for when a server stops; what is left is interrupted. */
export const DRAIN_SECONDS = 20

/** The largest upload (500 MiB) and the parts around it. What each path takes is decided there; this is the outer wall. */
export const MAX_BODY_BYTES = 512 * 1024 * 1024

/** The address and the headers together. Filters travel in the address, so it may be long. */
export const MAX_HEADER_BYTES = 64 * 1024

export const DEFAULT_HOST = "127.0.0.1"
export const DEFAULT_PORT = 8787

/** Level 4: about gzip's time for fewer bytes. The highest, which is the default, takes twenty times as long. */
const LEVEL = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }

export const compressor: Compressor = {
  brotli: () => Duplex.toWeb(zlib.createBrotliCompress(LEVEL)) as unknown as ReturnType<Compressor["brotli"]>,
  whole: (body, algorithm) => (algorithm === "br" ? zlib.brotliCompressSync(body, LEVEL) : zlib.gzipSync(body)),
}

/** Everything a request needs, built before anything listens: a server that listens answers. */
export const build = Effect.fnUntraced(function* <E, P = never>(options: ServeOptions<E, P>) {
  const context = yield* Layer.build(layerHttp({ compressor, ...options }))
  if (options.prepare !== undefined) yield* Effect.provideContext(options.prepare, context)
  const { listensAt } = Context.get(context, BaseUrl)
  return {
    // It holds all that it needs: a request that starts with little has little to copy.
    app: Context.get(context, HttpApp),
    /** To be called once the server listens: links start with this address where no public one is set. */
    listening: (host: string, port: number): Serving => {
      const served = serving(host, port)
      listensAt(served.url)
      return served
    },
  }
})

/** The same as one web handler, for runtimes that serve those. */
export const buildWebHandler = <E, P = never>(options: ServeOptions<E, P>) =>
  Effect.flatMap(build(options), ({ app, listening }) =>
    Effect.map(Effect.context<never>(), (context) => ({
      handler: withAddress(HttpEffect.toWebHandlerWith<never, HttpServerRequest | Scope>(context)(app)),
      listening,
    })),
  )

/** A web request does not know its peer: the runtime does. */
const withAddress =
  (handler: (request: Request, context?: Context.Context<never>) => Promise<Response>) =>
  (request: Request, address: string | undefined) =>
    handler(request, Context.make(PeerAddress, address))

export const serving = (host: string, port: number): Serving => {
  const shown = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host
  return { host, port, url: `http://${shown}:${port}` }
}

export const cannotListen = (host: string, port: number, cause: unknown) => {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
  const name = typeof cause === "object" && cause !== null && "name" in cause ? String(cause.name) : ""
  const reason =
    code === "EADDRINUSE" || name === "AddrInUse"
      ? "another program uses this port; stop it, or set PORT to another port"
      : code === "EACCES" || name === "PermissionDenied"
        ? "this user lacks the permission; set PORT to 1024 or above"
        : code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || name === "AddrNotAvailable"
          ? "it is not an address of this machine; set HOST to 127.0.0.1 or 0.0.0.0"
          : String(cause)
  return new CannotListen({ message: `cannot listen on ${host}:${port}: ${reason}` })
}
