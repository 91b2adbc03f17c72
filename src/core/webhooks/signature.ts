import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Base64 from "effect/encoding/Base64"
import { vault } from "../access/fingerprint.ts"
import type { SecretKeys, SigningKeys } from "../signing/SigningKeys.ts"

const PREFIX = "whsec_"

/** `whsec_` and 32 random bytes in Base64. */
export const makeSecret = Effect.sync(() => PREFIX + Base64.encode(SecureRandom.randomBytesUnsafe(32)))

/** The headers of the Standard Webhooks specification: one signature for each live secret. `timestamp` in Unix seconds. */
export const signed = Effect.fnUntraced(function* (
  id: string,
  timestamp: number,
  body: string,
  secrets: ReadonlyArray<string>,
) {
  const signatures = yield* Effect.forEach(secrets, (secret) => sign(secret, `${id}.${timestamp}.${body}`))
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.map((signature) => `v1,${signature}`).join(" "),
  }
})

const sign = (secret: string, text: string) =>
  Effect.promise(async () => {
    const bytes = new Uint8Array(Result.getOrThrow(Base64.decode(secret.slice(PREFIX.length))))
    const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
    return Base64.encode(new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text))))
  })

/** What was recorded is not played back later. */
const MAX_AGE_SECONDS = 300

/** Whether the headers of a delivery sign its body with this secret, as a receiver asks. `now` in Unix seconds. */
export const isGenuine = Effect.fnUntraced(function* (
  secret: string,
  headers: Readonly<Record<"id" | "timestamp" | "signatures", string | undefined>>,
  body: string,
  now: number,
) {
  const { id = "", timestamp = "", signatures = "" } = headers
  if (!(Math.abs(now - Number(timestamp)) <= MAX_AGE_SECONDS)) return false
  const expected = `v1,${yield* sign(secret, `${id}.${timestamp}.${body}`)}`
  return signatures.split(" ").some((signature) => isEqual(signature, expected))
})

/** Takes the same time wherever the two differ. */
const isEqual = (one: string, other: string) =>
  one.length === other.length &&
  [...one].reduce((differing, letter, index) => differing | (letter.charCodeAt(0) ^ other.charCodeAt(index)), 0) === 0

/** Secrets as they lie in the database: sealed for their webhook with the service's own secret. */
export const sealed = ({ current, accepted }: SigningKeys["Service"], org: string, id: string) => {
  const boxOf = ({ secret }: SecretKeys) => vault(`webhook ${org} ${id} ${secret}`)
  const openWith = (keys: SecretKeys, bytes: Uint8Array) =>
    boxOf(keys)
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
  const seal = (secret: string) => boxOf(current).seal(new TextEncoder().encode(secret))
  return {
    seal,
    /** Undefined where it was sealed with a secret that is not accepted. */
    open: (bytes: Uint8Array) => Effect.map(open(bytes), (opened) => opened?.secret),
    /** The same secret sealed with the current one; undefined where it is already, or cannot be opened. */
    reseal: Effect.fnUntraced(function* (bytes: Uint8Array) {
      const opened = yield* open(bytes)
      return opened === undefined || opened.isCurrent ? undefined : yield* seal(opened.secret)
    }),
  }
}
