import * as Result from "effect/Result"
import * as Base64Url from "effect/encoding/Base64Url"

/**
 * The kinds of things that a link opens. Tokens store the index, so the order must not change. `reports` are the figures of links from
 * before `figures`.
 */
export const TARGETS = ["documents", "deals", "exports", "reports", "figures"] as const
export type Target = (typeof TARGETS)[number]

/** Tokens carry this many bytes of an id's SHA-256; the SQL function `link_hash` must use the same length. */
export const HASH_BYTES = 9
const MAC_BYTES = 12
const MAX_OFFSET = 2 ** 32 - 1
const MAX_LENGTH = 2 ** 24 - 1

/** The content of a token. It carries hashes because whole ids would make it too long. */
export interface LinkContent {
  readonly target: Target
  /** Hash of the key that requested the link, or of the organization if no key did. */
  readonly owner: Uint8Array
  readonly byKey: boolean
  readonly id: Uint8Array
  /** Unix seconds. */
  readonly expires: number
  /** The passage to highlight, as offsets in the document's text; of a figure, its row in the report. */
  readonly passage: { readonly start: number; readonly end: number } | undefined
}

/** Encodes content for signing. With a passage and the signature, a token has 42 bytes, which are 56 characters. */
export const pack = ({ target, owner, byKey, id, expires, passage }: LinkContent): Uint8Array => {
  const hasPassage = passage !== undefined && passage.start >= 0 && passage.start <= MAX_OFFSET
  const bytes = new Uint8Array(HEAD_BYTES + (hasPassage ? PASSAGE_BYTES : 0))
  const view = new DataView(bytes.buffer)
  view.setUint8(0, TARGETS.indexOf(target) | (byKey ? BY_KEY : 0) | (hasPassage ? HAS_PASSAGE : 0))
  bytes.set(owner, 1)
  bytes.set(id, 1 + HASH_BYTES)
  view.setUint32(HEAD_BYTES - 4, expires)
  if (hasPassage) {
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
  const hasPassage = (flags & HAS_PASSAGE) !== 0
  if (target === undefined || bytes.length !== HEAD_BYTES + (hasPassage ? PASSAGE_BYTES : 0)) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const readPassage = () => {
    const start = view.getUint32(HEAD_BYTES)
    return { start, end: start + (view.getUint8(HEAD_BYTES + 4) << 16) + view.getUint16(HEAD_BYTES + 5) }
  }
  return {
    target,
    byKey: (flags & BY_KEY) !== 0,
    owner: bytes.subarray(1, 1 + HASH_BYTES),
    id: bytes.subarray(1 + HASH_BYTES, 1 + 2 * HASH_BYTES),
    expires: view.getUint32(HEAD_BYTES - 4),
    passage: hasPassage ? readPassage() : undefined,
  }
}

/** Encodes content and its truncated signature for a URL. */
export const seal = (content: Uint8Array, signature: Uint8Array): string => {
  const whole = new Uint8Array(content.length + MAC_BYTES)
  whole.set(content)
  whole.set(signature.subarray(0, MAC_BYTES), content.length)
  return Base64Url.encode(whole)
}

/** Splits a token into its parts; undefined if the text is not a token. The signature says whether the content is ours. */
export const unseal = (token: string): { readonly content: Uint8Array; readonly mac: Uint8Array } | undefined => {
  if (!/^[\w-]{40,160}$/.test(token)) return undefined
  const whole = Result.getOrUndefined(Base64Url.decode(token))
  // Rejects other spellings of the same bytes: base64 ignores the bits after the last byte.
  if (whole === undefined || Base64Url.encode(whole) !== token || whole.length < HEAD_BYTES + MAC_BYTES)
    return undefined
  return { content: whole.slice(0, -MAC_BYTES), mac: whole.slice(-MAC_BYTES) }
}

/** Hashes an id to the bytes that a token carries. */
export const hashOfId = async (id: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id))).slice(0, HASH_BYTES)

/** Compares in constant time. */
export const isMac = (mac: Uint8Array, signature: Uint8Array): boolean =>
  mac.reduce((differing, byte, index) => differing | (byte ^ signature[index]!), 0) === 0

const HEAD_BYTES = 1 + 2 * HASH_BYTES + 4
const PASSAGE_BYTES = 7
const BY_KEY = 0b1000_0000
const HAS_PASSAGE = 0b0100_0000
