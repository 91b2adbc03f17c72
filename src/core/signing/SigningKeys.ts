import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Hex from "effect/encoding/Hex"
import { Settings } from "../http/Settings.ts"
import { WhenDiskFull } from "../storage/Database.ts"
import { adoptFingerprint, SigningSecretMismatch } from "./fingerprint.ts"
import { isMac } from "./token.ts"

/** The purpose of a derived key. A signature for one purpose is invalid for every other. */
export type Use = "fingerprint" | "links" | "cursors" | "tokens"

/** Keys derived from one signing secret. */
export interface SecretKeys {
  readonly secret: string
  readonly sign: (use: Use, bytes: Uint8Array) => Promise<Uint8Array>
  readonly cipher: (use: Use) => Promise<CryptoKey>
}

/** Holds the signing secrets that open links, cursors and webhook secrets. Only the current one signs new ones. */
export class SigningKeys extends Context.Service<
  SigningKeys,
  {
    readonly current: SecretKeys
    /** The current secret, then the previous one if configured. */
    readonly accepted: ReadonlyArray<SecretKeys>
  }
>()("sightline/signing/SigningKeys") {
  /** Fails if this database was last used with a secret that is neither the current nor the previous one. */
  static readonly layer = Layer.effect(
    SigningKeys,
    Effect.gen(function* () {
      const { signingSecret, previousSigningSecret } = yield* Settings
      const current = keysOf(signingSecret ?? makeSecret())
      const accepted = [current, ...(previousSigningSecret === undefined ? [] : [keysOf(previousSigningSecret)])]
      // A random secret ends with its layer, so other instances cannot match it.
      if (signingSecret !== undefined) {
        const prints = yield* Effect.promise(() => Promise.all(accepted.map(fingerprint)))
        const isKnown = yield* Effect.provideService(adoptFingerprint(prints), WhenDiskFull, "proceed")
        if (!isKnown) return yield* mismatch(previousSigningSecret === undefined ? DIFFERENT : BOTH_DIFFERENT)
      }
      return SigningKeys.of({ current, accepted })
    }),
  )
}

/** Whether one of the accepted secrets signed the parts of a token. */
export const isSigned = async (
  accepted: ReadonlyArray<SecretKeys>,
  use: Use,
  { content, mac }: { readonly content: Uint8Array; readonly mac: Uint8Array },
): Promise<boolean> => {
  for (const { sign } of accepted) if (isMac(mac, await sign(use, content))) return true
  return false
}

const DIFFERENT = "the signing secret differs from the one that this database was last used with"
const BOTH_DIFFERENT = `${DIFFERENT}, and so does the previous one`

const mismatch = (problem: string) =>
  new SigningSecretMismatch({
    message: [
      `${problem}: links would stop and webhooks could not be signed`,
      "set `signingSecret` (SIGHTLINE_SIGNING_SECRET) to the same secret on every instance; without the variable, a server's data directory gets its own",
      "to change the secret, also set `previousSigningSecret` (SIGHTLINE_SIGNING_SECRET_PREVIOUS) to the old one",
      "if the old secret is lost, run 'sightline signing-secret replace': links stop, and each webhook waits until its secret is rotated",
    ].join("\n"),
  })

/** The fingerprint by which a database knows a secret. */
export const fingerprintOfSecret = (secret: Redacted.Redacted): Promise<string> => fingerprint(keysOf(secret))

const fingerprint = async ({ sign }: SecretKeys) =>
  Hex.encode((await sign("fingerprint", new Uint8Array())).subarray(0, 16))

const keysOf = (redacted: Redacted.Redacted): SecretKeys => {
  const secret = Redacted.value(redacted)
  const hmac = crypto.subtle.importKey("raw", utf8(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  const sign = async (use: Use, bytes: Uint8Array) => {
    const label = utf8(`sightline ${use}\0`)
    const message = new Uint8Array(label.length + bytes.length)
    message.set(label)
    message.set(bytes, label.length)
    return new Uint8Array(await crypto.subtle.sign("HMAC", await hmac, message))
  }
  const ciphers = new Map<Use, Promise<CryptoKey>>()
  const deriveCipher = async (use: Use) =>
    crypto.subtle.importKey("raw", new Uint8Array(await sign(use, utf8("cipher"))), "AES-GCM", false, [
      "encrypt",
      "decrypt",
    ])
  return {
    secret,
    sign,
    cipher: (use) => {
      const known = ciphers.get(use) ?? deriveCipher(use)
      ciphers.set(use, known)
      return known
    },
  }
}

const utf8 = (text: string) => new TextEncoder().encode(text)

const makeSecret = () => Redacted.make(Hex.encode(SecureRandom.randomBytesUnsafe(32)))
