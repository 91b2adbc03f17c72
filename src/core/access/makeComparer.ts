import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/** Returns a comparison with a secret in constant time: WebCrypto verifies a tag of it. */
export const makeComparer = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
  const key = yield* Effect.promise(
    () => crypto.subtle.generateKey(HMAC, false, ["sign", "verify"]) as Promise<CryptoKey>,
  )
  const tag = yield* Effect.promise(() => crypto.subtle.sign("HMAC", key, utf8(Redacted.value(secret))))
  return (given: string) => Effect.promise(() => crypto.subtle.verify("HMAC", key, tag, utf8(given)))
})

const HMAC = { name: "HMAC", hash: "SHA-256" } as const

const utf8 = (text: string) => new TextEncoder().encode(text)
