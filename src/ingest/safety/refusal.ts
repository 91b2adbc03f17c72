import { COMPOUND_REASONS, compoundOf } from "./compound.ts"
import type { Format } from "../document.ts"
import { type Markup, markupOf } from "./markup.ts"
import { agrees, CONTENT_TYPES, formatOf, sniff, type Sniffed } from "./sniff.ts"

const MARKUP: Readonly<Record<Markup, string>> = {
  csv: "The file looks like CSV, which is not read. Save it as XLSX and upload that, or send deals and other records to POST /import.",
  html: "The file looks like HTML, which is not read. Save the page as PDF, or its text as Markdown, and upload that.",
  mail: "The file looks like a stored e-mail message, which is not read. Save it as PDF, or its text as TXT, and upload that.",
  rtf: "The file looks like RTF, which is not read. Save it as DOCX or PDF and upload that.",
  subtitles:
    "The file looks like subtitles (VTT or SRT), which are not read. Upload the recording, or the spoken text without its times as TXT.",
}

const MARKUP_TYPES: Readonly<Record<string, Markup>> = {
  "text/csv": "csv",
  "text/tab-separated-values": "csv",
  "text/html": "html",
  "application/xhtml+xml": "html",
  "message/rfc822": "mail",
  "text/rtf": "rtf",
  "application/rtf": "rtf",
  "text/vtt": "subtitles",
  "application/x-subrip": "subtitles",
}

/** The actual format, when it differs from the stated one. */
const ofMismatch = (contentType: string, sniffed: Exclude<Sniffed, "ole"> | undefined): string => {
  const stated = formatOf(contentType)?.toUpperCase()
  if (sniffed === undefined) return `The file is not ${stated}, nor anything else that is read. Upload another file.`
  if (sniffed === "zip") return "The file is a zip that holds no Office document. Unpack it and upload what is in it."
  if (sniffed === "text") {
    return `The file is text, but content_type is ${contentType}. Send text/plain or text/markdown.`
  }
  return `The file is ${sniffed.toUpperCase()}, but content_type is ${contentType}. Send ${CONTENT_TYPES[sniffed][0]}.`
}

const supported = Object.values(CONTENT_TYPES).map(([first]) => first)
const isText = (format: Format | undefined) => format === "txt" || format === "md"

/**
 * Why a file is refused and what to send instead; undefined if it is accepted. Checks the first and last 64 KiB, or,
 * before the bytes arrive, only the content type.
 */
export const refusalOf = (contentType: string, head?: Uint8Array, tail?: Uint8Array): string | undefined => {
  const essence = contentType.split(";", 1)[0]!.trim().toLowerCase()
  const format = formatOf(contentType)
  const statedMarkup = MARKUP_TYPES[essence]
  const unsupported =
    format !== undefined
      ? undefined
      : statedMarkup === undefined
        ? `content_type must be one of ${supported.join(", ")}`
        : MARKUP[statedMarkup]
  if (head === undefined) return unsupported
  const sniffed = sniff(head, tail)
  if (sniffed === "ole") return COMPOUND_REASONS[compoundOf(head, tail ?? head)]
  const markup = sniffed === "text" && (format === undefined || isText(format)) ? markupOf(head) : undefined
  if (markup !== undefined) return MARKUP[markup]
  return unsupported ?? (agrees(contentType, sniffed) ? undefined : ofMismatch(essence, sniffed))
}
