import { couldBeHeader } from "../../../tables/header.ts"
import type { Grid, GridCell } from "./grids.ts"
import type { Line, Piece } from "../text/lines.ts"

/** A header whose cells have no rulings, directly above a grid. */
export interface HeaderAbove {
  /** Each cell with its lines. Its rows are negative: the lowest is -1. */
  readonly cells: ReadonlyArray<{ readonly cell: GridCell; readonly lines: ReadonlyArray<Text> }>
  readonly fonts: ReadonlySet<string>
  /** The pieces of each line that belong to it. */
  readonly taken: ReadonlyMap<Line, ReadonlyArray<Piece>>
}

interface Text {
  readonly up: number
  readonly text: string
}

interface Label {
  readonly column: number
  readonly endColumn: number
  readonly size: number
  readonly lines: Array<Text>
  readonly top: number
  bottom: number
}

const MAX_ROWS = 3
const MAX_LINES = 60
/** Points by which a text may cross the side of its column. */
const NEAR = 3
/** In letter heights: from the lowest label down to the grid. */
const MAX_DROP = 3
/** In letter heights: lines of one label. */
const MAX_LEADING = 1.5
/** The share of the columns that have a label. */
const MIN_LABELLED = 0.5

/** The pieces of a line that are between the sides of a grid; undefined if one crosses a side. */
const piecesBetween = (line: Line, left: number, right: number) => {
  const beside = line.pieces.filter(({ start, end }) => end > left + NEAR && start < right - NEAR)
  return beside.every(({ start, end }) => start > left - NEAR && end < right + NEAR) ? beside : undefined
}

/** The columns that a text is above, `endColumn` not included. */
const columnsOf = ({ start, end }: Piece, xs: ReadonlyArray<number>) => ({
  column: Math.max(
    xs.findLastIndex((x) => x <= start + NEAR),
    0,
  ),
  endColumn: xs.findIndex((x) => x >= end - NEAR),
})

const covers = (a: Label, column: number, endColumn: number) => a.column < endColumn && column < a.endColumn

/** The lines that may be of the header, from the lowest up. */
const linesAbove = (lines: ReadonlyArray<Line>, grid: Grid, grids: ReadonlyArray<Grid>) => {
  const [left, right, top] = [grid.xs[0]!, grid.xs.at(-1)!, grid.ys[0]!]
  const drop = Math.max(...grid.ys.slice(1, 4).map((y, at) => grid.ys[at]! - y))
  const isFree = ({ up }: Line) =>
    grids.every(({ xs, ys }) => up > ys[0]! || up < ys.at(-1)! || xs[0]! > right || xs.at(-1)! < left)
  const above = lines
    .filter(({ angle, up, size }) => angle === 0 && up > top && up < top + MAX_ROWS * Math.max(drop, size * 2))
    .sort((a, b) => a.up - b.up)
  const found: Array<{ readonly line: Line; readonly pieces: ReadonlyArray<Piece> }> = []
  let last = top
  for (const line of above) {
    const pieces = piecesBetween(line, left, right)
    if (pieces?.length === 0) continue
    const first = found[0]?.line ?? line
    const isAlike =
      Math.abs(line.size - first.size) < first.size * 0.05 && line.fonts.every((font) => first.fonts.includes(font))
    const isNear = line.up - last <= Math.min(drop * 1.1, line.size * MAX_DROP)
    if (pieces === undefined || !isAlike || !isNear || !isFree(line)) break
    if (found.length === MAX_LINES) return []
    found.push({ line, pieces })
    last = line.up
  }
  return found
}

/** Joins texts below each other in the same columns. */
const joinLabels = (found: ReturnType<typeof linesAbove>, xs: ReadonlyArray<number>) => {
  const labels: Array<Label> = []
  for (const { line, pieces } of found.toReversed())
    for (const piece of pieces) {
      const { column, endColumn } = columnsOf(piece, xs)
      const { up, size } = line
      const above = labels.findLast((label) => covers(label, column, endColumn))
      const isSame = above?.column === column && above.endColumn === endColumn
      if (isSame && above.bottom - up < size * MAX_LEADING) {
        above.lines.push({ up, text: piece.text })
        above.bottom = up
      } else labels.push({ column, endColumn, size, lines: [{ up, text: piece.text }], top: up, bottom: up })
    }
  return labels
}

/** Groups labels by rows, from the top. A label of several rows, which is beside their middle, is in the lower one. */
const groupRows = (labels: ReadonlyArray<Label>) => {
  const rows: Array<Array<Label>> = []
  for (const label of labels.toSorted((a, b) => b.top - a.top)) {
    const row = rows.at(-1)
    const low = row === undefined ? -Infinity : Math.min(...row.map(({ bottom }) => bottom))
    if (row !== undefined && label.top > low - label.size * 0.5) row.push(label)
    else rows.push([label])
  }
  for (let at = rows.length - 2; at >= 0; at--) {
    const [upper, lower] = [rows[at]!, rows[at + 1]!]
    const isApart = upper.every((label) => !lower.some((other) => covers(other, label.column, label.endColumn)))
    if (upper.length === 1 && isApart && upper[0]!.bottom - lower[0]!.top < upper[0]!.size * MAX_LEADING)
      rows.splice(at, 2, [...upper, ...lower])
  }
  return rows
}

const textOf = ({ lines }: Label) => lines.map(({ text }) => text).join(" ")

/**
 * Finds the header of a grid in the lines above it: rows that are as near as the grid's rows are to each other, each of their texts above one
 * column, or above several in an upper row. `grids` are all grids of the page.
 */
export const findHeaderAbove = (
  lines: ReadonlyArray<Line>,
  grid: Grid,
  grids: ReadonlyArray<Grid>,
): HeaderAbove | undefined => {
  const found = linesAbove(lines, grid, grids)
  if (found.length === 0) return undefined
  const rows = groupRows(joinLabels(found, grid.xs))
  // A line of one text above the labels is a title.
  while (rows.length > 0 && rows[0]!.length === 1) rows.shift()
  const lowest = rows.at(-1)
  if (lowest === undefined || rows.length > MAX_ROWS) return undefined
  const columns = grid.xs.length - 1
  if (lowest.some(({ column, endColumn }) => endColumn > column + 1) || lowest.length < columns * MIN_LABELLED)
    return undefined
  const all = rows.flat()
  if (!couldBeHeader(all.map((label) => ({ text: textOf(label) })))) return undefined
  const kept = new Set(all.flatMap((label) => label.lines.map(({ up }) => up)))
  const taken = found.filter(({ line }) => kept.has(line.up))
  return {
    cells: rows.flatMap((row, at) =>
      row.map(({ column, endColumn, lines: own }) => {
        const number = at - rows.length
        return { cell: { column, endColumn, row: number, endRow: number + 1 }, lines: own }
      }),
    ),
    fonts: new Set(taken.flatMap(({ line }) => line.fonts)),
    taken: new Map(taken.map(({ line, pieces }) => [line, pieces])),
  }
}
