import { byMark, byNuls, decodeAs } from "../../core/common/unicode.ts"

/** Text formats whose markup would be indexed if they were read as plain text. `csv` has commas, semicolons or tabs. */
export type Markup = "csv" | "html" | "mail" | "rtf" | "srt" | "vtt"

const HTML_START = /^(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[^]{0,5000}?-->\s*)?<(?:!doctype\s+html|html|head|body)[\s>]/i
const HTML_TAG =
  /<\/?(?:a|b|br|div|em|h[1-6]|hr|i|img|li|ol|p|section|span|strong|table|tbody|td|th|tr|ul)(?:\s[^<>]{0,500})?\/?>/gi
const MARKDOWN = /^(?:#{1,6} \S|```|[-*+] \S|> ?\S|(?:-{3,}|={3,})[ \t]*$)|\]\(/m

/** An HTML page or fragment: begins and ends with a tag, has many, and no Markdown syntax (Markdown may contain HTML). */
const isHtml = (text: string) => {
  if (HTML_START.test(text)) return true
  if (!/^<[a-z][^<>]{0,500}>/i.test(text) || !text.endsWith(">") || MARKDOWN.test(text)) return false
  return (text.match(HTML_TAG)?.length ?? 0) >= 6
}

const HEADER = /^([A-Za-z][A-Za-z0-9-]{1,60}):[ \t]?/
/** Headers that only programs write. */
const TECHNICAL = new Set(["message-id", "mime-version", "received", "return-path", "content-transfer-encoding"])

/** An exported e-mail message. Text pasted with From, To and Subject is not one. */
const isMail = (text: string) => {
  const names = new Set<string>()
  for (const line of text.split("\n", 200)) {
    if (line.trim() === "") break
    if (/^[ \t]/.test(line) && names.size > 0) continue
    if (/^From \S+/.test(line) && names.size === 0) continue
    const name = HEADER.exec(line)?.[1]
    if (name === undefined) return false
    names.add(name.toLowerCase())
  }
  // A wiki's page saved as Word is a message without a sender.
  if (names.has("mime-version") && names.has("content-type")) return true
  return names.has("from") && [...names].some((name) => TECHNICAL.has(name))
}

interface Rows {
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly delimiters: number
  /** Delimiters followed by a space, as in prose. */
  readonly spaced: number
}

type Delimiter = "," | ";" | "\t"
const UNQUOTED: Readonly<Record<Delimiter, string>> = { ",": "[^,\n]*", ";": "[^;\n]*", "\t": "[^\t\n]*" }

/** Parses rows with RFC 4180 quotes; undefined if a quote appears as in prose. */
const parseRows = (text: string, delimiter: Delimiter): Rows | undefined => {
  const quoted = /"((?:[^"]|"")*)"/y
  const unquoted = new RegExp(UNQUOTED[delimiter], "y")
  const rows: Array<Array<string>> = [[]]
  let [delimiters, spaced] = [0, 0]
  for (let at = 0; ; at++) {
    const pattern = text[at] === '"' ? quoted : unquoted
    pattern.lastIndex = at
    const found = pattern.exec(text)
    // The cut at the end of the sample may leave a quote open.
    if (found === null) return rows.length > 20 ? { rows: rows.slice(0, -1), delimiters, spaced } : undefined
    rows.at(-1)!.push(found[1] ?? found[0])
    at += found[0].length
    if (at >= text.length) return { rows, delimiters, spaced }
    if (text[at] === "\n") rows.push([])
    else if (text[at] !== delimiter) return undefined
    else {
      delimiters++
      if (text[at + 1] === " ") spaced++
    }
  }
}

/** A header and enough rows of equal width: lines of prose may have one comma each. */
const MIN_ROWS = { narrow: 6, wide: 3 }
const isHeading = (cell: string) => cell.trim() !== "" && cell.length <= 60 && !/[.!?:]$/.test(cell.trim())

const isTable = (text: string, delimiter: Delimiter) => {
  const found = parseRows(text, delimiter)
  if (found === undefined) return false
  const { rows, spaced, delimiters } = found
  const [header = []] = rows
  const width = header.length
  if (width < (delimiter === "\t" ? 3 : 2) || rows.length < (width > 2 ? MIN_ROWS.wide : MIN_ROWS.narrow)) return false
  if (!header.every(isHeading) || new Set(header).size < width) return false
  if (rows.some((row) => row.length === 1 && row[0] === "")) return false
  return rows.filter((row) => row.length === width).length >= rows.length * 0.98 && spaced < delimiters / 2
}

const VTT = /^WEBVTT(?:[ \t\n]|$)/
const SRT = /^\d+\n\d{1,2}:\d\d:\d\d[,.]\d{3} --> \d{1,2}:\d\d:\d\d[,.]\d{3}/

/** Bytes of the file's beginning that are checked. */
const MARKUP_HEAD = 65_536

/** The format of a text by its beginning, if it is certainly more than plain text or Markdown. */
export const detectMarkup = (head: Uint8Array): Markup | undefined => {
  const bytes = head.subarray(0, MARKUP_HEAD)
  const [marked, mark = []] = byMark(bytes) ?? []
  const decoded = decodeAs(marked ?? byNuls(bytes) ?? "utf-8", bytes.subarray(mark.length)).replaceAll(/\r\n?/g, "\n")
  // The last line may be cut off.
  const whole = bytes.length < MARKUP_HEAD ? decoded : decoded.slice(0, decoded.lastIndexOf("\n") + 1)
  const text = whole.trim()
  if (text.startsWith("{\\rtf")) return "rtf"
  if (VTT.test(text)) return "vtt"
  if (SRT.test(text)) return "srt"
  if (isHtml(text)) return "html"
  if (isMail(text)) return "mail"
  // A leading or trailing tab is a cell.
  const lines = whole.replaceAll(/^\n+|\n+$/g, "")
  return ([",", ";", "\t"] as const).some((delimiter) => isTable(lines, delimiter)) ? "csv" : undefined
}
