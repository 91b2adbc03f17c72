import { createHash } from "node:crypto"

/** Computes the SHA-256 and length of a stream. WebCrypto digests only complete data. */
export class Digest {
  size = 0
  readonly #hash = createHash("sha256")

  update(bytes: Uint8Array): void {
    this.size += bytes.length
    this.#hash.update(bytes)
  }

  finish(): { readonly size: number; readonly sha256: string } {
    return { size: this.size, sha256: this.#hash.digest("hex") }
  }
}
