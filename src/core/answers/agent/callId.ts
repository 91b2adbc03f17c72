import * as SecureRandom from "effect/crypto/SecureRandom"

const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
const LENGTH = 9

/** An id for a call that a model gave none: nine letters and digits, for there are servers that take no other. */
export const makeCallId = (): string =>
  Array.from(SecureRandom.randomBytesUnsafe(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("")
