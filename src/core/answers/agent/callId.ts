import * as SecureRandom from "effect/crypto/SecureRandom"

const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
const LENGTH = 9

/** Makes an id for a tool call without one: nine letters and digits, the only form that some servers accept. */
export const makeCallId = (): string =>
  Array.from(SecureRandom.randomBytesUnsafe(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("")
