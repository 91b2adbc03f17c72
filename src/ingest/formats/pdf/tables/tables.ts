import { isCaption } from "./captions.ts"
import { type Cell, couldBeHeader } from "../../../tables/header.ts"
import { divideAt, findBoundary } from "./boundaries.ts"
import { type Band, divideIntoBands, downTo, type DrawnRow, joinRow } from "./bands.ts"
import { findColumn, type Interval, type Pieces, findSpaces } from "./columns.ts"
import { findGroupLabel, spreadLabels, withoutLabelColumns } from "./labels.ts"
import { isNoTable } from "./notTables.ts"
import type { Line } from "../text/lines.ts"
import type { Ruling } from "../page/rulings.ts"
import { readRules } from "./rules.ts"
import { withoutRunning } from "./running.ts"
import { type JoinedRow, joinWrapped } from "./wrapped.ts"

/** A table of a page, found by the alignment of its texts. */
export interface Table {
  /** The indexes of its lines on the page: `first` is included, `end` is not. */
  readonly first: number
  readonly end: number
  readonly rows: ReadonlyArray<{ readonly cells: ReadonlyArray<Cell>; readonly isHeader?: boolean }>
  /** The spaces between its columns. */
  readonly spaces: ReadonlyArray<Interval>
}

/** Bounds the comparisons. A page of paper has fewer rows. */
const MAX_ROWS = 200
/** The columns of a new row are compared with those of this many rows above. */
const MAX_COMPARED = 24
const MAX_PIECES = 200
/** Texts that are compared for rows that turn out to be no table. Beyond it, a search begins behind the rows of the last one. */
const MAX_COMPARED_IN_VAIN = 200_000
/** Letter heights between rows. */
const MAX_ROW_GAP = 4
/** Lines of one cell among rows, in a row. */
const MAX_SINGLES = 6

/** Whether the cell in the first column of a row ends below the next row, which has none: it is the label of both. */
const isLabelled = (upper: DrawnRow, lower: DrawnRow) => {
  const start = Math.min(...upper.pieces.map((piece) => piece.start))
  const end = Math.max(...upper.pieces.map((piece) => (piece.start < start + upper.size ? piece.end : -Infinity)))
  return lower.pieces.every((piece) => piece.start >= end)
}

const isBelow = (upper: DrawnRow, lower: DrawnRow) => {
  const [a, b] = [upper.size, lower.size]
  return (
    upper.band.lines[0]!.angle === lower.band.lines[0]!.angle &&
    upper.band.top - lower.band.top > a * 0.5 &&
    (upper.band.bottom - lower.band.bottom > -a * 0.5 || isLabelled(upper, lower)) &&
    lower.pieces.length <= MAX_PIECES &&
    downTo(upper, lower) <= MAX_ROW_GAP * Math.max(a, b) &&
    Math.max(a, b) <= Math.min(a, b) * 1.5
  )
}

/** The distance up to which a row is as close to the one above as the other rows are. */
const usualPitch = (rows: ReadonlyArray<DrawnRow>) => {
  const pitches = rows.slice(1).flatMap((row, at) => Math.max(downTo(rows[at]!, row), 0) || [])
  return pitches.length === 0 ? rows[0]!.size * 1.6 : Math.min(...pitches) * 1.2
}

/** Whether a row of one text can be part of a table: a wrapped cell, or a row with empty cells. */
const fitsSingle = (rows: ReadonlyArray<DrawnRow>, row: DrawnRow, spaces: ReadonlyArray<Interval>) => {
  const last = rows.at(-1)!
  const usual = usualPitch(rows)
  const isBeyondFirst = row.pieces.every((piece) => findColumn(piece, spaces).column > 0)
  if (isBeyondFirst) return downTo(last, row) <= Math.max(usual, row.size * 1.7)
  return downTo(last, row) <= usual && row.size <= last.size * 1.05
}

/** In letter heights: the line of a section is as close to the next row, unless the rows below are as far apart. */
const MAX_SECTION_GAP = 2.6

