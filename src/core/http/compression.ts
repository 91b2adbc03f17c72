import * as Effect from "effect/Effect"
import { type Compression, HttpPlatform, makeCompressionWeb } from "effect/http/HttpPlatform"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** Compresses what is written to it. */
export type Compressor = () => ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>

/** The platform with `br` beside its gzip, by a host's own compressor: the web's has no level and is slow at its highest. */
export const withBrotli = (platform: HttpPlatform["Service"], compressor: Compressor) =>
  HttpPlatform.of({ ...platform, compression: brotliBeside(platform.compression, compressor) })

const brotliBeside = (other: Compression, compressor: Compressor): Compression => {
  const brotli = makeCompressionWeb({
    algorithms: ["br"],
    transform: () => (stream) => (stream as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(compressor()),
  })
  return {
    algorithms: new Set([...other.algorithms, "br"]),
    compressResponse: (response, algorithm, options) =>
      algorithm === "br"
        ? Effect.map(brotli.compressResponse(response, algorithm), (compressed) =>
            HttpServerResponse.setHeaders(compressed, {
              "content-encoding": "br",
              vary: [compressed.headers["vary"], "Accept-Encoding"].filter(Boolean).join(", "),
            }),
          )
        : other.compressResponse(response, algorithm, options),
  }
}
