/** The epoch of PostgreSQL's timestamps, in Unix milliseconds. */
const EPOCH = Date.UTC(2000, 0, 1)

const [ZERO, DASH, COLON, DOT, T, Z] = [..."0-:.TZ"].map((letter) => letter.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
  number,
]

const date = new Date(0)

/** Reads a `timestamptz` of PostgreSQL: eight bytes, microseconds, big-endian. Returns Unix milliseconds; microseconds are cut. */
export const readInstant = (view: DataView, start: number): number => {
  // 2^32 is 4,294,967 * 1000 + 296. Dividing in two parts keeps every intermediate number a safe integer.
  const high = view.getInt32(start)
  return EPOCH + high * 4_294_967 + Math.floor((high * 296 + view.getUint32(start + 4)) / 1000)
}

/** The length of a written instant. */
export const INSTANT_BYTES = 24

/**
 * Writes a `timestamptz` as GET /deals does: ISO 8601 in UTC, with milliseconds and a year of four digits. Returns the offset
 * after it.
 */
export const writeInstant = (view: DataView, start: number, out: Uint8Array, at: number): number => {
  date.setTime(readInstant(view, start))
  writeTwoDigits(out, at, Math.trunc(date.getUTCFullYear() / 100))
  writeTwoDigits(out, at + 2, date.getUTCFullYear() % 100)
  out[at + 4] = DASH
  writeTwoDigits(out, at + 5, date.getUTCMonth() + 1)
  out[at + 7] = DASH
  writeTwoDigits(out, at + 8, date.getUTCDate())
  out[at + 10] = T
  writeTwoDigits(out, at + 11, date.getUTCHours())
  out[at + 13] = COLON
  writeTwoDigits(out, at + 14, date.getUTCMinutes())
  out[at + 16] = COLON
  writeTwoDigits(out, at + 17, date.getUTCSeconds())
  out[at + 19] = DOT
  out[at + 20] = ZERO + Math.trunc(date.getUTCMilliseconds() / 100)
  writeTwoDigits(out, at + 21, date.getUTCMilliseconds() % 100)
  out[at + 23] = Z
  return at + INSTANT_BYTES
}

const writeTwoDigits = (out: Uint8Array, at: number, value: number) => {
  out[at] = ZERO + Math.trunc(value / 10)
  out[at + 1] = ZERO + (value % 10)
}
