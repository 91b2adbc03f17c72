import type { Cell } from "../../../tables/header.ts"
import { type Band, downTo, type DrawnRow } from "./bands.ts"
import { findColumn, type Interval } from "./columns.ts"
import type { Piece } from "../text/lines.ts"

type Cells = ReadonlyArray<Cell>

export interface RowOfCells extends DrawnRow {
  readonly cells: Cells
}

/** A row of a table, and the fonts of its first lines. */
export interface JoinedRow {
  readonly band: Band
  readonly cells: Cells
  readonly isBold: boolean
  readonly fonts: ReadonlySet<string>
}

const isValue = (text: string) => !/\p{L}{2}/u.test(text)

const hasValue = (cells: Cells) => cells.some(({ text }) => isValue(text))

const startsInside = (text: string) => /^[\p{Ll}(,;&]/u.test(text)

const endsInside = (text: string) => /[,;&(/\-–]$/u.test(text)

/** The distance below which a line belongs to the row above: rows of wrapped cells are further apart than their lines. */
const findTight = (rows: ReadonlyArray<RowOfCells>): number => {
  const pitches = rows.slice(1).flatMap((row, at) => Math.max(downTo(rows[at]!, row), 0) || [])
  const sorted = pitches.toSorted((a, b) => a - b)
  const least = sorted[0] ?? 0
  return sorted.some((pitch) => pitch > least * 1.25) ? least * 1.12 : 0
}

/** The texts of rows by column, without those that cover several. */
const byColumn = (rows: ReadonlyArray<DrawnRow>, spaces: ReadonlyArray<Interval>) => {
  const found = Map.groupBy(
    rows.flatMap(({ pieces }) => pieces.map((piece) => ({ piece, place: findColumn(piece, spaces) }))),
    ({ place }) => (place.span > 1 ? -1 : place.column),
  )
  return (column: number): ReadonlyArray<Piece> => (found.get(column) ?? []).map(({ piece }) => piece)
}

/** In letter heights: a space between words is wider. */
const MIN_SPACE = 0.2

/** Checks that a line of a cell has no room for the first word of the line below, in a column of this width. */
const isFull = (upper: Piece | undefined, lower: Piece | undefined, width: number, size: number) => {
  if (upper === undefined || lower === undefined) return false
  const [word = ""] = lower.text.split(" ")
  const wordWidth = ((lower.end - lower.start) * word.length) / lower.text.length
  return upper.end - upper.start + size * MIN_SPACE + wordWidth > width * 0.98
}

/** Finds rows whose cells may all go on in the row below: each fills its column. */
const fullRows = (rows: ReadonlyArray<RowOfCells>, spaces: ReadonlyArray<Interval>) => {
  const all = byColumn(rows, spaces)
  const widths = Array.from({ length: spaces.length + 1 }, (_, column) => {
    const own = all(column)
    const [start, end] = [own.map((piece) => piece.start), own.map((piece) => piece.end)]
    return (
      end.reduce((most, x) => Math.max(most, x), -Infinity) - start.reduce((least, x) => Math.min(least, x), Infinity)
    )
  })
  return (upper: RowOfCells, lower: RowOfCells) => {
    const [above, below] = [byColumn([upper], spaces), byColumn([lower], spaces)]
    return lower.cells.every(({ column }) =>
      isFull(above(column).at(-1), below(column)[0], widths[column]!, lower.size),
    )
  }
}

/** Whether `row` is the continuation of the cells above. */
const isWrapped = (
  { cells: above, fonts }: JoinedRow,
  row: RowOfCells,
  { down, tight, isFull }: { readonly down: number; readonly tight: number; readonly isFull: boolean },
) => {
  const { cells, size } = row
  if (![...row.fonts].some((font) => fonts.has(font))) return false
  const filled = new Set(above.map(({ column }) => column))
  if (!cells.every(({ column }) => filled.has(column)) || down > Math.max(tight, size * 1.8)) return false
  // A value is never wrapped.
  if (above.some(({ column, text }) => isValue(text) && cells.some((cell) => cell.column === column))) return false
  const isTight = down <= tight
  const upper = (cell: Cell) => above.find(({ column }) => column === cell.column)!.text
  const inside = (cell: Cell) => startsInside(cell.text) || endsInside(upper(cell))
  // Words alone in a column, such as "yes" above "partly", are as wide as it without being wrapped.
  const areLines = (cell: Cell) => inside(cell) && /\s/.test(`${upper(cell).trim()}${cell.text.trim()}`)
  if (cells.some(({ column }) => column === 0)) {
    if (cells.length === 1) return (isTight && above.length > 1) || inside(cells[0]!)
    return isTight && isFull && !hasValue(cells) && (cells.some(areLines) || cells.every(inside))
  }
  return cells.length < above.length && (cells.length === 1 || isTight || !hasValue(cells)) && !hasValue(cells)
}

/** Whether the name of a row is too long for its column, so that the other cells are on the next line. */
const isOverlong = (row: RowOfCells, next: RowOfCells | undefined, down: number) =>
  next !== undefined &&
  row.cells.length === 1 &&
  row.cells[0]!.column === 0 &&
  next.cells.length > 1 &&
  next.cells[0]!.column > 0 &&
  downTo(row, next) < down * 0.93

/** Joins the lines of wrapped cells to the rows above them. */
export const joinWrapped = (
  rows: ReadonlyArray<RowOfCells>,
  spaces: ReadonlyArray<Interval>,
  join: (text: string, next: string) => string,
): ReadonlyArray<JoinedRow> => {
  const tight = findTight(rows)
  const areFull = fullRows(rows, spaces)
  const joined: Array<JoinedRow> = []
  for (const [index, row] of rows.entries()) {
    const above = joined.at(-1)
    const down = index === 0 ? 0 : downTo(rows[index - 1]!, row)
    const before = rows[index - 1]
    if (before !== undefined && isOverlong(before, row, index < 2 ? 0 : downTo(rows[index - 2]!, before)))
      joined[joined.length - 1] = { ...row, cells: [...before.cells, ...row.cells] }
    else if (
      above !== undefined &&
      !isOverlong(row, rows[index + 1], down) &&
      isWrapped(above, row, { down, tight, isFull: areFull(before!, row) })
    ) {
      const cells = above.cells.map((cell) => {
        const next = row.cells.find(({ column }) => column === cell.column)
        return next === undefined ? cell : { ...cell, text: join(cell.text, next.text) }
      })
      joined[joined.length - 1] = { ...above, cells }
    } else joined.push(row)
  }
  return joined
}
