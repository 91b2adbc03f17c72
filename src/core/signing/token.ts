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

/** The words of a passage, by which a page finds it where it moved: see `library/viewer/anchor.ts`. */
export interface Anchor {
  /** The number of letters that the hash covers: see `countLetters`. */
  readonly letters: number
  /** 28 bits, of the letters and of those around them. */
  readonly hash: number
  /** 6 bits more of the letters around; undefined in a token that has no place for them. */
  readonly more: number | undefined
  /** The hash also covers some letters before the passage. */
  readonly before: boolean
  /** The hash also covers some letters after the passage. */
  readonly after: boolean
}

/** Offsets in the document's text; of a figure, its row in the report. */
interface Offsets {
  readonly start: number
  readonly end: number
}

/** The passage to highlight: by its words and the offset that it had, or by offsets alone. */
export type LinkedPassage =
  | (Offsets & { readonly anchor?: undefined })
  | { readonly start: number; readonly anchor: Anchor }

/** A passage to link to. Far offsets have no place beside the words, so its end is needed too. */
export type PassageToLink = Offsets & { readonly anchor?: Anchor | undefined }

/** The content of a token. It carries hashes because whole ids would make it too long. */
export interface LinkContent<Passage = LinkedPassage> {
  readonly target: Target
  /** Hash of the key that requested the link, or of the organization if no key did. */
  readonly owner: Uint8Array
  readonly byKey: boolean
  readonly id: Uint8Array
  /** Unix seconds. A link with words expires at the beginning of its last minute. */
  readonly expires: number
  readonly passage: Passage | undefined
}

/** Encodes content for signing. With a passage and the signature, a token has 42 bytes, which are 56 characters. */
export const pack = (link: LinkContent<PassageToLink>): Uint8Array => {
  const { target, owner, byKey, id, expires, passage } = link
  const hasPassage = passage !== undefined && passage.start >= 0 && passage.start <= MAX_OFFSET
  const isAnchored = hasPassage && fitsAnchored(passage, expires)
  const bytes = new Uint8Array(HEAD_BYTES + (hasPassage ? PASSAGE_BYTES : 0))
  const view = new DataView(bytes.buffer)
  bytes.set(owner, 1)
  bytes.set(id, 1 + HASH_BYTES)
  const flags = TARGETS.indexOf(target) | (byKey ? BY_KEY : 0)
  if (isAnchored) {
    view.setUint8(0, flags | setAnchored(view, passage.start, passage.anchor, expires))
    return bytes
  }
  view.setUint8(0, flags | (hasPassage ? HAS_PASSAGE : 0))
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
  const isAnchored = (flags & ANCHORED) !== 0
  const target = TARGETS[flags & (isAnchored ? 0b111 : 0b1111)]
  const hasPassage = isAnchored || (flags & HAS_PASSAGE) !== 0
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
    ...(isAnchored
      ? getAnchored(view, flags)
      : { expires: view.getUint32(HEAD_BYTES - 4), passage: hasPassage ? readPassage() : undefined }),
  }
}

/** Counts of letters are exact below; from here on they are rounded down, and 11 bits reach 9,712. */
const MAX_EXACT_LETTERS = 1536
const STEP_LETTERS = 16
const MAX_LETTERS = MAX_EXACT_LETTERS + (2 ** 11 - 1 - MAX_EXACT_LETTERS) * STEP_LETTERS

/** The number of a passage's first letters that an anchor covers: all of them, up to 15 fewer, or the most of a long passage. */
export const countLetters = (letters: number): number =>
  letters < MAX_EXACT_LETTERS
    ? letters
    : Math.min(letters - ((letters - MAX_EXACT_LETTERS) % STEP_LETTERS), MAX_LETTERS)

/** Whether the last letter that an anchor covers is that of its passage. */
export const isWhole = ({ letters }: Anchor): boolean => letters < MAX_EXACT_LETTERS

const fitsAnchored = (passage: PassageToLink, expires: number): passage is Offsets & { readonly anchor: Anchor } =>
  passage.anchor !== undefined && passage.start < 2 ** 25 && expires >= EPOCH && expires < EPOCH + HOUR * 2 ** 18

/**
 * Writes 24 bits for the time, 25 for the offset, 11 for the letters and 28 for the hash; returns the flags. The time of most links is
 * an hour, of 18 bits; then 6 are for `more`. That of a link which ends with a credential is a minute.
 */
const setAnchored = (view: DataView, start: number, anchor: Anchor, expires: number) => {
  const { letters, hash, more, before, after } = anchor
  const code = letters < MAX_EXACT_LETTERS ? letters : MAX_EXACT_LETTERS + (letters - MAX_EXACT_LETTERS) / STEP_LETTERS
  const isHour = more !== undefined && (expires - EPOCH) % HOUR === 0
  const time = isHour ? (((expires - EPOCH) / HOUR) << 6) | more : Math.floor((expires - EPOCH) / MINUTE)
  view.setUint8(HEAD_BYTES - 4, time >>> 16)
  view.setUint16(HEAD_BYTES - 3, time & 0xffff)
  view.setUint32(HEAD_BYTES - 1, (start << 7) | (code >>> 4))
  view.setUint32(HEAD_BYTES + 3, (code << 28) | hash)
  return ANCHORED | (isHour ? IS_HOUR : 0) | (before ? HAS_BEFORE : 0) | (after ? HAS_AFTER : 0)
}

const getAnchored = (view: DataView, flags: number) => {
  const time = (view.getUint8(HEAD_BYTES - 4) << 16) + view.getUint16(HEAD_BYTES - 3)
  const [high, low] = [view.getUint32(HEAD_BYTES - 1), view.getUint32(HEAD_BYTES + 3)]
  const code = ((high & 0b111_1111) << 4) | (low >>> 28)
  const isHour = (flags & IS_HOUR) !== 0
  return {
    expires: EPOCH + (isHour ? (time >>> 6) * HOUR : time * MINUTE),
    passage: {
      start: high >>> 7,
      anchor: {
        letters: code < MAX_EXACT_LETTERS ? code : MAX_EXACT_LETTERS + (code - MAX_EXACT_LETTERS) * STEP_LETTERS,
        hash: low & 0xfff_ffff,
        more: isHour ? time & 0b11_1111 : undefined,
        before: (flags & HAS_BEFORE) !== 0,
        after: (flags & HAS_AFTER) !== 0,
      },
    },
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
const IS_HOUR = 0b0100_0000
const HAS_BEFORE = 0b0010_0000
const HAS_AFTER = 0b0001_0000
/** The release before anchors reads this bit as a part of the target, and finds no such target. */
const ANCHORED = 0b0000_1000
const MINUTE = 60
const HOUR = 3600
/** 2026-01-01, in Unix seconds. 24 bits of minutes and 18 of hours last until 2055; later links have offsets alone. */
const EPOCH = 1_767_225_600
