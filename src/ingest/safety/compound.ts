/** OLE compound files: Office before 2007, Outlook messages, and what Office encrypts (MS-CFB, MS-OFFCRYPTO 2.3). */
export type Compound = "encrypted" | "message" | "old" | "unknown"

/** Stream names, as UTF-16LE, that identify each kind; the first match decides. */
const STREAMS: ReadonlyArray<readonly [Compound, ReadonlyArray<string>]> = [
  ["encrypted", ["EncryptedPackage"]],
  ["message", ["__nameid_version1.0"]],
  ["old", ["WordDocument", "Workbook", "PowerPoint Document"]],
]

const utf16 = (text: string) => Uint8Array.from([...text].flatMap((letter) => [letter.charCodeAt(0), 0]))

const holds = (bytes: Uint8Array, wanted: Uint8Array): boolean => {
  for (let at = bytes.indexOf(wanted[0]!); at >= 0; at = bytes.indexOf(wanted[0]!, at + 1)) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return true
  }
  return false
}

/** Classifies a whole file, or its two ends, which may lack the stream names. */
export const detectCompound = (...pieces: ReadonlyArray<Uint8Array>): Compound =>
  STREAMS.find(([, names]) => names.some((name) => pieces.some((piece) => holds(piece, utf16(name)))))?.[0] ?? "unknown"

export const COMPOUND_REASONS: Readonly<Record<Compound, string>> = {
  encrypted: "The file is protected by a password. Save it without one and upload that copy.",
  message: "The file is an Outlook message. Upload it as application/vnd.ms-outlook.",
  old: "The file is in the Office format of before 2007 (.doc, .xls, .ppt). Open it, save it as DOCX, XLSX or PPTX and upload that.",
  unknown:
    "The file is protected by a password or in the Office format of before 2007. Open it, save it without a password as DOCX, XLSX or PPTX and upload that.",
}