/** Whether a row of one text is the title of the rows below it, at the edge of the table. */
const isSection = (rows: ReadonlyArray<DrawnRow>, row: DrawnRow, [next, following]: ReadonlyArray<DrawnRow>) => {
  const last = rows.at(-1)!
  if (next === undefined || !next.isMulti || !isBelow(row, next) || row.pieces.length > 1) return false
  // A larger line, or a bold row after it, begins another table. The labels of a header may be smaller than the rows.
  const size = rows.length > 1 ? Math.min(last.size, next.size) : next.size
  if (row.size > size * 1.05 || (next.isBold && !last.isBold)) return false
  const edge = Math.min(...rows.flatMap(({ pieces }) => pieces.map(({ start }) => start)))
  const below = Math.min(...next.pieces.map(({ start }) => start))
  const pitch = downTo(row, next)
  const usual = rows.length > 1 ? usualPitch(rows) : pitch
  const isRoomy =
    following?.isMulti === true && pitch <= downTo(next, following) * 1.1 && downTo(last, row) <= pitch * 1.2
  return (
    row.pieces.every(({ start }) => Math.abs(start - Math.min(edge, below)) < row.size) &&
    pitch <= (isRoomy ? usual * 1.5 : Math.min(row.size * MAX_SECTION_GAP, usual * 1.5)) &&
    downTo(last, row) <= usual * 2
  )
}

/** Whether a row of one text is the upper line of a cell of the first row, whose cells are aligned at the bottom. */
const isUpperLine = (line: DrawnRow | undefined, above: DrawnRow | undefined, rows: ReadonlyArray<DrawnRow>) => {
  const [first, second] = rows
  if (line === undefined || line.isMulti || line.pieces.length > 1 || !isBelow(line, first!)) return false
  const down = downTo(line, first!)
  const [piece] = line.pieces
  const cell = first!.pieces.find(({ start, end }) => start < piece!.end && piece!.start < end)
  if (cell === undefined || down > line.size * 1.7 || down > downTo(first!, second!) * 0.93) return false
  const neighbours = first!.pieces.filter((other) => other !== cell)
  if (neighbours.some(({ start, end }) => start < piece!.end && piece!.start < end)) return false
  if (line.isBold !== first!.isBold) return false
  return above === undefined || Math.abs(downTo(above, line)) > down * 1.15
}

/** The rows from `start` on that have columns in common. `compared` counts the texts that finding them compared. */
const grow = (all: ReadonlyArray<DrawnRow>, start: number) => {
  const rows = [all[start]!]
  const multi = [all[start]!.pieces]
  /** Rows of one text, which belong to the table if more rows of it follow or if they are in one column. */
  let singles: Array<DrawnRow> = []
  let spaces = findSpaces([multi[0]!, multi[0]!], rows[0]!.size, { isGrowing: true })
  let most = 0
  let compared = 0
  /** The rows that begin another table with the same columns. */
  const begins = new Set<Band>()
  const spacesOf = (pieces: ReadonlyArray<Pieces>, size: number, isGrowing: boolean) => {
    compared += pieces.reduce((sum, { length }) => sum + length, 0)
    return findSpaces(pieces, size, { isGrowing })
  }
  for (const [index, row] of all.slice(start + 1, start + MAX_ROWS).entries()) {
    const above = singles.at(-1) ?? rows.at(-1)!
    if (!isBelow(above, row) || isCaption(row)) break
    if (!row.isMulti) {
      const known = [...rows, ...singles]
      compared += known.reduce((sum, { pieces }) => sum + pieces.length, 0)
      const isPart =
        fitsSingle(known, row, spaces) || isSection(known, row, all.slice(start + index + 2, start + index + 4))
      if (singles.length === MAX_SINGLES || !isPart) break
      singles.push(row)
      continue
    }
    const below = all[start + index + 2]
    const boundary = singles.length === 0 ? findBoundary(rows, row, below) : undefined
    if (boundary === "other") break
    if (boundary === "same") {
      const both = spacesOf([...multi.slice(-MAX_COMPARED), row.pieces, below!.pieces], row.size, true)
      if (both.length < spaces.length) break
      begins.add(row.band)
    }
    const next = spacesOf([...multi.slice(-MAX_COMPARED), row.pieces], row.size, true)
    if (next.length === 0 || next.length < most * 0.6) break
    // A row that crosses most spaces belongs to something else, unless it is the header.
    const crossed = row.pieces.reduce((sum, piece) => sum + findColumn(piece, next).span - 1, 0)
    if (multi.length > 2 && crossed > 1 && crossed * 2 > next.length) break
    rows.push(...singles, row)
    singles = []
    spaces = next
    most = Math.max(most, next.length)
    multi.push(row.pieces)
  }
  const strict = spacesOf(multi, rows[0]!.size, false)
  const crossing = singles.findIndex(({ pieces }) => pieces.some((piece) => findColumn(piece, strict).span > 1))
  return { rows: [...rows, ...(crossing < 0 ? singles : singles.slice(0, crossing))], spaces: strict, compared, begins }
}

