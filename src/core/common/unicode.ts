export const utf32 = (bytes: Uint8Array, littleEndian: boolean) => {
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

/** The encoding of a byte order mark, and the mark. */
export const byMark = (bytes: Uint8Array) =>
  MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))

/** Bytes that suffice to classify a text. */
export const SAMPLE = 4096

/** Detects UTF-16 and UTF-32 without a mark: Latin text then has NULs in every second, or in three of four, bytes. */
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

/** Decodes UTF-32 too, which no runtime supports. */
export const decodeAs = (encoding: string, bytes: Uint8Array): string => {
  if (encoding === "utf-32le" || encoding === "utf-32be") return utf32(bytes, encoding === "utf-32le")
  return new TextDecoder(encoding).decode(bytes)
}

const isStrange = (point: number) => point < 9 || (point > 13 && point < 32 && point !== 27) || point === 0xfffd

/** Allows one strange character in twenty: more means binary data, in any encoding. */
export const mostlyText = (sample: string) => {
  let strange = 0
  for (const letter of sample) if (isStrange(letter.codePointAt(0)!)) strange++
  return strange * 20 <= sample.length
}

/** Whether a file's beginning may be text in an encoding that `decode` knows. */
export const looksLikeText = (head: Uint8Array): boolean => {
  const known = byMark(head)?.[0] ?? byNuls(head)
  if (known !== undefined) return mostlyText(decodeAs(known, head))
  return !head.includes(0) && head.filter((byte) => isStrange(byte)).length * 20 <= head.length
}
