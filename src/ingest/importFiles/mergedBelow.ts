import type { Cell } from "../../core/ports/table.ts"
import type { Zip } from "../safety/zip.ts"
import { parseColumn } from "../formats/office/cellReference.ts"

const MAX_MERGES = 100_000
/** Longer than any mark-up of one merged range. */
const MAX_TAG_LENGTH = 120
const MERGE = /<(?:\w+:)?mergeCell\s+ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"/g

interface Merge {
  readonly column: number
  readonly first: number
  readonly last: number
}

/**
 * Cells that are merged over several rows, as groups in a report are: only the first of the rows holds the value, and it is meant for all.
 * They stand behind all rows, so that a pass of its own must find them.
 */
export const mergedBelow = (zip: Zip, part: string) => {
  const merges: Array<Merge> = []
  const decoder = new TextDecoder()
  let tail = ""
  for (const piece of zip.read(part)) {
    const text = tail + decoder.decode(piece, { stream: true })
    let end = 0
    if (text.includes("mergeCell")) {
      for (const { 0: tag, 1: left = "", 2: top, 3: right, 4: bottom, index } of text.matchAll(MERGE)) {
        end = index + tag.length
        // A merge over columns too is a title or a block, and its value is one.
        if (left !== right || top === bottom || merges.length === MAX_MERGES) continue
        merges.push({ column: parseColumn(left), first: Number(top), last: Number(bottom) })
      }
    }
    tail = text.slice(Math.max(end, text.length - MAX_TAG_LENGTH))
  }
  merges.sort((a, b) => a.first - b.first)
  let next = 0
  let open: Array<Merge & { value: Cell }> = []
  return {
    /** Gives a row the values that its cells share with rows above. Rows come in their order. */
    fill: (line: number, cells: Array<Cell>): void => {
      if (merges.length === 0) return
      open = open.filter(({ last }) => last >= line)
      for (; next < merges.length && merges[next]!.first <= line; next++) {
        const merge = merges[next]!
        const value = merge.first === line ? cells[merge.column - 1] : undefined
        if (value !== undefined && value !== "" && merge.last > line) open.push({ ...merge, value })
      }
      // A row below that has no other cell is empty.
      if (cells.length === 0) return
      for (const { column, first, value } of open) {
        if (first === line) continue
        while (cells.length < column) cells.push("")
        cells[column - 1] = value
      }
    },
  }
}
