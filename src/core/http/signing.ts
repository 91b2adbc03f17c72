import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Hex from "effect/encoding/Hex"
import { Settings } from "../Settings.ts"

/**
 * Signs addresses that work without a key: each says whose thing it opens and until when, and carries a signature over
 * both. `label` is the kind of link: no signature of another kind serves in its place.
 */
export const makeSigner = Effect.gen(function* () {
  const { signingSecret } = yield* Settings
  const key = yield* Effect.promise(() =>
    crypto.subtle.importKey("raw", utf8(Redacted.value(signingSecret)), HMAC, false, ["sign", "verify"]),
  )
  // JSON keeps the parts apart.
  const signed = (...parts: ReadonlyArray<string>) => utf8(JSON.stringify(parts))
  return {
    /** The query of an address that opens until `expires`, in Unix seconds. */
    query: (label: string, org: string, id: string, expires: number) =>
      Effect.map(
        Effect.promise(() => crypto.subtle.sign("HMAC", key, signed(label, org, id, String(expires)))),
        (tag) => new URLSearchParams({ org, expires: String(expires), signature: Hex.encode(new Uint8Array(tag)) }),
      ),
    /** Whose thing the address opens; `forged`: we did not sign it; `expired`: we did, for a time that is over. */
    verify: Effect.fnUntraced(function* (label: string, id: string, query: URLSearchParams) {
      const org = query.get("org") ?? ""
      const expires = query.get("expires") ?? ""
      const signature = query.get("signature") ?? ""
      if (!/^[0-9a-f]{64}$/.test(signature) || !/^\d{1,12}$/.test(expires)) return "forged"
      const tag = new Uint8Array(Result.getOrThrow(Hex.decode(signature)))
      // WebCrypto compares in constant time.
      const genuine = yield* Effect.promise(() =>
        crypto.subtle.verify("HMAC", key, tag, signed(label, org, id, expires)),
      )
      if (!genuine) return "forged"
      return Number(expires) * 1000 > (yield* Clock.currentTimeMillis) ? { org } : "expired"
    }),
  }
})

const HMAC = { name: "HMAC", hash: "SHA-256" }

const utf8 = (text: string) => new TextEncoder().encode(text)
