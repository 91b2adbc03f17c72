import { LIMITS, type Element, type ReadDocument, type Warning } from "../../document.ts"
import { looksLikeText } from "../../../core/common/unicode.ts"
import { detectMarkup } from "../../safety/markup.ts"
import type { Zip } from "../../safety/zip.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import type { Relationship } from "./office.ts"

/** The place of a document inside others, and the sums of all files that they contain. */
export interface Nesting {
  readonly depth: number
  readonly total: { files: number; bytes: number }
}

export const outermost = (): Nesting => ({ depth: 0, total: { files: 0, bytes: 0 } })

/** A document in a document in a document. */
const MAX_DEPTH = 2
const MAX_FILES = 200
const MAX_BYTES = 64 * 1024 * 1024
/** Files that the warning names. */
const MAX_NAMED = 12

/** Reads files inside a Word document, which Word shows as parts of it. */
export const altChunkReader = (zip: Zip, links: ReadonlyArray<Relationship>, nesting: Nesting) => {
  const unread: Array<string> = []
  const warnings: Array<Warning> = []
  const { depth, total } = nesting

  const load = (part: string): Uint8Array | undefined => {
    const left = Math.min(MAX_BYTES - total.bytes, LIMITS.entryBytes)
    if (depth >= MAX_DEPTH || ++total.files > MAX_FILES) return undefined
    const pieces: Array<Uint8Array> = []
    let length = 0
    for (const piece of zip.read(part)) {
      length += piece.length
      if (length > left) return undefined
      pieces.push(piece)
    }
    total.bytes += length
    const bytes = new Uint8Array(length)
    let at = 0
    for (const piece of pieces) {
      bytes.set(piece, at)
      at += piece.length
    }
    return bytes
  }

  const read = async (link: string): Promise<ReadonlyArray<Element>> => {
    const part = links.find(({ id, type }) => id === link && type === "aFChunk")?.target
    const name = part?.slice(part.lastIndexOf("/") + 1) ?? link
    try {
      const bytes = part === undefined || !zip.has(part) ? undefined : load(part)
      const document = bytes && (await readFile(name, bytes, { depth: depth + 1, total }))
      if (document === undefined) unread.push(name)
      // The document around it warns of its hidden text.
      warnings.push(...(document?.warnings ?? []).filter(({ code }) => code !== "hidden_text"))
      return document?.elements ?? []
    } catch (cause) {
      if (!(cause instanceof UnreadableError)) throw cause
      if (cause.code !== "empty") unread.push(name)
      return []
    }
  }

  return {
    read,
    /** Warnings of the files that were read, and one that names the others. */
    warnings: (): ReadonlyArray<Warning> => (unread.length === 0 ? warnings : [...warnings, partsUnread(unread)]),
  }
}

const partsUnread = (names: ReadonlyArray<string>): Warning => {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ""
  return {
    code: "parts_unread",
    message: `Files inside the document were not read: ${names.slice(0, MAX_NAMED).join(", ")}${more}. Open the document in Word, save it again and upload the copy.`,
  }
}

/** Its bytes decide what a file is, and its name where they do not. Undefined: nothing that is read. */
const readFile = async (name: string, bytes: Uint8Array, nesting: Nesting): Promise<ReadDocument | undefined> => {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return (await import("./readDocx.ts")).readDocx(bytes, { nesting })
  const markup = detectMarkup(bytes)
  if (markup === "rtf") return (await import("../rtf/readRtf.ts")).readRtf(bytes)
  if (markup === "mail") return (await import("../mail/readEml.ts")).readEml(bytes)
  if (markup === "html" || /\.x?html?$/i.test(name)) return (await import("../text/readHtml.ts")).readHtmlPage(bytes)
  return looksLikeText(bytes) ? (await import("../text/readText.ts")).readText(bytes, "txt") : undefined
}
