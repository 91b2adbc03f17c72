import * as Effect from "effect/Effect"
import * as SecureRandom from "effect/crypto/SecureRandom"

/** Makes an id: `prefix` and 22 random base62 characters. It reveals neither order nor organization. */
export const makeId = (prefix: string) => Effect.sync(() => makeIdUnsafe(prefix))
export const makeIdUnsafe = (prefix: string) => `${prefix}_${base62(SecureRandom.randomBytesUnsafe(16), 22)}`

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Encodes bytes as a base62 number of at least `width` digits. */
export const base62 = (bytes: Uint8Array, width: number): string => {
  let rest = bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n)
  let text = ""
  for (; rest > 0n; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text
  return text.padStart(width, "0")
}
