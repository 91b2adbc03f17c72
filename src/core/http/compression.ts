import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import { type Compression, HttpPlatform, makeCompressionWeb } from "effect/http/HttpPlatform"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** What a host compresses with. */
export interface Compressor {
  /** Compresses what is written to it, as it comes. */
  readonly brotli: () => ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>
  /** Compresses a body at once, and nothing else meanwhile. */
  readonly whole: (body: Uint8Array, algorithm: "br" | "gzip") => Uint8Array
}

/** Bytes of a body that takes a millisecond or two at once: as a stream it takes more, and each piece waits for its turn. */
const LARGEST_WHOLE = 65_536

/**
 * The platform with `br` beside its gzip, by a host's own compressor: the web's has no level and is slow at its highest.
 * Bodies given to `compressOnce` are compressed once.
 */
export const withCompressor = (platform: HttpPlatform["Service"], compressor: Compressor | undefined) => {
  const compression = compressor === undefined ? platform.compression : compressionOf(platform.compression, compressor)
  return HttpPlatform.of({ ...platform, compression: keeping(compression, compressor) })
}

type Kept = Map<string, Promise<Uint8Array>>
const kept = new WeakMap<Uint8Array, Kept>()

/** Keeps what compressing this body gives: it is served again and again. */
export const compressOnce = (body: HttpBody.Uint8Array): HttpBody.Uint8Array => {
  kept.set(body.body, new Map())
  return body
}

const keeping = (other: Compression, compressor: Compressor | undefined): Compression => ({
  algorithms: other.algorithms,
  compressResponse: (response, algorithm, options) => {
    const { body } = response
    const held = body._tag === "Uint8Array" ? kept.get(body.body) : undefined
    if (body._tag !== "Uint8Array" || held === undefined || (algorithm !== "br" && algorithm !== "gzip")) {
      return other.compressResponse(response, algorithm, options)
    }
    return Effect.promise(async () => {
      let compressing = held.get(algorithm)
      if (compressing === undefined) {
        compressing = compress(body.body, algorithm === "br" ? compressor?.brotli() : undefined)
        held.set(algorithm, compressing)
      }
      return encoded(
        HttpServerResponse.setBody(response, HttpBody.uint8Array(await compressing, body.contentType)),
        algorithm,
      )
    })
  },
})

const compress = async (bytes: Uint8Array, brotli: ReturnType<Compressor["brotli"]> | undefined) => {
  const { body } = new Response(bytes as Uint8Array<ArrayBuffer>)
  return new Uint8Array(await new Response(body!.pipeThrough(brotli ?? new CompressionStream("gzip"))).arrayBuffer())
}

const encoded = (compressed: HttpServerResponse.HttpServerResponse, algorithm: string) =>
  HttpServerResponse.setHeaders(compressed, {
    "content-encoding": algorithm,
    vary: [compressed.headers["vary"], "Accept-Encoding"].filter(Boolean).join(", "),
  })

const compressionOf = (other: Compression, { brotli, whole }: Compressor): Compression => {
  const streaming = makeCompressionWeb({
    algorithms: ["br"],
    transform: () => (stream) => (stream as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(brotli()),
  })
  return {
    algorithms: new Set([...other.algorithms, "br"]),
    compressResponse: (response, algorithm, options) => {
      const { body } = response
      const known = algorithm === "br" || algorithm === "gzip"
      if (known && body._tag === "Uint8Array" && body.contentLength <= LARGEST_WHOLE) {
        return Effect.sync(() => {
          const compressed = HttpBody.uint8Array(whole(body.body, algorithm), body.contentType)
          return encoded(HttpServerResponse.setBody(response, compressed), algorithm)
        })
      }
      return algorithm === "br"
        ? Effect.map(streaming.compressResponse(response, algorithm), (compressed) => encoded(compressed, algorithm))
        : other.compressResponse(response, algorithm, options)
    },
  }
}
