import * as Effect from "effect/Effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { base62 } from "../common/ids.ts"

/**
 * An API key: `sl_live_` or `sl_test_`, 32 random bytes in base62 (43 characters), and the CRC-32 of everything before it in base62
 * (6 characters), so that a typo is detected without a look-up.
 */
export type Environment = "live" | "test"

/**
 * `session` is in the cookie of the console, `link` in a one-time link that opens a session. A connected application exchanges `oac` (a
 * code) for `oat` and `ort`, which opens `/mcp` and renews it.
 */
export const makeSecret = (kind: Environment | "session" | "link" | "oac" | "oat" | "ort") =>
  Effect.sync(() => {
    const body = `sl_${kind}_${base62(SecureRandom.randomBytesUnsafe(32), 43)}`
    return body + checksum(body)
  })

const SHAPE = /^sl_(live|test|session|link|oac|oat|ort)_[0-9A-Za-z]{49}$/

export const isSessionToken = (token: string): boolean => token.startsWith("sl_session_")
export const isLinkToken = (token: string): boolean => token.startsWith("sl_link_")
/** A secret of a connected application. */
export const isGrantSecret = (token: string): boolean => /^sl_o(ac|at|rt)_/.test(token)

/** Whether a bearer token is of this service, so that no host's `principal` is asked. Older keys have no prefix. */
export const isOurs = (token: string): boolean => token.startsWith("sl_")

/** Checks length, shape and checksum. Accepts any older key, which has no `sl_` prefix and no fixed shape. */
export const isPlausible = (token: string): boolean => {
  if (token.length < 8 || token.length > 512) return false
  if (!token.startsWith("sl_")) return true
  return SHAPE.test(token) && checksum(token.slice(0, -6)) === token.slice(-6)
}

/** Returns the part of a key that stays visible after its creation. */
export const display = (secret: string): string => secret.slice(0, 12)

/** Returns the SHA-256, the only form in which the database stores a key. */
export const hash = (secret: string) =>
  Effect.promise(async () => new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret))))

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

const checksum = (ascii: string): string => {
  let crc = 0xffffffff
  for (let index = 0; index < ascii.length; index++) {
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ ascii.charCodeAt(index)) & 0xff] ?? 0)
  }
  const value = (crc ^ 0xffffffff) >>> 0
  return base62(Uint8Array.of(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255), 6)
}
