import * as Result from "effect/Result"
import * as Base64Url from "effect/encoding/Base64Url"

/** What a link opens. The order is that of the numbers in tokens. */
export const TARGETS = ["documents", "deals", "exports"] as const
export type Target = (typeof TARGETS)[number]

/** Bytes of the SHA-256 of an id that a token carries, as `link_hash` of the database does. */
export const HASH_BYTES = 9
const MAC_BYTES = 12
const MAX_OFFSET = 2 ** 32 - 1
const MAX_LENGTH = 2 ** 24 - 1

/** What a link says. Ids are hashes: whole they would not fit. */
export interface LinkContent {
  readonly target: Target
  /** The hash of the key that asked for the link, or of the organization where no key did. */
  readonly owner: Uint8Array
  readonly byKey: boolean
  readonly id: Uint8Array
  /** Unix seconds. */
  readonly expires: number
  /** What is marked there, by offsets in the document's text. */
  readonly passage: { readonly start: number; readonly end: number } | undefined
}

/** Content as bytes, yet to be signed: 42 bytes with the signature, which are 56 characters. */
export const pack = ({ target, owner, byKey, id, expires, passage }: LinkContent): Uint8Array => {
  const marked = passage !== undefined && passage.start >= 0 && passage.start <= MAX_OFFSET
  const bytes = new Uint8Array(HEAD_BYTES + (marked ? PASSAGE_BYTES : 0))
  const view = new DataView(bytes.buffer)
  view.setUint8(0, TARGETS.indexOf(target) | (byKey ? BY_KEY : 0) | (marked ? MARKED : 0))
  bytes.set(owner, 1)
  bytes.set(id, 1 + HASH_BYTES)
  view.setUint32(HEAD_BYTES - 4, expires)
  if (marked) {
    const length = Math.min(Math.max(passage.end - passage.start, 0), MAX_LENGTH)
    view.setUint32(HEAD_BYTES, passage.start)
    view.setUint8(HEAD_BYTES + 4, length >>> 16)
    view.setUint16(HEAD_BYTES + 5, length & 0xffff)
  }
  return bytes
}

export const unpack = (bytes: Uint8Array): LinkContent | undefined => {
  const flags = bytes[0] ?? 0
  const target = TARGETS[flags & 0b1111]
  const marked = (flags & MARKED) !== 0
  if (target === undefined || bytes.length !== HEAD_BYTES + (marked ? PASSAGE_BYTES : 0)) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const passageOf = () => {
    const start = view.getUint32(HEAD_BYTES)
    return { start, end: start + (view.getUint8(HEAD_BYTES + 4) << 16) + view.getUint16(HEAD_BYTES + 5) }
  }
  return {
    target,
    byKey: (flags & BY_KEY) !== 0,
    owner: bytes.subarray(1, 1 + HASH_BYTES),
    id: bytes.subarray(1 + HASH_BYTES, 1 + 2 * HASH_BYTES),
    expires: view.getUint32(HEAD_BYTES - 4),
    passage: marked ? passageOf() : undefined,
  }
}

/** Content and the beginning of its signature, as text for an address. */
export const seal = (content: Uint8Array, signature: Uint8Array): string => {
  const whole = new Uint8Array(content.length + MAC_BYTES)
  whole.set(content)
  whole.set(signature.subarray(0, MAC_BYTES), content.length)
  return Base64Url.encode(whole)
}

/** The parts of a token; undefined: it is none. */
export const unseal = (token: string): { readonly content: Uint8Array; readonly mac: Uint8Array } | undefined => {
  if (!/^[\w-]{40,64}$/.test(token)) return undefined
  const whole = Result.getOrUndefined(Base64Url.decode(token))
  // One spelling each: bits beyond the last byte are no other link.
  if (whole === undefined || Base64Url.encode(whole) !== token || whole.length < HEAD_BYTES + MAC_BYTES)
    return undefined
  return { content: whole.slice(0, -MAC_BYTES), mac: whole.slice(-MAC_BYTES) }
}

/** Takes the same time wherever the two differ. */
export const isMac = (mac: Uint8Array, signature: Uint8Array): boolean =>
  mac.reduce((differing, byte, index) => differing | (byte ^ signature[index]!), 0) === 0

const HEAD_BYTES = 1 + 2 * HASH_BYTES + 4
const PASSAGE_BYTES = 7
const BY_KEY = 0b1000_0000
const MARKED = 0b0100_0000
