import { couldBeHeader } from "../../../tables/header.ts"
import { downTo, type DrawnRow } from "./bands.ts"
import { findColumn, type Interval } from "./columns.ts"
import type { Piece } from "../text/lines.ts"

/** Rows of a header at most. */
const MAX_HEADER_ROWS = 4

type Rows = ReadonlyArray<DrawnRow>
type Spaces = ReadonlyArray<Interval>

/** The rows that have a text in each column; those whose texts cover other columns too only if `isCrossed`. */
const listRows = (rows: Rows, spaces: Spaces, isCrossed: boolean): ReadonlyArray<ReadonlySet<number>> => {
  const found = Array.from({ length: spaces.length + 1 }, () => new Set<number>())
  for (const [at, { pieces }] of rows.entries())
    for (const piece of pieces) {
      const { column, span } = findColumn(piece, spaces)
      if (span > 1 && !isCrossed) continue
      for (let covered = column; covered < column + span; covered++) found[covered]!.add(at)
    }
  return found
}

/**
 * Removes columns of labels alone. A label that is aligned in another way than the texts below it, or centred above two columns,
 * may be beside them all.
 */
export const withoutLabelColumns = (rows: Rows, spaces: Spaces): Spaces => {
  const filled = listRows(rows, spaces, true)
  const last = Math.min(MAX_HEADER_ROWS, rows.length - 1) - 1
  for (const [column, own] of listRows(rows, spaces, false).entries()) {
    if (own.size === 0 || [...own].some((row) => row > last)) continue
    const isFree = (other: number) => filled[other] !== undefined && [...own].every((row) => !filled[other]!.has(row))
    const [left, right] = [isFree(column - 1), isFree(column + 1)]
    if (!left && !right) continue
    const [before, after] = [spaces[column - 1], spaces[column]]
    const kept = left && right ? [{ start: before!.start, end: after!.end }] : [left ? after : before]
    const rest = [...spaces.slice(0, Math.max(column - 1, 0)), ...kept, ...spaces.slice(column + 1)]
    return withoutLabelColumns(
      rows,
      rest.filter((space) => space !== undefined),
    )
  }
  return spaces
}

const middleOf = ({ start, end }: Interval) => (start + end) / 2

/** The widest interval of columns that a label is above the middle of; the label's own if it is above none. */
const findCovered = (
  label: Piece,
  { column, span }: ReturnType<typeof findColumn>,
  extents: ReadonlyArray<Interval>,
  isFree: (at: number) => boolean,
  near: number,
): Interval => {
  let widest: Interval = label
  const isOpen = (at: number) => (at >= column && at < column + span) || isFree(at)
  for (let first = column; first >= 0 && isOpen(first); first--)
    for (let last = column + span - 1; last < extents.length && isOpen(last); last++) {
      const covered = { start: extents[first]!.start, end: extents[last]!.end }
      const isMiddle = Math.abs(middleOf(covered) - middleOf(label)) < near
      if (isMiddle && covered.end - covered.start > widest.end - widest.start) widest = covered
    }
  return widest
}

/** The outermost places of the texts that are in one column alone, by column. */
const extentsOf = (rows: Rows, spaces: Spaces): ReadonlyArray<Interval> => {
  const extents = Array.from({ length: spaces.length + 1 }, () => ({ start: Infinity, end: -Infinity }))
  for (const { pieces } of rows)
    for (const piece of pieces) {
      const { column, span } = findColumn(piece, spaces)
      if (span > 1) continue
      const { start, end } = extents[column]!
      extents[column] = { start: Math.min(start, piece.start), end: Math.max(end, piece.end) }
    }
  return extents
}

/** Widens the labels of a header row that are centred above several columns, each with a label of its own in the next row. */
const spread = (upper: DrawnRow, lower: DrawnRow, rows: Rows, spaces: Spaces): DrawnRow => {
  const columns = (row: DrawnRow) => row.pieces.map((piece) => findColumn(piece, spaces))
  const [own, below] = [columns(upper), columns(lower)]
  if (own.length >= below.length || !couldBeHeader([...upper.pieces, ...lower.pieces])) return upper
  const taken = new Set(own.flatMap(({ column, span }) => Array.from({ length: span }, (_, at) => column + at)))
  const named = new Set(below.flatMap(({ column, span }) => Array.from({ length: span }, (_, at) => column + at)))
  const extents = extentsOf(rows, spaces)
  const pieces = upper.pieces.map((piece, index) => {
    const place = own[index]!
    if (place.column === 0) return piece
    const isFree = (at: number) => at > 0 && !taken.has(at) && named.has(at)
    const { start, end } = findCovered(piece, place, extents, isFree, upper.size)
    return { ...piece, start: Math.min(start, piece.start), end: Math.max(end, piece.end) }
  })
  return { ...upper, pieces }
}

/** The rows, their labels above several columns widened to cover them, the lowest first: an upper one covers those below it. */
export const spreadLabels = (rows: Rows, spaces: Spaces): Rows => {
  const all = [...rows]
  for (let at = Math.min(MAX_HEADER_ROWS, rows.length) - 2; at >= 0; at--)
    all[at] = spread(rows[at]!, all[at + 1]!, rows.slice(at + 1), spaces)
  return all
}

/** A label of several columns is shorter. */
const MAX_LABEL = 40

/** Whether a line may be a row of the header above its first row: of its kind, and as near. */
const isNear = (line: DrawnRow, first: DrawnRow, second: DrawnRow) => {
  const down = downTo(line, first)
  return (
    line.pieces.length === 1 &&
    line.pieces[0]!.text.length <= MAX_LABEL &&
    line.isBold === first.isBold &&
    Math.abs(line.size - first.size) < first.size * 0.05 &&
    down > first.size * 0.5 &&
    down <= Math.min(first.size * 2.6, downTo(first, second) * 1.4)
  )
}

/**
 * The line above a table as its first row, if it is the one label of several columns, but not of the first: their middle, which
 * depends on how much room their texts have on either side, is its own.
 */
export const findGroupLabel = (line: DrawnRow | undefined, rows: Rows, spaces: Spaces): DrawnRow | undefined => {
  const [first, second] = rows
  if (line === undefined || second === undefined || !isNear(line, first!, second)) return undefined
  const [label] = line.pieces
  const extents = extentsOf(rows, spaces)
  const isMiddle = (from: number, to: number) => {
    const before = extents[from - 1]?.end ?? extents[from]!.start
    const after = extents[to + 1]?.start ?? extents[to]!.end
    const middle = middleOf(label!)
    return (
      middle >= (before + extents[to]!.end) / 2 - line.size / 2 &&
      middle <= (extents[from]!.start + after) / 2 + line.size / 2
    )
  }
  const last = extents.length - 1
  for (let from = 0; from < last; from++)
    for (let to = last; to > from; to--)
      if (isMiddle(from, to)) {
        if (from === 0) return undefined
        const piece = {
          ...label!,
          start: Math.min(label!.start, extents[from]!.start),
          end: Math.max(label!.end, extents[to]!.end),
        }
        return { ...line, pieces: [piece] }
      }
  return undefined
}
