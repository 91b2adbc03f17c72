import type { Zip } from "../../safety/zip.ts"

/** Merged cells stand behind all rows of a sheet, which a second pass must unpack; in larger sheets they are left alone. */
const MAX_SHEET_BYTES = 32 * 1024 * 1024
const MAX_MERGES = 10_000
/** Longer than any mark-up of one merged range. */
const MAX_TAG_LENGTH = 120

const MERGE = /<(?:\w+:)?mergeCell\s+ref="([A-Z]{1,3}(\d{1,7})):([A-Z]{1,3})(\d{1,7})"/g

/** The columns and rows that a merged cell covers. */
interface Extent {
  readonly span: number
  readonly rows: number
}

/** The extents of a sheet's merged cells, by the reference of their first cell. */
export const mergedExtents = (
  zip: Zip,
  part: string,
  columnOf: (reference: string) => number,
): ReadonlyMap<string, Extent> => {
  const extents = new Map<string, Extent>()
  if (zip.size(part) > MAX_SHEET_BYTES) return extents
  const decoder = new TextDecoder()
  let tail = ""
  zip.pieces(part, (piece) => {
    const text = tail + decoder.decode(piece, { stream: true })
    let end = 0
    for (const { 0: tag, 1: first = "", 2: top, 3: last = "", 4: bottom, index } of text.matchAll(MERGE)) {
      const span = Math.max(columnOf(last) - columnOf(first) + 1, 1)
      const rows = Math.max(Number(bottom) - Number(top) + 1, 1)
      if (extents.size < MAX_MERGES) extents.set(first, { span, rows })
      end = index + tag.length
    }
    tail = text.slice(Math.max(end, text.length - MAX_TAG_LENGTH))
  })
  return extents
}
