import * as Effect from "effect/Effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Base64 from "effect/encoding/Base64"
import { makeVault } from "../replies/fingerprint.ts"
import type { SecretKeys, SigningKeys } from "../signing/SigningKeys.ts"

/** Makes a secret: `whsec_` and 32 random bytes in Base64. */
export const makeSecret = Effect.sync(() => `whsec_${Base64.encode(SecureRandom.randomBytesUnsafe(32))}`)

/** Seals a webhook's secret for the database with the service's signing secret, and opens it. */
export const makeSecretBox = ({ current, accepted }: SigningKeys["Service"], org: string, id: string) => {
  const vaultOf = ({ secret }: SecretKeys) => makeVault(`webhook ${org} ${id} ${secret}`)
  const openWith = (keys: SecretKeys, bytes: Uint8Array) =>
    vaultOf(keys)
      .open(bytes)
      .pipe(
        Effect.map((secret): string | undefined => new TextDecoder().decode(secret)),
        Effect.catchCause(() => Effect.succeed(undefined)),
      )
  const open = Effect.fnUntraced(function* (bytes: Uint8Array) {
    for (const keys of accepted) {
      const secret = yield* openWith(keys, bytes)
      if (secret !== undefined) return { secret, isCurrent: keys === current }
    }
    return undefined
  })
  const seal = (secret: string) => vaultOf(current).seal(new TextEncoder().encode(secret))
  return {
    seal,
    /** Undefined if no accepted signing secret opens it. */
    open: (bytes: Uint8Array) => Effect.map(open(bytes), (opened) => opened?.secret),
    /** Seals the secret with the current signing secret; undefined if it already is, or cannot be opened. */
    reseal: Effect.fnUntraced(function* (bytes: Uint8Array) {
      const opened = yield* open(bytes)
      return opened === undefined || opened.isCurrent ? undefined : yield* seal(opened.secret)
    }),
  }
}
