import { byMark, byNuls, utf32 } from "../../common/unicode.ts"
import type { Encoding, EncodingBy, Encodings, StreamDecoder } from "../../ports/table.ts"

/** Bytes from the first one beyond ASCII that decide the encoding. */
const SAMPLE = 65_536

/** Bytes of the beginning that may have a mark, or the NULs of UTF-16. */
const HEAD = 512

/** The longest beginning of a line that waits with the first byte beyond ASCII, so that a message can show the line. */
const MAX_LINE_START = 1_024

/** The problem of a text that needs `encodings` where there are none. */
export const UNKNOWN_TEXT = "is neither UTF-8 nor UTF-16, and this server reads no other encoding: save it as UTF-8"

export interface TextOptions {
  /** The encoding that the request names. A byte order mark wins over it. */
  readonly encoding?: Encoding | undefined
  /** Knows more than UTF-8 and UTF-16. */
  readonly encodings?: Encodings | undefined
  /** The delimiter of a CSV, of an earlier reading. By default its beginning decides. */
  readonly delimiter?: string | undefined
}

/**
 * Decodes chunks of bytes and finds their encoding: by a byte order mark, by the request, by the NULs of UTF-16, as UTF-8 if most
 * bytes beyond ASCII are valid UTF-8, else by `encodings`.
 */
export class TextReader {
  readonly #options: TextOptions
  #encoding: Encoding | undefined
  #by: EncodingBy = "bytes"
  #started = false
  #held: Uint8Array = new Uint8Array(0)
  /** Some bytes are no character of the encoding, and became U+FFFD. */
  isDamaged = false
  /** Rows of the text have been written. */
  #isSettled = false
  /** Why the characters beyond ASCII cannot be decoded, once rows have been written. */
  #unclear: string | undefined
  /** Why the text cannot be decoded, as the end of a sentence about the file. It has no text from then on. */
  problem: string | undefined

  constructor(options: TextOptions = {}) {
    this.#options = options
  }

  /** ASCII is UTF-8 until another byte comes. */
  get encoding(): { readonly name: string; readonly by: EncodingBy } {
    return { name: this.#encoding?.name ?? "utf-8", by: this.#by }
  }

  /** Rows are written from now on: from here, what cannot be decoded is a problem of its rows, and no longer of the whole text. */
  settle(): void {
    this.#isSettled = true
  }

  /** Why a part of the text cannot be used: some of its bytes are no character of the encoding. */
  damageIn(cells: ReadonlyArray<string>): string | undefined {
    if (this.#unclear !== undefined) return cells.some((cell) => BEYOND_ASCII.test(cell)) ? this.#unclear : undefined
    if (!this.isDamaged || !cells.some((cell) => this.#damage.test(cell))) return undefined
    const name = writeName(this.encoding.name)
    return `contains bytes that are not ${name}, although the rest of the file is ${name}`
  }

  /** The output of its decoder for bytes that are no character: Node turns those of EUC-KR that it does not know into C1 controls. */
  get #damage(): RegExp {
    return this.encoding.name.startsWith("utf-") ? /\ufffd/ : /[\ufffd\u0080-\u009f]/
  }

  push(bytes: Uint8Array): string {
    return this.#read(join(this.#held, bytes), false)
  }

  end(): string {
    return this.#read(this.#held, true)
  }

  #read(bytes: Uint8Array, isLast: boolean): string {
    this.#held = new Uint8Array(0)
    if (this.problem !== undefined) return ""
    if (!this.#started) {
      if (bytes.length < HEAD && !isLast) return this.#hold(bytes, "")
      this.#started = true
      this.#begin(bytes)
    }
    if (this.#encoding !== undefined) return this.#decode(this.#encoding, bytes, isLast)
    const high = indexOfNonAscii(bytes)
    if (high === -1) return ascii.decode(bytes)
    const start = Math.max(bytes.lastIndexOf(0x0a, high) + 1, high - MAX_LINE_START)
    if (bytes.length - high < SAMPLE && !isLast) {
      return this.#hold(bytes.slice(start), ascii.decode(bytes.subarray(0, start)))
    }
    const encoding = this.#guess(bytes.subarray(start), high - start)
    if (encoding === undefined) return ""
    this.#encoding = encoding
    return this.#decode(encoding, bytes, isLast)
  }

  #begin(head: Uint8Array): void {
    const mark = byMark(head)?.[0]
    const { encoding } = this.#options
    const known = mark ?? (encoding === undefined ? byNuls(head) : undefined)
    this.#encoding = known === undefined ? encoding : unicode(known)
    this.#by = mark !== undefined ? "mark" : encoding !== undefined ? "request" : "bytes"
  }

  #guess(sample: Uint8Array, high: number): Encoding | undefined {
    const beyond = sample.subarray(high)
    if (isUtf8(beyond.subarray(0, lengthOfWholeUtf8(beyond))) || looksLikeUtf8(beyond)) return utf8()
    const guess = this.#options.encodings?.guess(sample)
    if (guess !== undefined && !("problem" in guess)) {
      this.#by = "guess"
      return guess
    }
    const problem = guess?.problem ?? UNKNOWN_TEXT
    if (this.#isSettled) {
      this.#unclear = problem
      return utf8()
    }
    this.problem = problem
    return undefined
  }

  #hold(bytes: Uint8Array, text: string): string {
    this.#held = bytes
    return text
  }

