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

/** The platform with `br` beside its gzip, by a host's own compressor: the web's has no level and is slow at its highest. */
export const withCompressor = (platform: HttpPlatform["Service"], compressor: Compressor) =>
  HttpPlatform.of({ ...platform, compression: compressionOf(platform.compression, compressor) })

const compressionOf = (other: Compression, { brotli, whole }: Compressor): Compression => {
  const streaming = makeCompressionWeb({
    algorithms: ["br"],
    transform: () => (stream) => (stream as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(brotli()),
  })
  const encoded = (compressed: HttpServerResponse.HttpServerResponse, algorithm: string) =>
    HttpServerResponse.setHeaders(compressed, {
      "content-encoding": algorithm,
      vary: [compressed.headers["vary"], "Accept-Encoding"].filter(Boolean).join(", "),
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
