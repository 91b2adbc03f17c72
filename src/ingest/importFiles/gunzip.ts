import { Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { UnreadableError } from "../UnreadableError.ts"
import { LIMITS } from "./limits.ts"

/** The size to which a small file may inflate, whatever its ratio. */
const FREE_BYTES = 1024 ** 2

/** Inflates gzip, of one member or several. Throws `UnreadableError`, or the error of `bytes`. */
export async function* gunzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let packed = 0
  let inflated = 0
  const count = async function* () {
    for await (const piece of bytes) {
      packed += piece.length
      yield piece
    }
  }
  const source = Readable.from(count(), { objectMode: false })
  const unzip = createGunzip()
  source.on("error", (error) => unzip.destroy(error))
  try {
    for await (const piece of source.pipe(unzip) as AsyncIterable<Uint8Array>) {
      inflated += piece.length
      if (inflated > LIMITS.inflatedBytes) {
        throw new UnreadableError("too-large", "unpacks to more than 2 GiB: split it")
      }
      if (inflated > FREE_BYTES && inflated > packed * LIMITS.ratio) {
        throw new UnreadableError("unsafe", `unpacks to more than ${LIMITS.ratio} times its size, as a bomb does`)
      }
      yield piece
    }
  } catch (error) {
    throw isDamage(error) ? new UnreadableError("damaged", "is damaged, or was cut short: compress it again") : error
  } finally {
    source.destroy()
    unzip.destroy()
  }
}

/** Runtimes name zlib's errors alike, by its own names. */
const isDamage = (error: unknown) =>
  error instanceof Error && String((error as NodeJS.ErrnoException).code ?? "").startsWith("Z_")
