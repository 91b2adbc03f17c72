import { Duplex } from "node:stream"
import * as zlib from "node:zlib"
import type { Compressor } from "../core/http/compression.ts"

/** Level 4: about gzip's time for fewer bytes. The highest, which is the default, takes twenty times as long. */
const LEVEL = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }

export const compressor: Compressor = {
  brotli: () => Duplex.toWeb(zlib.createBrotliCompress(LEVEL)) as unknown as ReturnType<Compressor["brotli"]>,
  whole: (body, algorithm) => (algorithm === "br" ? zlib.brotliCompressSync(body, LEVEL) : zlib.gzipSync(body)),
}
