/** U+FFFD in UTF-8. */
const REPLACEMENT = [0xef, 0xbf, 0xbd]
/** In UTF-16 units, of the text before the byte that an error shows. */
const SHOWN_BEFORE = 20

/** Explains where bytes stop being UTF-8, by `text`, which is decoded from them with U+FFFD for what is not. Undefined: they are. */
export const utf8Problem = (bytes: Uint8Array, text: string): string | undefined => {
  const encoder = new TextEncoder()
  // Decoding drops a byte order mark.
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  for (let start = 0, found = 0; (found = text.indexOf("\uFFFD", start)) !== -1; start = found + 1) {
    at += encoder.encode(text.slice(start, found)).length
    if (REPLACEMENT.some((byte, n) => bytes[at + n] !== byte)) {
      const before = text.slice(Math.max(0, found - SHOWN_BEFORE), found).toWellFormed()
      return `must be UTF-8: byte ${at + 1} is 0x${bytes[at]!.toString(16).padStart(2, "0")}, after ${JSON.stringify(before)}`
    }
    at += REPLACEMENT.length
  }
  return undefined
}

/** The first part of an address whose percent signs encode no UTF-8, such as `%E9`. */
export const notUtf8InAddress = (url: string): string | undefined =>
  url.match(/(?:%[89a-f][\da-f])+/gi)?.find((encoded) => {
    try {
      return decodeURIComponent(encoded) === ""
    } catch {
      return true
    }
  })
