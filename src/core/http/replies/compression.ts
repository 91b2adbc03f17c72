import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import { type Compression, HttpPlatform, makeCompressionWeb } from "effect/http/HttpPlatform"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** The compression that a host brings. */
export interface Compressor {
  /** Compresses a stream. */
  readonly brotli: () => ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>
  /** Compresses a whole body synchronously. */
  readonly whole: (body: Uint8Array, algorithm: "br" | "gzip") => Uint8Array
}

/** Compressing this much synchronously takes 1 or 2 ms. A stream takes longer: each chunk waits for the event loop. */
const MAX_WHOLE_BYTES = 65_536

/**
 * Adds `br` to the platform's gzip with the host's compressor: `CompressionStream` has no levels, and is slow at the highest.
 * Compresses bodies given to `compressOnce` only once.
 */
export const withCompressor = (platform: HttpPlatform["Service"], compressor: Compressor | undefined) => {
  const compression = compressor === undefined ? platform.compression : withBrotli(platform.compression, compressor)
  return HttpPlatform.of({ ...platform, compression: cacheCompressed(compression, compressor) })
}

type CompressedForms = Map<string, Promise<Uint8Array>>
const cache = new WeakMap<Uint8Array, CompressedForms>()

/** Caches the compressed forms of a body that many requests get. */
export const compressOnce = (body: HttpBody.Uint8Array): HttpBody.Uint8Array => {
  cache.set(body.body, new Map())
  return body
}

const cacheCompressed = (other: Compression, compressor: Compressor | undefined): Compression => ({
  algorithms: other.algorithms,
  compressResponse: (response, algorithm, options) => {
    const { body } = response
    const forms = body._tag === "Uint8Array" ? cache.get(body.body) : undefined
    if (body._tag !== "Uint8Array" || forms === undefined || (algorithm !== "br" && algorithm !== "gzip")) {
      return other.compressResponse(response, algorithm, options)
    }
    return Effect.promise(async () => {
      let compressing = forms.get(algorithm)
      if (compressing === undefined) {
        compressing = compress(body.body, algorithm === "br" ? compressor?.brotli() : undefined)
        forms.set(algorithm, compressing)
      }
      return withEncoding(
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

const withEncoding = (compressed: HttpServerResponse.HttpServerResponse, algorithm: string) =>
  HttpServerResponse.setHeaders(compressed, {
    "content-encoding": algorithm,
    vary: [compressed.headers["vary"], "Accept-Encoding"].filter(Boolean).join(", "),
  })

const withBrotli = (other: Compression, { brotli, whole }: Compressor): Compression => {
  const streaming = makeCompressionWeb({
    algorithms: ["br"],
    transform: () => (stream) => (stream as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(brotli()),
  })
  return {
    algorithms: new Set([...other.algorithms, "br"]),
    compressResponse: (response, algorithm, options) => {
      const { body } = response
      const known = algorithm === "br" || algorithm === "gzip"
      if (known && body._tag === "Uint8Array" && body.contentLength <= MAX_WHOLE_BYTES) {
        return Effect.sync(() => {
          const compressed = HttpBody.uint8Array(whole(body.body, algorithm), body.contentType)
          return withEncoding(HttpServerResponse.setBody(response, compressed), algorithm)
        })
      }
      return algorithm === "br"
        ? Effect.map(streaming.compressResponse(response, algorithm), (compressed) =>
            withEncoding(compressed, algorithm),
          )
        : other.compressResponse(response, algorithm, options)
    },
  }
}
