import { withLateMarks } from "./lateMarks.ts"
import type { Line } from "../text/lines.ts"

/** In letter heights: how much the base lines of one row differ. */
const SAME_ROW = 0.25
const MIN_ROWS = 3
/** With two columns alone, fewer rows may be lines of two addresses. */
const MIN_ROWS_OF_TWO = 4
/** Both bound the comparisons: a page of paper has fewer. */
const MAX_COLUMNS = 40
const MAX_ROWS = 400
/** The share of a column's lines that are beside a line of another column. */
const MIN_BESIDE = 0.6
/** Letters of a column's usual line: prose has more. */
const MAX_LENGTH = 24
/** In letter heights: lines of prose and of addresses are nearer to each other than rows. */
const MIN_ROW_PITCH = 1.8
/** The share of values in a column of values, whose rows may be as near as lines. */
const MIN_VALUES = 0.7

type Lines = ReadonlyArray<Line>

const topOf = (lines: Lines) => lines[0]!.up
const bottomOf = (lines: Lines) => lines.at(-1)!.up
const isValue = (line: Line) => !/\p{L}{2}/u.test(line.pieces[0]!.text)
const share = (lines: Lines, is: (line: Line) => boolean) => lines.filter(is).length / Math.max(lines.length, 1)
const middle = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Divides lines at each one that is drawn higher than the line before it. */
const divideIntoRuns = (lines: Lines): ReadonlyArray<Lines> => {
  const runs: Array<Array<Line>> = []
  let last: Line | undefined
  for (const line of lines) {
    const goesDown = last !== undefined && last.angle === line.angle && line.up < last.up - line.size * SAME_ROW
    if (goesDown) runs.at(-1)!.push(line)
    else runs.push([line])
    last = line
  }
  return runs
}

const rightOf = (column: Lines) => Math.max(...column.map(({ right }) => right))

/** Whether the lines could be a column to the right of another one. */
const isColumn = (lines: Lines, before: Lines) => {
  if (lines.length === 0 || lines.length > MAX_ROWS) return false
  const edge = rightOf(before)
  return lines.every((line) => line.angle === 0 && line.pieces.length === 1 && line.left >= edge)
}

const isLabelled = (column: Lines) => middle(column.map(({ pieces }) => pieces[0]!.text.length)) <= MAX_LENGTH

/** The lines that are beside a line of another column. */
const findBeside = (columns: ReadonlyArray<Lines>): ReadonlySet<Line> => {
  const beside = new Set<Line>()
  const sorted = columns
    .flatMap((column, at) => column.map((line) => ({ line, at })))
    .sort((a, b) => a.line.up - b.line.up)
  // From both ends: the nearest line of another column above, and below.
  for (const all of [sorted, sorted.toReversed()]) {
    let last: (typeof sorted)[number] | undefined
    let other: typeof last
    for (const next of all) {
      if (last !== undefined && last.at !== next.at) other = last
      const { up, size } = next.line
      if (other !== undefined && Math.abs(other.line.up - up) < size * SAME_ROW) beside.add(next.line)
      last = next
    }
  }
  return beside
}

/** Whether columns are those of a table: their lines are beside each other, and are rows or values. */
const areTable = (columns: ReadonlyArray<Lines>) => {
  const rows = Math.max(...columns.map(({ length }) => length))
  if (columns.length < 2 || columns.length > MAX_COLUMNS) return false
  if (rows < (columns.length === 2 ? MIN_ROWS_OF_TWO : MIN_ROWS)) return false
  if (columns.filter((column) => !isLabelled(column)).length > 1) return false
  const beside = findBeside(columns)
  if (!columns.every((column) => share(column, (line) => beside.has(line)) >= MIN_BESIDE)) return false
  if (columns.some((column) => column.length >= MIN_ROWS && share(column.slice(1), isValue) >= MIN_VALUES)) return true
  const pitches = columns.flatMap((column) => column.slice(1).map(({ up, size }, at) => (column[at]!.up - up) / size))
  return columns.length > 2 && Math.min(...pitches) > MIN_ROW_PITCH
}

/** The lines in rows, from the top and from the left. */
const sortByRows = (columns: ReadonlyArray<Lines>): Lines => {
  const rows: Array<Array<Line>> = []
  for (const line of columns.flat().sort((a, b) => b.up - a.up)) {
    const row = rows.at(-1)
    if (row !== undefined && row[0]!.up - line.up < line.size * SAME_ROW) row.push(line)
    else rows.push([line])
  }
  return rows.flatMap((row) => row.sort((a, b) => a.left - b.left))
}

