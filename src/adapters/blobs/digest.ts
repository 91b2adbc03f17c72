import { createHash } from "node:crypto"

/** A SHA-256 and a count of what has come by. WebCrypto digests only what is whole. */
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
