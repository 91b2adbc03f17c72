import type { Zip } from "../../safety/zip.ts"

/** Merged cells stand behind all rows of a sheet, which a second pass must unpack; in larger sheets they are left alone. */
const MAX_SHEET_BYTES = 32 * 1024 * 1024
const MAX_MERGES = 10_000
/** Longer than any mark-up of one merged range. */
const MAX_TAG_LENGTH = 120

const MERGE = /<(?:\w+:)?mergeCell\s+ref="([A-Z]{1,3}\d{1,7}):([A-Z]{1,3})(\d{1,7})"/g

/** The spans of a sheet's merged cells that cover several columns, by the reference of their first cell. */
export const mergedSpans = (
  zip: Zip,
  part: string,
  columnOf: (reference: string) => number,
): ReadonlyMap<string, number> => {
  const spans = new Map<string, number>()
  if (zip.size(part) > MAX_SHEET_BYTES) return spans
  const decoder = new TextDecoder()
  let tail = ""
  zip.pieces(part, (piece) => {
    const text = tail + decoder.decode(piece, { stream: true })
    let end = 0
    for (const { 0: tag, 1: first = "", 2: last = "", index } of text.matchAll(MERGE)) {
      const span = columnOf(last) - columnOf(first) + 1
      if (span > 1 && spans.size < MAX_MERGES) spans.set(first, span)
      end = index + tag.length
    }
    tail = text.slice(Math.max(end, text.length - MAX_TAG_LENGTH))
  })
  return spans
}