/** The rows of a header whose cells are aligned at the bottom: its second row may have a line above, as its first may. */
const joinUpperLines = (rows: Array<DrawnRow>) => {
  for (let at = 1; at <= 2 && at + 2 < rows.length; at++)
    if (isUpperLine(rows[at], undefined, rows.slice(at + 1)))
      rows.splice(at, 2, withUpperLine(rows[at]!, rows[at + 1]!))
}

const withUpperLine = (upper: DrawnRow, row: DrawnRow): DrawnRow => ({
  ...row,
  pieces: [...upper.pieces, ...row.pieces],
  band: { ...row.band, first: upper.band.first, top: upper.band.top, lines: [...upper.band.lines, ...row.band.lines] },
})

/** The cells of a row, whose lines in one column are joined. */
const placeCells = (pieces: Pieces, spaces: ReadonlyArray<Interval>, join: (a: string, b: string) => string) => {
  const cells = new Map<number, Cell>()
  for (const piece of pieces) {
    const { column, span } = findColumn(piece, spaces)
    const cell = cells.get(column)
    const text = cell === undefined ? piece.text : join(cell.text, piece.text)
    cells.set(column, { text, column, span: Math.max(span, cell?.span ?? 1) })
  }
  return [...cells.values()].sort((a, b) => a.column - b.column)
}

/** Whether a row has one font, and each row below also another one: labels above names and values in fonts of their own. */
const hasOwnFont = (row: JoinedRow, body: ReadonlyArray<JoinedRow>) => {
  const rows = body.filter(({ cells }) => cells.length > 1)
  return (
    row.fonts.size === 1 &&
    rows.length > 0 &&
    rows.every(({ fonts }) => [...fonts].some((font) => !row.fonts.has(font))) &&
    couldBeHeader(row.cells)
  )
}

/** Whether the rows above a rule could be the labels of the rows below it. */
const isLabels = (rows: ReadonlyArray<JoinedRow>) => rows.length > 0 && rows.every(({ cells }) => couldBeHeader(cells))

/** Bold rows above rows that are not are a header, and so are a first row in a font of its own and rows above a rule. */
const withHeader = (joined: ReadonlyArray<JoinedRow>, header = Infinity): Table["rows"] => {
  const first = joined.findIndex(({ cells }) => cells.length > 1)
  // A single text below a label of the same column is the title of the rows below it.
  const isTitle = ({ cells }: JoinedRow) =>
    cells.length === 1 && cells[0]!.column === 0 && joined[first]!.cells[0]!.column === 0
  const bold = joined.findIndex((row, index) => index >= first && (!row.isBold || isTitle(row)))
  const isMarked =
    bold > first &&
    bold - first <= 2 &&
    joined.slice(bold).filter(({ isBold }) => !isBold).length * 2 > joined.length - bold
  const end = isMarked ? bold : first + (hasOwnFont(joined[first]!, joined.slice(first + 1)) ? 1 : 0)
  const ruled = joined.findLastIndex(({ band }) => band.bottom >= header) + 1
  const last = end === first && isLabels(joined.slice(first, ruled)) ? ruled : end
  return joined.map(({ cells }, index) => (index >= first && index < last ? { cells, isHeader: true } : { cells }))
}

