import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { concat } from "../common/bytes.ts"

const BLOCK_BYTES = 65_536

const sha256 = (bytes: Uint8Array<ArrayBuffer>) =>
  Effect.promise(async () => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)))

/**
 * Computes a fingerprint of streamed bytes: SHA-256 chained over blocks of 64 KiB, independent of the size of the pieces.
 * It mixes `seed` in first, and leaves out every occurrence of `skipped`.
 */
export class Fingerprint {
  #state: Uint8Array<ArrayBuffer>
  #block = new Uint8Array(BLOCK_BYTES)
  #filled = 0
  readonly #skipped: Uint8Array
  /** The last bytes received, in which `skipped` may begin. */
  #tail: Uint8Array = new Uint8Array(0)

  constructor(seed: string, skipped = "") {
    this.#state = new TextEncoder().encode(seed)
    this.#skipped = new TextEncoder().encode(skipped)
  }

  add(bytes: Uint8Array): Effect.Effect<void> {
    return Effect.suspend(() => this.#fill(this.#skipped.length === 0 ? bytes : this.#strip(bytes)))
  }

  #strip(bytes: Uint8Array): Uint8Array {
    const all = concat([this.#tail, bytes])
    const kept: Array<Uint8Array> = []
    let from = 0
    for (let at = indexOfBytes(all, this.#skipped, 0); at >= 0; at = indexOfBytes(all, this.#skipped, from)) {
      kept.push(all.subarray(from, at))
      from = at + this.#skipped.length
    }
    const end = Math.max(from, all.length - this.#skipped.length + 1)
    kept.push(all.subarray(from, end))
    this.#tail = all.slice(end)
    return concat(kept)
  }

  #fill(bytes: Uint8Array): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      for (let offset = 0; offset < bytes.length;) {
        const count = Math.min(BLOCK_BYTES - this.#filled, bytes.length - offset)
        this.#block.set(bytes.subarray(offset, offset + count), this.#filled)
        this.#filled += count
        offset += count
        if (this.#filled === BLOCK_BYTES) yield* this.#hashBlock()
      }
    })
  }

  /** Returns the fingerprint in hexadecimal. */
  finish(): Effect.Effect<string> {
    return Effect.suspend(() => this.#fill(this.#tail)).pipe(
      Effect.andThen(this.#hashBlock()),
      Effect.map(() => hex(this.#state)),
    )
  }

  #hashBlock = (): Effect.Effect<void> =>
    Effect.suspend(() => {
      const whole = concat([this.#state, this.#block.subarray(0, this.#filled)])
      this.#filled = 0
      return Effect.map(sha256(whole), (state) => {
        this.#state = state
      })
    })
}

/** Reads a stream to its end and returns its fingerprint. */
export const computeFingerprint = <E, R>(seed: string, bytes: Stream.Stream<Uint8Array, E, R>, skipped = "") => {
  const fingerprint = new Fingerprint(seed, skipped)
  return Effect.andThen(
    Stream.runForEach(bytes, (chunk) => fingerprint.add(chunk)),
    fingerprint.finish(),
  )
}

const indexOfBytes = (bytes: Uint8Array, sought: Uint8Array, from: number): number => {
  for (let at = bytes.indexOf(sought[0] ?? 0, from); at >= 0; at = bytes.indexOf(sought[0] ?? 0, at + 1)) {
    if (sought.every((byte, index) => bytes[at + index] === byte)) return at
  }
  return -1
}

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")

/**
 * Encrypts replies with a key derived from the client's Idempotency-Key. The database stores only a hash of that key, so
 * its content alone does not reveal a reply, which may contain the secret of a new API key.
 */
export const makeVault = (idempotencyKey: string) => {
  const derive = (purpose: string) => sha256(new TextEncoder().encode(`sightline ${purpose} ${idempotencyKey}`))
  const key = Effect.flatMap(derive("seal"), (bytes) =>
    Effect.promise(() => crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"])),
  )
  return {
    name: Effect.map(derive("name"), hex),
    seal: Effect.fnUntraced(function* (body: Uint8Array<ArrayBuffer>) {
      const iv = crypto.getRandomValues(new Uint8Array(12))
      const secret = yield* key
      const sealed = yield* Effect.promise(() => crypto.subtle.encrypt({ name: "AES-GCM", iv }, secret, body))
      const whole = new Uint8Array(iv.length + sealed.byteLength)
      whole.set(iv)
      whole.set(new Uint8Array(sealed), iv.length)
      return whole
    }),
    open: Effect.fnUntraced(function* (whole: Uint8Array) {
      const bytes = new Uint8Array(whole)
      const secret = yield* key
      return new Uint8Array(
        yield* Effect.promise(() =>
          crypto.subtle.decrypt({ name: "AES-GCM", iv: bytes.subarray(0, 12) }, secret, bytes.subarray(12)),
        ),
      )
    }),
  }
}
