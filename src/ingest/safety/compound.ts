import type { Format } from "../document.ts"

/** OLE compound files: Office before 2007, Outlook messages, and what Office encrypts (MS-CFB, MS-OFFCRYPTO 2.3). */
export type Compound = "encrypted" | "message" | OldFormat | "unknown"

/** The Office formats of before 2007, and those that replaced them. */
export const OLD_FORMATS = { doc: "docx", ppt: "pptx", xls: "xlsx" } as const
export type OldFormat = keyof typeof OLD_FORMATS

export const isOldFormat = (format: string | undefined): format is OldFormat =>
  format !== undefined && Object.hasOwn(OLD_FORMATS, format)

/** The name of the stream, as UTF-16LE, that identifies each kind; the first match decides. */
const STREAMS: ReadonlyArray<readonly [Compound, string]> = [
  ["encrypted", "EncryptedPackage"],
  ["message", "__nameid_version1.0"],
  ["doc", "WordDocument"],
  ["ppt", "PowerPoint Document"],
  ["xls", "Workbook"],
]

const utf16 = (text: string) => Uint8Array.from([...text].flatMap((letter) => [letter.charCodeAt(0), 0]))

const holds = (bytes: Uint8Array, wanted: Uint8Array): boolean => {
  for (let at = bytes.indexOf(wanted[0]!); at >= 0; at = bytes.indexOf(wanted[0]!, at + 1)) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return true
  }
  return false
}

/** Classifies a whole file, or its two ends, which may lack the stream names. One that holds another file may be either: `expected` decides. */
export const detectCompound = (pieces: ReadonlyArray<Uint8Array>, expected?: Format): Compound => {
  const found = STREAMS.filter(([, name]) => pieces.some((piece) => holds(piece, utf16(name)))).map(([kind]) => kind)
  return found.find((kind) => kind === expected && isOldFormat(kind)) ?? found[0] ?? "unknown"
}

/** Checks whether the bytes begin as a compound file. */
export const isCompound = (bytes: Uint8Array): boolean => COMPOUND_FILE.every((byte, index) => bytes[index] === byte)
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0]

const OLD =
  "The file is in the Office format of before 2007 (.doc, .xls, .ppt). Open it, save it as DOCX, XLSX or PPTX and upload that. A server with LibreOffice reads it as it is."

export const COMPOUND_REASONS: Readonly<Record<Compound, string>> = {
  encrypted: "The file is protected by a password. Save it without one and upload that copy.",
  message: "The file is an Outlook message. Upload it as application/vnd.ms-outlook.",
  doc: OLD,
  ppt: OLD,
  xls: OLD,
  unknown:
    "The file is protected by a password or in the Office format of before 2007. Open it, save it without a password as DOCX, XLSX or PPTX and upload that.",
}