/** The columns that runs from `first` on begin with, the first below what is above the others, and the last above what is below. */
const findColumns = (runs: ReadonlyArray<Lines>, first: number) => {
  const next = runs[first + 1]
  if (next === undefined) return undefined
  const start = runs[first]!.findIndex(({ up, size }) => up < topOf(next) + size * SAME_ROW)
  if (start < 0) return undefined
  const columns: Array<Lines> = [runs[first]!.slice(start)]
  if (!isColumn(columns[0]!, [])) return undefined
  let rest: Lines = []
  for (let at = first + 1; at < runs.length && rest.length === 0 && columns.length <= MAX_COLUMNS; at++) {
    const run = runs[at]!
    const low = Math.min(...columns.map(bottomOf))
    const end = run.findIndex(({ up, size }) => up < low - size * SAME_ROW)
    const column = end < 0 ? run : run.slice(0, end)
    if (!isColumn(column, columns.at(-1)!)) break
    columns.push(column)
    if (end >= 0) rest = run.slice(end)
  }
  return areTable(columns) ? { above: runs[first]!.slice(0, start), columns, rest } : undefined
}

/** Puts tables that are drawn column by column in the order of their rows. */
const withoutColumns = (lines: Lines): Lines => {
  const runs = [...divideIntoRuns(lines)]
  const ordered: Array<Lines> = []
  for (let at = 0; at < runs.length; at++) {
    const found = findColumns(runs, at)
    if (found === undefined) {
      ordered.push(runs[at]!)
      continue
    }
    ordered.push(found.above, sortByRows(found.columns))
    at += found.columns.length - 1
    // Lines below the table may begin another one.
    if (found.rest.length > 0) runs[at--] = found.rest
  }
  return ordered.flat()
}

/** Lines between a label and the row that it belongs to. */
const MAX_LATE = 12
/** Lines of such a label. */
const MAX_LABEL_LINES = 4

/** The index in `before` behind the row that a label, drawn after rows below that one, belongs to; undefined for any other line. */
const findOwnRow = (before: Lines, label: Lines, next: Line | undefined): number | undefined => {
  const [first] = label
  const last = before.at(-1)
  if (first!.pieces.length > 1 || last === undefined || last.up >= first!.up - first!.size * 0.5) return undefined
  const isRow = (line: Line) => line.angle === first!.angle && line.left >= first!.right && line.pieces.length > 1
  const isBelow = next === undefined || next.up < last.up
  // Below a label of several lines the rows go on: otherwise it may be an address.
  if (!isBelow || (label.length > 1 && (next === undefined || !isRow(next)))) return undefined
  for (let at = before.length - 1; at >= 0 && isRow(before[at]!); at--)
    if (Math.abs(before[at]!.up - first!.up) < first!.size * SAME_ROW) return at + 1
  return undefined
}

/** Puts labels of several rows that are drawn after those rows beside the first one. */
const withLabels = (lines: Lines): Lines => {
  const ordered: Array<Line> = []
  for (let at = 0; at < lines.length;) {
    const label = lines[at]!
    let end = at + 1
    const isBelow = ({ up, size, pieces, left, right }: Line) =>
      pieces.length === 1 &&
      up < lines[end - 1]!.up &&
      lines[end - 1]!.up - up < size * MIN_ROW_PITCH &&
      left < label.right &&
      right > label.left
    if (label.pieces.length === 1)
      while (end < lines.length && end - at < MAX_LABEL_LINES && isBelow(lines[end]!)) end++
    const before = ordered.slice(-MAX_LATE)
    const place = findOwnRow(before, lines.slice(at, end), lines[end])
    if (place === undefined) ordered.push(...lines.slice(at, end))
    else ordered.splice(ordered.length - before.length + place, 0, ...lines.slice(at, end))
    at = end
  }
  return ordered
}

/**
 * Puts the lines of a table that are not drawn row by row in the order of its rows: those of columns that are drawn one after another,
 * labels of several rows that are drawn after those rows, and marks that are drawn apart from the words of their rows.
 */
export const inRowOrder = (lines: Lines): Lines => withLabels(withoutColumns(withLateMarks(lines)))