/** The first row of a table that begins below another one is its header. */
const withOwnHeader = (joined: ReadonlyArray<JoinedRow>): Table["rows"] =>
  withHeader(joined).map((row, index) => (index === 0 ? { ...row, isHeader: true } : row))

/** Puts a row of labels above the first row, which has a label for each of their columns: both are the header. */
const withGroup = (cells: ReadonlyArray<Cell>, [first, ...rest]: Table["rows"]): Table["rows"] => [
  { cells, isHeader: true },
  { ...first!, isHeader: true },
  ...rest,
]

const couldStart = (row: DrawnRow) => row.isMulti && row.pieces.length <= MAX_PIECES && !isCaption(row)

/** The row above a table, which may belong to it. */
const rowAbove = (all: ReadonlyArray<DrawnRow>, at: number) => {
  const above = all[at - 1]
  return above === undefined || isCaption(above) ? undefined : above
}

/** Finds the tables of a page. `lines` are in drawing order; `join` joins two lines of a cell. */
export const findTables = (
  lines: ReadonlyArray<Line>,
  join: (text: string, next: string) => string,
  rules: ReadonlyArray<Ruling> = [],
): ReadonlyArray<Table> => {
  const fromRight = lines.filter((line) => line.readsFromRight).length * 2 > lines.length
  const drawn = divideIntoBands(lines).map((band) => joinRow(band, fromRight))
  const { first, end } = withoutRunning(drawn)
  const all = drawn.slice(first, end)
  const tables: Array<Table> = []
  let inVain = 0
  for (let at = 0; at < all.length; at++) {
    if (!couldStart(all[at]!)) continue
    const { rows, spaces: rough, compared, begins } = grow(all, at)
    const last = at + rows.length - 1
    const isTable = rows.length > 1 && rough.length > 0
    const { above, header } = isTable ? readRules(rows, rules) : { above: 1 }
    if (above > 0) {
      inVain += compared
      at = inVain > MAX_COMPARED_IN_VAIN ? last : at + above - 1
      continue
    }
    const before = rowAbove(all, at)
    if (isUpperLine(before, all[at - 2], rows)) rows[0] = withUpperLine(before!, rows[0]!)
    joinUpperLines(rows)
    const spaces = withoutLabelColumns(rows, rough)
    const placed = spreadLabels(rows, spaces).map((row) => ({ ...row, cells: placeCells(row.pieces, spaces, join) }))
    const joined = joinWrapped(placed, spaces, join)
    if (
      isNoTable(
        joined.map(({ cells }) => cells),
        placed,
        spaces.length + 1,
      )
    ) {
      at = last
      continue
    }
    const isFree = before !== undefined && before.band.first >= (tables.at(-1)?.end ?? 0)
    const group = isFree && couldBeHeader(joined[0]!.cells) ? findGroupLabel(before, rows, spaces) : undefined
    const cells = group && placeCells(group.pieces, spaces, join)
    const [upper, ...lower] = divideAt(joined, begins)
    const first = withHeader(upper!, header)
    const parts = [cells === undefined ? first : withGroup(cells, first), ...lower.map(withOwnHeader)]
    const starts = [group ?? rows[0]!, ...lower.map(([row]) => row!)].map(({ band }) => band.first)
    for (const [index, part] of parts.entries())
      tables.push({ first: starts[index]!, end: starts[index + 1] ?? rows.at(-1)!.band.end, rows: part, spaces })
    at = last
  }
  return tables
}