  #decode({ name, decoder }: Encoding, given: Uint8Array, isLast: boolean): string {
    if (name !== "utf-8") {
      const text = decoder.decode(given, isLast)
      this.isDamaged ||= this.#damage.test(text)
      return text
    }
    const size = isLast ? given.length : lengthOfWholeUtf8(given)
    if (size < given.length) this.#held = given.slice(size)
    const bytes = given.subarray(0, size)
    const text = decoder.decode(bytes, isLast)
    // A file may hold U+FFFD itself.
    if (!this.isDamaged && text.includes("\ufffd")) this.isDamaged = !isUtf8(bytes)
    return text
  }
}

/** As people write it: `UTF-8`, `Shift_JIS`. */
const writeName = (name: string) => (name.startsWith("utf-") ? name.toUpperCase() : name)

const ascii = new TextDecoder()
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const stream = (label: string): StreamDecoder => {
  const decoder = new TextDecoder(label)
  return { decode: (bytes, isLast) => decoder.decode(bytes, { stream: !isLast }) }
}

const utf8 = (): Encoding => ({ name: "utf-8", decoder: stream("utf-8") })

/** Gives `decode` whole characters of `size` bytes only. */
const inUnits = (size: number, decode: StreamDecoder["decode"]): StreamDecoder => {
  let held: Uint8Array = new Uint8Array(0)
  return {
    decode: (given, isLast) => {
      const all = join(held, given)
      const whole = isLast ? all.length : all.length - (all.length % size)
      held = all.slice(whole)
      return decode(all.subarray(0, whole), isLast)
    },
  }
}

/** UTF-8, UTF-16 and UTF-32 by their WHATWG names. Not every runtime decodes UTF-16BE, and none UTF-32. */
const unicode = (name: string): Encoding => {
  if (name === "utf-16be") {
    const { decode } = stream("utf-16le")
    return { name, decoder: inUnits(2, (bytes, isLast) => decode(swapBytes(bytes), isLast)) }
  }
  if (name.startsWith("utf-32")) {
    let isFirst = true
    const decode = (bytes: Uint8Array) => {
      const text = utf32(bytes, name === "utf-32le")
      const plain = isFirst ? text.replace(/^\ufeff/, "") : text
      isFirst &&= text === ""
      return plain
    }
    return { name, decoder: inUnits(4, decode) }
  }
  return { name, decoder: stream(name) }
}

/** UTF-8 and UTF-16 by the labels that requests have for them. */
export const findUnicode = (label: string): Encoding | undefined => {
  const name = UNICODE.get(label.trim().toLowerCase())
  return name === undefined ? undefined : unicode(name)
}

const UNICODE = new Map([
  ["utf-8", "utf-8"],
  ["utf8", "utf-8"],
  ["us-ascii", "utf-8"],
  ["ascii", "utf-8"],
  ["utf-16", "utf-16le"],
  ["utf-16le", "utf-16le"],
  ["utf-16be", "utf-16be"],
])

const join = (a: Uint8Array, b: Uint8Array) => {
  if (a.length === 0) return b
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}

const BEYOND_ASCII = /[^\0-\u007f]/

const indexOfNonAscii = (bytes: Uint8Array): number => {
  for (let index = 0; index < bytes.length; index++) if (bytes[index]! >= 0x80) return index
  return -1
}

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    strict.decode(bytes)
    return true
  } catch {
    return false
  }
}

/** UTF-8 but for a few bytes, as a text is after a cut or a bad merge. */
const looksLikeUtf8 = (sample: Uint8Array): boolean => {
  let good = 0
  let bad = 0
  for (const character of ascii.decode(sample)) {
    if (character === "\ufffd") bad++
    else if (character > "\u007f") good++
  }
  return good >= bad * 4
}

/** The number of bytes before a sequence that is cut off at the end. */
const lengthOfWholeUtf8 = (bytes: Uint8Array): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? bytes.length - back : bytes.length
    }
    if (byte < 0x80) break
  }
  return bytes.length
}

const swapBytes = (bytes: Uint8Array): Uint8Array => {
  const result = new Uint8Array(bytes.length)
  for (let index = 0; index < bytes.length; index++) result[index] = bytes[index ^ 1] ?? 0
  return result
}
