import type { TableRow } from "./header.ts"

/** A longer header cell is a text of its own, and would repeat with every row. */
const MAX_LABEL_LENGTH = 80
/** Wider tables have labels for their first columns only. */
const MAX_LABELS = 256

interface Placed {
  readonly text: string
  readonly column: number
  readonly end: number
}

const filledCells = ({ cells }: TableRow): ReadonlyArray<Placed> =>
  cells
    .map(({ text, column, span = 1 }) => ({ text: text.replaceAll(/\s+/g, " ").trim(), column, end: column + span }))
    .filter(({ text }) => text !== "")

/**
 * The label of each column, from the rows of a header: "2025 Q1" for "Q1" below "2025". A cell covers the columns of its span;
 * in an upper row it also covers the empty columns up to the next cell, if the row below has cells there.
 */
export const makeLabels = (header: ReadonlyArray<TableRow>): ReadonlyArray<string> => {
  const all = header.map(filledCells)
  // A row of one cell is the table's title, unless the cell covers some columns: from the first on, a title may too.
  const last = Math.max(0, ...all.flat().map(({ end }) => end))
  const isGroup = (cell: Placed | undefined, isMarked: boolean) =>
    cell !== undefined && cell.end > cell.column + 1 && (cell.column > 0 || (isMarked && cell.end < last))
  const named = all.filter((cells, at) => cells.length > 1 || isGroup(cells[0], header[at]!.isHeader === true))
  const rows = named.some((cells) => cells.length > 1) ? named : all
  const width = Math.min(Math.max(0, ...rows.flat().map(({ end }) => end)), MAX_LABELS)
  const labels = Array.from({ length: width }, (): Array<string> => [])
  for (const [index, row] of rows.entries()) {
    const below = new Set(rows.slice(index + 1).flatMap((cells) => cells.map(({ column }) => column)))
    for (const [n, { text, column, end }] of row.entries()) {
      const next = row[n + 1]?.column ?? width
      for (let at = column; at < Math.min(next, width); at++) {
        if (at >= end && (!below.has(at) || column === 0)) break
        if (labels[at]?.at(-1) !== text) labels[at]?.push(text)
      }
    }
  }
  return labels.map((parts) => parts.join(" ").slice(0, MAX_LABEL_LENGTH).trimEnd().toWellFormed())
}
