type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252"

const SAMPLE = 65_536

/**
 * Decodes chunks of bytes and detects their encoding: by a byte order mark, by the NULs of UTF-16, then UTF-8 if most
 * non-ASCII bytes are valid UTF-8, else Windows-1252.
 */
export class TextReader {
  #encoding: Encoding | undefined
  #started = false
  #held: Uint8Array = new Uint8Array(0)
  #decoder: TextDecoder | undefined
  /** True if a UTF-8 file has invalid bytes, which became U+FFFD. */
  damaged = false

  push(bytes: Uint8Array): string {
    return this.#read(join(this.#held, bytes), false)
  }

  end(): string {
    return this.#read(this.#held, true)
  }

  #read(bytes: Uint8Array, last: boolean): string {
    this.#held = new Uint8Array(0)
    if (!this.#started) {
      if (bytes.length < 512 && !last) return this.#hold(bytes, "")
      this.#started = true
      this.#encoding = detectByteOrderMark(bytes) ?? detectUtf16(bytes)
    }
    if (this.#encoding !== undefined) return this.#decode(bytes, last)
    const high = indexOfNonAscii(bytes)
    if (high === -1) return ascii.decode(bytes)
    if (bytes.length - high < SAMPLE && !last) {
      return this.#hold(bytes.slice(high), ascii.decode(bytes.subarray(0, high)))
    }
    this.#encoding = looksLikeUtf8(bytes.subarray(high)) ? "utf-8" : "windows-1252"
    return this.#decode(bytes, last)
  }

  #hold(bytes: Uint8Array, text: string): string {
    this.#held = bytes
    return text
  }

  #decode(given: Uint8Array, last: boolean): string {
    const size = this.#encoding === "utf-8" ? lengthOfWholeUtf8(given) : given.length - (given.length % 2)
    const whole = last || this.#encoding === "windows-1252" ? given.length : size
    let bytes = given.subarray(0, whole)
    if (whole < given.length) this.#held = given.slice(whole)
    if (this.#encoding === "utf-8" && !this.damaged) this.damaged = !isUtf8(bytes)
    // Some runtimes cannot decode UTF-16BE.
    if (this.#encoding === "utf-16be") bytes = swapBytes(bytes)
    this.#decoder ??= new TextDecoder(this.#encoding === "utf-16be" ? "utf-16le" : this.#encoding)
    return this.#decoder.decode(bytes, { stream: !last })
  }
}

const ascii = new TextDecoder()
const strict = new TextDecoder("utf-8", { fatal: true })

const join = (a: Uint8Array, b: Uint8Array) => {
  if (a.length === 0) return b
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}

const detectByteOrderMark = ([a, b, c]: Uint8Array): Encoding | undefined =>
  a === 0xef && b === 0xbb && c === 0xbf
    ? "utf-8"
    : a === 0xff && b === 0xfe
      ? "utf-16le"
      : a === 0xfe && b === 0xff
        ? "utf-16be"
        : undefined

const detectUtf16 = (bytes: Uint8Array): Encoding | undefined => {
  const zeros = [0, 0]
  const sample = bytes.subarray(0, 512)
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2]!++
  })
  const [even = 0, odd = 0] = zeros
  const many = sample.length / 5
  if (odd > many && even < odd / 4) return "utf-16le"
  return even > many && odd < even / 4 ? "utf-16be" : undefined
}

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

const looksLikeUtf8 = (sample: Uint8Array): boolean => {
  if (isUtf8(sample.subarray(0, lengthOfWholeUtf8(sample)))) return true
  let good = 0
  let bad = 0
  for (const character of ascii.decode(sample)) {
    if (character === "\ufffd") bad++
    else if (character > "\u007f") good++
  }
  return good > bad
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
