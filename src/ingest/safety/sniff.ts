import type { Format } from "../document.ts"
import { looksLikeText } from "../../core/common/unicode.ts"

/** `zip`: an unsupported zip. `ole`: an old or encrypted Office file. `text`: no magic bytes, and only bytes that text may have. */
export type Sniffed = Format | "zip" | "ole" | "text"

/** The content types accepted for each format; responses use the first. */
export const CONTENT_TYPES: Readonly<Record<Format, readonly [string, ...ReadonlyArray<string>]>> = {
  pdf: ["application/pdf", "application/x-pdf"],
  docx: ["application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  pptx: ["application/vnd.openxmlformats-officedocument.presentationml.presentation"],
  xlsx: ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  csv: ["text/csv", "application/csv"],
  tsv: ["text/tab-separated-values"],
  doc: ["application/msword"],
  ppt: ["application/vnd.ms-powerpoint"],
  xls: ["application/vnd.ms-excel"],
  html: ["text/html", "application/xhtml+xml"],
  vtt: ["text/vtt"],
  srt: ["application/x-subrip", "text/srt"],
  eml: ["message/rfc822"],
  msg: ["application/vnd.ms-outlook", "application/x-msg"],
  rtf: ["application/rtf", "text/rtf"],
  odt: ["application/vnd.oasis.opendocument.text"],
  json: ["application/json"],
  md: ["text/markdown", "text/x-markdown"],
  txt: ["text/plain"],
  mp3: ["audio/mpeg", "audio/mp3"],
  wav: ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"],
  m4a: ["audio/mp4", "audio/m4a", "audio/x-m4a"],
  mp4: ["video/mp4", "application/mp4"],
}

const FORMAT_OF = new Map(
  Object.entries(CONTENT_TYPES).flatMap(([format, types]) => types.map((type) => [type, format as Format] as const)),
)

/** The format of a content type; parameters are ignored. */
export const formatOf = (contentType: string): Format | undefined =>
  FORMAT_OF.get(contentType.split(";", 1)[0]!.trim().toLowerCase())

const latin = new TextDecoder("latin1")
const ascii = (bytes: Uint8Array, from: number, to: number) => latin.decode(bytes.subarray(from, to))

/** Offsets in a header: its name's length, and the name. */
const LOCAL = { signature: "PK\u0003\u0004", length: 26, name: 30 }
const CENTRAL = { signature: "PK\u0001\u0002", length: 28, name: 46 }
const END = "PK\u0005\u0006"

/** Whether the end of a zip is there: without it the file was cut short. */
export const hasZipEnd = (tail: Uint8Array): boolean => latin.decode(tail).includes(END)

/** The entry names of a piece of a zip. */
const namesIn = (text: string, { signature, length, name }: typeof LOCAL) => {
  const names: Array<string> = []
  for (let at = text.indexOf(signature); at >= 0; at = text.indexOf(signature, at + 4)) {
    const size = text.charCodeAt(at + length) + 256 * text.charCodeAt(at + length + 1)
    names.push(text.slice(at + name, at + name + size))
  }
  return names
}

/** The bytes of a zip64 between its directory and its end record. */
const END_64_SIZE = 76

/** Uses only the central directory if it is complete: an entry may itself be a zip, whose names do not count. */
const entryNames = (head: Uint8Array, tail: Uint8Array): ReadonlySet<string> => {
  const text = latin.decode(tail)
  const end = text.lastIndexOf(END)
  if (end >= 0 && end + 16 <= tail.length) {
    const start = end - new DataView(tail.buffer, tail.byteOffset + end).getUint32(12, true)
    if (start >= 0) return new Set(namesIn(text.slice(Math.max(0, start - END_64_SIZE), end), CENTRAL))
  }
  return new Set([latin.decode(head), text].flatMap((piece) => [...namesIn(piece, LOCAL), ...namesIn(piece, CENTRAL)]))
}

const MAIN_FOLDERS = { "word/": "docx", "ppt/": "pptx", "xl/": "xlsx" } as const

/** A part's name as the zip reader compares it: backslashes become slashes, case is ignored. */
const partName = (name: string) => name.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase()

/** The first entry of an OpenDocument file is its type, not compressed (ODF 1.3 part 2, 3.3). */
const isOdt = (head: Uint8Array) => {
  const size = head[18]! + 256 * head[19]!
  return ascii(head, 30, 38 + size) === "mimetypeapplication/vnd.oasis.opendocument.text"
}

/** Exactly one of the three main folders, and the content-types list; two main folders make a polyglot. */
const sniffZip = (head: Uint8Array, tail: Uint8Array): Sniffed => {
  const names = new Set([...entryNames(head, tail)].map(partName))
  if (names.has("mimetype") && names.has("content.xml")) return isOdt(head) ? "odt" : "zip"
  if (!names.has("[content_types].xml")) return "zip"
  const formats = Object.entries(MAIN_FOLDERS).filter(([folder]) => [...names].some((name) => name.startsWith(folder)))
  return formats.length === 1 ? formats[0]![1] : "zip"
}

/** Two MPEG layer III headers, the second at the distance given by the first. */
const isMpegAudio = (head: Uint8Array) => {
  const frame = (at: number) => {
    const [a = 0, b = 0, c = 0] = head.subarray(at, at + 3)
    const version = (b >> 3) & 3
    const sound =
      a === 0xff && (b & 0xe6) === 0xe2 && version !== 1 && c >> 4 !== 15 && c >> 4 !== 0 && ((c >> 2) & 3) !== 3
    if (!sound) return 0
    const rates = version === 3 ? MPEG1_KBPS : MPEG2_KBPS
    const hertz = [44_100, 48_000, 32_000][(c >> 2) & 3]! / [4, 1, 2, 1][version]!
    return Math.floor(((version === 3 ? 144 : 72) * rates[c >> 4]! * 1000) / hertz) + ((c >> 1) & 1)
  }
  const length = frame(0)
  return length > 0 && (head.length < length + 3 || frame(length) > 0)
}
const MPEG1_KBPS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const MPEG2_KBPS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

const M4A_BRANDS = new Set(["M4A ", "M4B ", "M4P "])
const NOT_MEDIA_BRANDS = /^(?:hei|hev|mif|msf|avi[fs]|crx|jp2|jxl)/

const sniffMp4 = (head: Uint8Array): Sniffed | undefined => {
  const brand = ascii(head, 8, 12)
  if (NOT_MEDIA_BRANDS.test(brand)) return undefined
  return M4A_BRANDS.has(brand) ? "m4a" : "mp4"
}

/**
 * Detects the format from the bytes alone. `head`: at least the first 4 KiB (or all); `tail`: the last 64 KiB, needed to identify
 * a zip. Undefined: unknown.
 */
export const sniff = (head: Uint8Array, tail: Uint8Array = new Uint8Array()): Sniffed | undefined => {
  const first = ascii(head, 0, 4)
  if (head.length === 0) return undefined
  if (first === "PK\u0003\u0004" || first === "PK\u0005\u0006") return sniffZip(head, tail)
  if (first === "\u00d0\u00cf\u0011\u00e0") return "ole"
  if (first === "RIFF" || first === "RF64") return ascii(head, 8, 12) === "WAVE" ? "wav" : undefined
  if (ascii(head, 4, 8) === "ftyp") return sniffMp4(head)
  if ((first.startsWith("ID3") && head[3]! < 5) || isMpegAudio(head)) return "mp3"
  const pdf = ascii(head, 0, 1024).indexOf("%PDF-")
  const text = looksLikeText(head)
  if (pdf >= 0 && (!text || ascii(head, 0, pdf).trim() === "" || pdf === 3)) return "pdf"
  return text ? "text" : undefined
}

const TEXT: ReadonlySet<Sniffed> = new Set(["text"])

const ALIKE: Partial<Record<Format, ReadonlySet<Sniffed>>> = {
  csv: TEXT,
  tsv: TEXT,
  html: TEXT,
  vtt: TEXT,
  srt: TEXT,
  eml: TEXT,
  rtf: TEXT,
  json: TEXT,
  md: TEXT,
  txt: TEXT,
  m4a: new Set(["m4a", "mp4"]),
  mp4: new Set(["mp4", "m4a"]),
}

/** Whether the bytes match a stated content type. Audio and video share the MP4 container, so either type matches both. */
export const agrees = (contentType: string, sniffed: Sniffed | undefined): boolean => {
  const stated = formatOf(contentType)
  if (stated === undefined || sniffed === undefined) return false
  return ALIKE[stated]?.has(sniffed) ?? stated === sniffed
}
