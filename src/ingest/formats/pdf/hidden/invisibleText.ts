import type { PDFPageProxy } from "pdfjs-dist"
import type { TextItem } from "pdfjs-dist/types/src/display/api.js"
import { unzlibSync } from "fflate"
import { loadEngine } from "../page/engine.ts"
import { findHiddenItems } from "./hiddenItems.ts"
import { mayHaveWhite } from "./mayHaveWhite.ts"
import { isPicture } from "../page/pictures.ts"
import { namesSoftHyphen } from "../text/softHyphens.ts"

/** Neither filled nor stroked: the text of a scan, or text that is hidden. */
const INVISIBLE = 3
const SETS_INVISIBLE = /(?:^|[\s\])>])3\s+Tr(?![A-Za-z])/
/** Content streams are shorter; longer ones are pictures and fonts. */
const MAX_STREAM_BYTES = 4 * 1024 * 1024
/** The decompressed bytes of all streams together; later ones of a file are not looked at. */
const MAX_TOTAL_BYTES = 128 * 1024 * 1024
/** A dictionary before its stream. */
const MAX_DICTIONARY = 600
const NO_CONTENT =
  /\/(?:Image|Length1|FontFile|XRef|DCTDecode|JPXDecode|EmbeddedFile|ObjStm|N \d)\b|\/Type0C\b|\/CIDFontType0C\b|\/OpenType\b/

const latin1 = new TextDecoder("latin1")

const ENCRYPTED = /\/Encrypt\s+\d+\s+\d+\s+R/

/** The texts that a file may hide: drawn without fill, or in white; and the hyphens that pdf.js may leave out. */
export interface Suspects {
  readonly isInvisible: boolean
  readonly isWhite: boolean
  readonly hasSoftHyphens: boolean
}

const ALL: Suspects = { isInvisible: true, isWhite: true, hasSoftHyphens: true }

/**
 * Whether a stream of the file may draw text that nobody sees, without fill or in white, or hyphens that pdf.js leaves out. Cheaper than
 * the operators of every page. All are if a stream cannot be looked at, because the file is encrypted or the stream too large.
 */
export const findSuspects = (bytes: Uint8Array): Suspects => {
  const file = latin1.decode(bytes)
  if (ENCRYPTED.test(file)) return ALL
  const into = new Uint8Array(MAX_STREAM_BYTES)
  let total = 0
  let isInvisible = false
  let isWhite = false
  let hasSoftHyphens = false
  for (let at = file.indexOf("stream"); at >= 0; at = file.indexOf("stream", at + 6)) {
    const [line] = /^stream\r?\n/.exec(file.slice(at, at + 8)) ?? []
    if (line === undefined || file.startsWith("end", at - 3)) continue
    const start = at + line.length
    const end = file.indexOf("endstream", start)
    if (end < 0) break
    const dictionary = file.slice(Math.max(0, at - MAX_DICTIONARY), at)
    const own = dictionary.slice(dictionary.lastIndexOf(" obj"))
    if (!NO_CONTENT.test(own)) {
      if (end - start > MAX_STREAM_BYTES) return ALL
      const content = inflateContent(bytes.subarray(start, end), own, into)
      if (content === undefined) return ALL
      isInvisible ||= SETS_INVISIBLE.test(content)
      isWhite ||= mayHaveWhite(content)
      hasSoftHyphens ||= namesSoftHyphen(content)
      if (isInvisible && isWhite && hasSoftHyphens) return ALL
      total += content.length
      if (total > MAX_TOTAL_BYTES) return ALL
    }
    at = end
  }
  return { isInvisible, isWhite, hasSoftHyphens }
}

/** `into`: a buffer for a stream that is stored compressed. Undefined: the stream is longer. */
const inflateContent = (stored: Uint8Array, dictionary: string, into: Uint8Array): string | undefined => {
  if (!dictionary.includes("/FlateDecode")) return latin1.decode(stored)
  try {
    const content = unzlibSync(stored, { out: into })
    return content.length === into.length ? undefined : latin1.decode(content)
  } catch (cause) {
    return cause instanceof RangeError ? undefined : ""
  }
}

/** The texts of a page that are drawn invisibly. None over a picture of the page: they are its recognized text. */
export const invisibleItems = async (
  page: PDFPageProxy,
  items: ReadonlyArray<TextItem>,
): Promise<ReadonlySet<TextItem>> => {
  const { OPS } = await loadEngine()
  const { fnArray, argsArray } = await page.getOperatorList()
  const modes: Array<number> = []
  let mode = 0
  let invisible = ""
  let visible = ""
  for (const [index, operation] of fnArray.entries()) {
    const args = argsArray[index] as ReadonlyArray<unknown> | null
    if (operation === OPS.save || operation === OPS.paintFormXObjectBegin) modes.push(mode)
    else if (operation === OPS.restore || operation === OPS.paintFormXObjectEnd) mode = modes.pop() ?? 0
    else if (operation === OPS.setTextRenderingMode) mode = Number(args?.[0])
    else if (operation === OPS.showText) {
      const glyphs = args?.[0] as ReadonlyArray<{ readonly unicode?: string } | number | null>
      const text = glyphs.map((glyph) => (typeof glyph === "object" ? (glyph?.unicode ?? "") : "")).join("")
      if (mode === INVISIBLE) invisible += text
      else visible += text
    }
  }
  if (invisible === "" || (await isPicture(page))) return new Set()
  return new Set(findHiddenItems(items, invisible, visible))
}
