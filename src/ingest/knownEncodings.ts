/** What windows-1252 has where ISO 8859-1 has control characters; runtimes differ in the rest of their tables, not here. */
const C1 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

const PIECE = 8192

/** Every byte is a letter: this cannot fail. */
export const windows1252 = (bytes: Uint8Array) => {
  let text = ""
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  }
  return text.replaceAll(/[\u0080-\u009f]/g, (letter) => C1[letter.charCodeAt(0) - 0x80]!)
}

const utf32 = (bytes: Uint8Array, littleEndian: boolean) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pieces: Array<string> = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, littleEndian)
    pieces.push(point > 0x10ffff || (point >= 0xd800 && point < 0xe000) ? "\ufffd" : String.fromCodePoint(point))
  }
  return pieces.join("")
}

const MARKS: ReadonlyArray<readonly [string, ReadonlyArray<number>]> = [
  ["utf-32le", [0xff, 0xfe, 0, 0]],
  ["utf-32be", [0, 0, 0xfe, 0xff]],
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
]

/** The encoding that a byte order mark names, and the mark. */
export const byMark = (bytes: Uint8Array) =>
  MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))

/** How much of a text tells what it is. */
export const SAMPLE = 4096

/** Latin text in UTF-16 and UTF-32 has NULs at every other, or at three of four, places. */
export const byNuls = (bytes: Uint8Array) => {
  const sample = bytes.subarray(0, SAMPLE - (SAMPLE % 4))
  const nuls = [0, 0, 0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) nuls[index % 4]!++
  const share = nuls.map((count) => count / (sample.length / 4))
  const [a = 0, b = 0, c = 0, d = 0] = share
  if (d > 0.95 && c > 0.9 && b > 0.3 && a < 0.1) return "utf-32le"
  if (a > 0.95 && b > 0.9 && c > 0.3 && d < 0.1) return "utf-32be"
  if (b + d > 0.6 && a + c < 0.1) return "utf-16le"
  if (a + c > 0.6 && b + d < 0.1) return "utf-16be"
  return undefined
}

/** UTF-32 too, which no runtime has. */
export const decodeAs = (encoding: string, bytes: Uint8Array): string => {
  if (encoding === "utf-32le" || encoding === "utf-32be") return utf32(bytes, encoding === "utf-32le")
  return new TextDecoder(encoding).decode(bytes)
}

/** At most one in twenty: more is no text, whatever it was decoded as. */
export const mostlyText = (sample: string) => {
  let strange = 0
  for (const letter of sample) {
    const point = letter.codePointAt(0)!
    if (point < 9 || (point > 13 && point < 32 && point !== 27) || point === 0xfffd) strange++
  }
  return strange * 20 <= sample.length
}

/** Whether the beginning of a file can be that of a text, in any encoding `decode` knows. */
export const looksLikeText = (head: Uint8Array): boolean => {
  const known = byMark(head)?.[0] ?? byNuls(head)
  if (known !== undefined) return mostlyText(decodeAs(known, head))
  return !head.includes(0) && mostlyText(windows1252(head))
}
