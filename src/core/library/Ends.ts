import { concat } from "../common/bytes.ts"

/** Enough for the magic bytes of every format. */
const KEPT_BYTES = 65_536

/** Keeps the first and the last 64 KiB of a stream of bytes. */
export class Ends {
  readonly #first = new Uint8Array(KEPT_BYTES)
  /** A ring buffer of the last bytes; the oldest is at `size % KEPT_BYTES`. */
  readonly #ring = new Uint8Array(KEPT_BYTES)
  size = 0

  add(chunk: Uint8Array): void {
    if (this.size < KEPT_BYTES) this.#first.set(chunk.subarray(0, KEPT_BYTES - this.size), this.size)
    this.size += chunk.length
    const last = chunk.subarray(-KEPT_BYTES)
    const at = (this.size - last.length) % KEPT_BYTES
    this.#ring.set(last.subarray(0, KEPT_BYTES - at), at)
    this.#ring.set(last.subarray(KEPT_BYTES - at), 0)
  }

  get head(): Uint8Array {
    return this.#first.subarray(0, this.size)
  }

  get tail(): Uint8Array {
    if (this.size <= KEPT_BYTES) return this.head
    const at = this.size % KEPT_BYTES
    return concat([this.#ring.subarray(at), this.#ring.subarray(0, at)])
  }
}
