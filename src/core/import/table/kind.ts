import { byMark, byNuls, decodeAs, looksLikeText } from "../../common/unicode.ts"

/** Bytes that suffice to find the kind of a file. */
export const KIND_BYTES = 4_096

/** `text`: CSV, by any delimiter. `zip`: also a file of Office that may be an encrypted workbook. A kind that no import reads has its name, for a message. */
export type Kind =
  | { readonly is: "gzip" | "zip" | "html" | "json" | "ndjson" | "text" }
  | { readonly is: "other"; readonly name: string; readonly advice: string }

const AS_TABLE = "save it as XLSX or CSV"
const EXPORT = "export the records as CSV or XLSX"

const MAGIC: ReadonlyArray<readonly [bytes: ReadonlyArray<number> | string, name: string, advice: string]> = [
  ["%PDF-", "a PDF", EXPORT],
  ["{\\rtf", "a document in Rich Text Format", AS_TABLE],
  [[0x89, 0x50, 0x4e, 0x47], "a picture (PNG)", EXPORT],
  [[0xff, 0xd8, 0xff], "a picture (JPEG)", EXPORT],
  ["GIF8", "a picture (GIF)", EXPORT],
  ["PAR1", "a Parquet file", EXPORT],
  ["Obj\u0001", "an Avro file", EXPORT],
  ["SQLite format 3", "an SQLite database", EXPORT],
  ["bplist", "a property list", EXPORT],
  ["7z\u00bc\u00af", "a 7z archive", "unpack it and send the file in it"],
  ["Rar!", "a RAR archive", "unpack it and send the file in it"],
  ["BZh", "compressed by bzip2", "unpack it, or compress it by gzip"],
  [[0x28, 0xb5, 0x2f, 0xfd], "compressed by Zstandard", "unpack it, or compress it by gzip"],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], "compressed by xz", "unpack it, or compress it by gzip"],
  [[0x09, 0x08, 0x10, 0x00], "a workbook of Excel 95 or older", AS_TABLE],
  [[0x09, 0x04, 0x06, 0x00], "a workbook of Excel 95 or older", AS_TABLE],
]

const beginsWith = (head: Uint8Array, magic: ReadonlyArray<number> | string) =>
  (typeof magic === "string" ? [...magic].map((letter) => letter.charCodeAt(0)) : magic).every(
    (byte, index) => head[index] === byte,
  )

/** Finds what a file is by its first bytes. `isNdjson`: its sender says so, which decides between texts only. */
export const detectKind = (head: Uint8Array, isNdjson: boolean): Kind => {
  if (beginsWith(head, [0x1f, 0x8b])) return { is: "gzip" }
  if (beginsWith(head, "PK\u0003\u0004") || beginsWith(head, "PK\u0005\u0006")) return { is: "zip" }
  if (beginsWith(head, [0xd0, 0xcf, 0x11, 0xe0])) return compound(head)
  const found = MAGIC.find(([bytes]) => beginsWith(head, bytes))
  if (found !== undefined) return { is: "other", name: found[1], advice: found[2] }
  const encoding = byMark(head)?.[0] ?? byNuls(head)
  if (head.length > 0 && !looksLikeText(head)) return { is: "other", name: "binary data", advice: EXPORT }
  const text = decodeAs(encoding ?? "utf-8", head)
    .replace(/^\ufeff+/, "")
    .trimStart()
  return kindOfText(text, isNdjson)
}

const HTML =
  /^(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--(?:(?!-->)[^]){0,2000}-->\s*)*<(?:!doctype\s+html|html|head|body|meta|style|table)[\s>]/i

const kindOfText = (text: string, isNdjson: boolean): Kind => {
  if (/^\[\s*(?:[{\]]|$)/.test(text)) return { is: "json" }
  if (HTML.test(text)) return { is: "html" }
  if (/^<\?xml|^<(?:\w+:)?Workbook[\s>]/.test(text)) {
    const isSheet = /urn:schemas-microsoft-com:office:spreadsheet|<\?mso-application\s+progid="Excel/.test(text)
    return {
      is: "other",
      name: isSheet ? "an XML spreadsheet of Excel 2003" : "XML",
      advice: isSheet ? AS_TABLE : EXPORT,
    }
  }
  if (/^\{\s*(?:"|\}|$)/.test(text)) {
    // An object over several lines, which a program wrote to be read by people.
    const isOpen = /^\{[ \t]*\r?\n/.test(text)
    const advice = "send a JSON array of objects, or one object a line"
    return isOpen && !isNdjson ? { is: "other", name: "one JSON object", advice } : { is: "ndjson" }
  }
  return { is: isNdjson ? "ndjson" : "text" }
}

const NAMES_IN_COMPOUND: ReadonlyArray<readonly [stream: string, name: string, advice: string]> = [
  ["Workbook", "an Excel 97 workbook", AS_TABLE],
  ["Book", "a workbook of Excel 95", AS_TABLE],
  ["WordDocument", "a Word 97 document", AS_TABLE],
]

/** OLE files name their streams in UTF-16 in a directory, which may be anywhere: unless it is in the head, the reader looks at the whole file. */
const compound = (head: Uint8Array): Kind => {
  const text = new TextDecoder("utf-16le").decode(head)
  const [, name, advice] = NAMES_IN_COMPOUND.find(([stream]) => text.includes(stream)) ?? []
  return name === undefined || advice === undefined ? { is: "zip" } : { is: "other", name, advice }
}
