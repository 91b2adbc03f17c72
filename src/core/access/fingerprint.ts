import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const BLOCK = 65_536

const sha256 = (bytes: Uint8Array<ArrayBuffer>) =>
  Effect.promise(async () => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)))

/**
 * A fingerprint of bytes that come in pieces, the same however they are cut: SHA-256 chained over blocks of 64 KiB.
 * `seed` is mixed in first; `skipped` is left out wherever it stands.
 */
export class Fingerprint {
  #state: Uint8Array<ArrayBuffer>
  #block = new Uint8Array(BLOCK)
  #filled = 0
  readonly #skipped: Uint8Array
  /** The end of what came, where `skipped` may begin. */
  #held: Uint8Array = new Uint8Array(0)

  constructor(seed: string, skipped = "") {
    this.#state = new TextEncoder().encode(seed)
    this.#skipped = new TextEncoder().encode(skipped)
  }

  add(bytes: Uint8Array): Effect.Effect<void> {
    return Effect.suspend(() => this.#take(this.#skipped.length === 0 ? bytes : this.#strip(bytes)))
  }

  #strip(bytes: Uint8Array): Uint8Array {
    const all = joined([this.#held, bytes])
    const kept: Array<Uint8Array> = []
    let from = 0
    for (let at = find(all, this.#skipped, 0); at >= 0; at = find(all, this.#skipped, from)) {
      kept.push(all.subarray(from, at))
      from = at + this.#skipped.length
    }
    const end = Math.max(from, all.length - this.#skipped.length + 1)
    kept.push(all.subarray(from, end))
    this.#held = all.slice(end)
    return joined(kept)
  }

  #take(bytes: Uint8Array): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      for (let offset = 0; offset < bytes.length;) {
        const taken = Math.min(BLOCK - this.#filled, bytes.length - offset)
        this.#block.set(bytes.subarray(offset, offset + taken), this.#filled)
        this.#filled += taken
        offset += taken
        if (this.#filled === BLOCK) yield* this.#fold()
      }
    })
  }

  /** Ends it: hexadecimal. */
  finish(): Effect.Effect<string> {
    return Effect.suspend(() => this.#take(this.#held)).pipe(
      Effect.andThen(this.#fold()),
      Effect.map(() => hex(this.#state)),
    )
  }

  #fold = (): Effect.Effect<void> =>
    Effect.suspend(() => {
      const whole = joined([this.#state, this.#block.subarray(0, this.#filled)])
      this.#filled = 0
      return Effect.map(sha256(whole), (state) => {
        this.#state = state
      })
    })
}

/** The fingerprint of a whole stream, which is read to its end. */
export const fingerprintOf = <E, R>(seed: string, bytes: Stream.Stream<Uint8Array, E, R>, skipped = "") => {
  const fingerprint = new Fingerprint(seed, skipped)
  return Effect.andThen(
    Stream.runForEach(bytes, (chunk) => fingerprint.add(chunk)),
    fingerprint.finish(),
  )
}

const joined = (parts: ReadonlyArray<Uint8Array>) => {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}

const find = (bytes: Uint8Array, sought: Uint8Array, from: number): number => {
  for (let at = bytes.indexOf(sought[0] ?? 0, from); at >= 0; at = bytes.indexOf(sought[0] ?? 0, at + 1)) {
    if (sought.every((byte, index) => bytes[at + index] === byte)) return at
  }
  return -1
}

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")

/**
 * Seals a reply with a key made from the caller's Idempotency-Key, of which only a hash is stored: what lies in the
 * database cannot be read without it. That matters, for a reply may show a new API key.
 */
export const vault = (idempotencyKey: string) => {
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
