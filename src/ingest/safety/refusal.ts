import { type Compound, COMPOUND_REASONS, detectCompound, isOldFormat } from "./compound.ts"
import type { Format } from "../document.ts"
import { type Markup, detectMarkup } from "./markup.ts"
import { agrees, CONTENT_TYPES, formatOf, hasZipEnd, sniff, type Sniffed } from "./sniff.ts"

/** The formats as which a text is read that is certainly one of them. Tabs separate values too. */
const FORMATS_OF: Readonly<Record<Markup, readonly [Format, ...ReadonlyArray<Format>]>> = {
  csv: ["csv", "tsv"],
  html: ["html"],
  vtt: ["vtt", "srt"],
  srt: ["srt", "vtt"],
  mail: ["eml"],
  rtf: ["rtf"],
}

/** Why a text is refused that is certainly of another format than stated. */
const ofMarkup = (markup: Markup, contentType: string, stated: Format | undefined): string | undefined => {
  const formats = FORMATS_OF[markup]
  if (stated !== undefined && formats.includes(stated)) return undefined
  const records = markup === "csv" ? " Deals and other records go to POST /import." : ""
  const name = markup === "mail" ? "a stored e-mail message or web page (MIME)" : markup.toUpperCase()
  return `The file looks like ${name}, but content_type is ${contentType}. Send ${CONTENT_TYPES[formats[0]][0]}.${records}`
}

/**
 * The two ends of a large file may lack the names that identify it: the reader looks again. It also tries the password with which
 * Excel opens workbooks without a question.
 */
const ofCompound = (
  contentType: string,
  stated: Format | undefined,
  found: Compound,
  isConverted: boolean,
): string | undefined => {
  if (stated === "xlsx" && (found === "encrypted" || found === "unknown")) return undefined
  if (stated === "msg" && (found === "message" || found === "unknown")) return undefined
  if (isConverted && (isOldFormat(found) || isOldFormat(stated))) {
    if (found === stated || found === "unknown") return undefined
    if (isOldFormat(found))
      return `The file is ${found.toUpperCase()}, but content_type is ${contentType}. Send ${CONTENT_TYPES[found][0]}.`
  }
  if (found !== "message") return COMPOUND_REASONS[found]
  return `The file is an Outlook message, but content_type is ${contentType}. Send ${CONTENT_TYPES.msg[0]}.`
}

/** The actual format, when it differs from the stated one. */
const ofMismatch = (contentType: string, sniffed: Exclude<Sniffed, "ole"> | undefined, tail?: Uint8Array): string => {
  const stated = formatOf(contentType)?.toUpperCase()
  if (sniffed === undefined) return `The file is not ${stated}, nor anything else that is read. Upload another file.`
  if (sniffed === "zip" && tail !== undefined && !hasZipEnd(tail))
    return "The file is damaged: it was cut short. Open it, save it again and upload the copy."
  if (sniffed === "zip") return "The file is a zip that holds no Office document. Unpack it and upload what is in it."
  if (sniffed === "text") {
    return `The file is text, but content_type is ${contentType}. Send text/plain, or the type of its markup, such as text/markdown or text/csv.`
  }
  return `The file is ${sniffed.toUpperCase()}, but content_type is ${contentType}. Send ${CONTENT_TYPES[sniffed][0]}.`
}

const supported = Object.values(CONTENT_TYPES).map(([first]) => first)

const TEXTS: ReadonlySet<Format> = new Set(["eml", "rtf", "json", "csv", "tsv", "html", "vtt", "srt", "md", "txt"])

/**
 * Why a file is refused and what to send instead; undefined if it is accepted. Checks the first and last 64 KiB, or,
 * before the bytes arrive, only the content type. `isConverted`: Office files of before 2007 are accepted.
 */
export const findRefusal = (
  contentType: string,
  head?: Uint8Array,
  tail?: Uint8Array,
  isConverted = false,
): string | undefined => {
  const essence = contentType.split(";", 1)[0]!.trim().toLowerCase()
  const format = formatOf(contentType)
  const unsupported = format === undefined ? `content_type must be one of ${supported.join(", ")}` : undefined
  if (head === undefined) return unsupported
  const sniffed = sniff(head, tail)
  if (sniffed === "ole") return ofCompound(essence, format, detectCompound([head, tail ?? head], format), isConverted)
  const mayBeMarkup = format === undefined || format === "docx" || isOldFormat(format) || TEXTS.has(format)
  const markup = sniffed === "text" && mayBeMarkup ? detectMarkup(head) : undefined
  // Wikis and mail programs save pages as `.doc`, which Word opens.
  if (format === "doc") {
    if (markup === "html" || markup === "mail") return undefined
    if (markup === undefined) return ofMismatch(essence, sniffed)
  }
  const misstated = markup === undefined ? undefined : ofMarkup(markup, essence, format)
  if (misstated !== undefined) return misstated
  return unsupported ?? (agrees(contentType, sniffed) ? undefined : ofMismatch(essence, sniffed, tail))
}
