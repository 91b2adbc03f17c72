import type { Grid, GridCell } from "./grids.ts"
import { findHeaderAbove, type HeaderAbove } from "./headerAbove.ts"
import type { Line, Piece } from "../text/lines.ts"
import type { Table } from "./tables.ts"

/** A cell has fewer lines; a box around an article has more. */
const MAX_CELL_LINES = 30
/** The share of a table's cells that have text. A drawing, or paper for notes, has less. */
const MIN_FILLED = 0.25

type Join = (text: string, next: string) => string

/** A line's pieces in a grid, or beside it. */
const withPieces = (line: Line, pieces: ReadonlyArray<Piece>): Line => {
  const left = Math.min(...pieces.map(({ start }) => start))
  const right = Math.max(...pieces.map(({ end }) => end))
  const [start, end] = line.readsFromRight ? [-right, -left] : [left, right]
  return { ...line, pieces, left, right, start, end }
}

/** The index of the interval between two neighbours of `positions`, in ascending order, that has `at`; -1 outside. */
const findInterval = (positions: ReadonlyArray<number>, at: number) =>
  at < positions[0]! || at > positions.at(-1)!
    ? -1
    : Math.max(
        0,
        positions.findLastIndex((position) => position <= at),
      )

/** Finds the cell of a grid where a piece of a line is. */
const cellFinder = ({ xs, ys, cells }: Grid) => {
  const columns = xs.length - 1
  const heights = ys.map((y) => -y)
  const byPlace = Array.from<GridCell | undefined>({ length: columns * (ys.length - 1) })
  for (const cell of cells)
    for (let row = cell.row; row < cell.endRow; row++)
      byPlace.fill(cell, row * columns + cell.column, row * columns + cell.endColumn)
  return (line: Line, piece: Piece): GridCell | undefined => {
    if (line.angle !== 0) return undefined
    const column = findInterval(xs, (piece.start + piece.end) / 2)
    const row = findInterval(heights, -(line.up + line.size * 0.3))
    return column < 0 || row < 0
      ? undefined
      : byPlace[Math.min(row, ys.length - 2) * columns + Math.min(column, columns - 1)]
  }
}

interface Filled {
  readonly cell: GridCell
  readonly lines: Array<{ readonly up: number; readonly text: string; readonly isBold?: boolean }>
}

/** Values below each other in one cell, at least, that are rows of their own. */
const MIN_STACKED = 3

const isValue = (text: string) => !/\p{L}{2}/u.test(text)

/** Whether a cell is a column of values: nobody writes values below each other in one cell. */
const isStacked = ({ lines }: Filled) =>
  lines.length >= MIN_STACKED && lines.filter(({ text }) => isValue(text)).length * 3 >= lines.length * 2

/** Whether the rulings of a grid divide groups of rows: below the first row, cells beside each other have columns of values at the same heights. */
const hidesRows = (filled: ReadonlyArray<Filled>) => {
  const rows = Map.groupBy(filled.filter(isStacked), ({ cell }) => cell.row)
  const heightsOf = ({ lines }: Filled) => lines.map(({ up }) => Math.round(up)).join(" ")
  return [...rows.values()].some((cells) => new Set(cells.map(heightsOf)).size < cells.length)
}

/** The rows of a header that has cells over several rows beside cells over several columns; 0 for any other. */
const countHeaderRows = (filled: ReadonlyArray<Filled>) => {
  const first = filled.map(({ cell }) => cell).filter(({ row }) => row === 0)
  const rows = Math.max(0, ...first.map(({ endRow }) => endRow))
  return rows > 1 && first.some(({ column, endColumn }) => endColumn > column + 1) ? rows : 0
}

/** Whether a row has one cell, which is as wide as the table or no wider than its column: the title of rows. */
const isTitle = ([first, ...others]: ReadonlyArray<Filled>, columns: number) => {
  const { column, endColumn } = first!.cell
  return others.length === 0 && (endColumn === column + 1 || endColumn - column === columns)
}

/** Bold rows of a header at most. */
const MAX_BOLD_ROWS = 3

/** The first bold rows, below titles, above rows most of which are not bold: `end` is not included. */
const findBold = (rows: ReadonlyArray<ReadonlyArray<Filled>>, columns: number) => {
  const bold = rows.map((cells) => cells.every(({ lines }) => lines.every(({ isBold }) => isBold === true)))
  const start = rows.findIndex((cells) => !isTitle(cells, columns))
  const end = bold.findIndex((isBold, at) => at >= start && !isBold)
  const isHeader =
    start >= 0 &&
    end - start <= MAX_BOLD_ROWS &&
    rows.slice(start, end).some(({ length }) => length > 1) &&
    bold.slice(end).filter((isBold) => isBold).length * 2 < rows.length - end
  return isHeader ? { start, end } : { start: 0, end: 0 }
}

/** The rows of a grid, without columns that have no text. Rows above the grid are marked as its header if `isMarked`. */
const makeRows = (filled: ReadonlyArray<Filled>, isMarked: boolean, join: Join): Table["rows"] => {
  const starts = [...new Set(filled.map(({ cell }) => cell.column))].sort((a, b) => a - b)
  const rows = [...Map.groupBy(filled, ({ cell }) => cell.row)].sort(([a], [b]) => a - b)
  const tops = rows.map(([top]) => top)
  const headerRows = countHeaderRows(filled)
  const bold = findBold(
    rows.map(([, cells]) => cells),
    filled.reduce((most, { cell }) => Math.max(most, cell.endColumn), 0),
  )
  return rows.map(([row, cells], at) => ({
    isHeader: row < headerRows || (row < 0 && isMarked) || (at >= bold.start && at < bold.end),
    cells: cells
      .sort((a, b) => a.cell.column - b.cell.column)
      .map(({ cell, lines }) => ({
        text: lines.map(({ text }) => text).reduce(join),
        column: starts.indexOf(cell.column),
        span: starts.filter((start) => start >= cell.column && start < cell.endColumn).length,
        rows: tops.filter((top) => top >= cell.row && top < cell.endRow).length,
      })),
  }))
}

const isTable = (grid: Grid, filled: ReadonlyArray<Filled>) =>
  new Set(filled.map(({ cell }) => cell.row)).size > 1 &&
  new Set(filled.map(({ cell }) => cell.column)).size > 1 &&
  filled.length >= grid.cells.length * MIN_FILLED &&
  filled.every(({ lines }) => lines.length <= MAX_CELL_LINES)

/** The lines of a grid's header, and the others in two parts, before and after `at`. */
const withoutHeader = (lines: ReadonlyArray<Line>, at: number, { taken }: HeaderAbove) => {
  const own: Array<Line> = []
  const rest = [lines.slice(0, at), lines.slice(at)].map((part) =>
    part.flatMap((line): ReadonlyArray<Line> => {
      const pieces = taken.get(line)
      if (pieces === undefined) return [line]
      own.push(withPieces(line, pieces))
      const beside = line.pieces.filter((piece) => !pieces.includes(piece))
      return beside.length === 0 ? [] : [withPieces(line, beside)]
    }),
  )
  return { own, before: rest[0]!, after: rest[1]! }
}

/** Takes the lines of a grid out of a page: undefined if the grid is no table. */
const takeTable = (lines: ReadonlyArray<Line>, grid: Grid, grids: ReadonlyArray<Grid>, join: Join) => {
  const find = cellFinder(grid)
  const filled = new Map<GridCell, Filled>()
  const inside: Array<Line> = []
  const outside: Array<Line> = []
  let first: number | undefined
  for (const line of lines) {
    const own = line.pieces.map((piece) => find(line, piece))
    const beside = line.pieces.filter((_, index) => own[index] === undefined)
    if (beside.length < line.pieces.length) {
      first ??= outside.length + (beside.length > 0 ? 1 : 0)
      inside.push(
        withPieces(
          line,
          line.pieces.filter((_, index) => own[index] !== undefined),
        ),
      )
    }
    if (beside.length > 0) outside.push(beside.length === line.pieces.length ? line : withPieces(line, beside))
    let last: GridCell | undefined
    for (const [index, { text }] of line.pieces.entries()) {
      const cell = own[index]
      if (cell === undefined) continue
      const known = filled.get(cell) ?? { cell, lines: [] }
      filled.set(cell, known)
      // Pieces beside each other in one cell are one line of it.
      const before = cell === last ? `${known.lines.pop()!.text} ` : ""
      known.lines.push({ up: line.up, text: before + text, isBold: line.isBold === true })
      last = cell
    }
  }
  if (first === undefined) return undefined
  const header = findHeaderAbove(outside, grid, grids)
  const all = [...(header?.cells.map(({ cell, lines }) => ({ cell, lines: [...lines] })) ?? []), ...filled.values()]
  if (!isTable(grid, all) || hidesRows(all)) return undefined
  for (const each of all) each.lines.sort((a, b) => b.up - a.up)
  const spaces = grid.xs.slice(1, -1).map((x) => ({ start: x - 1, end: x + 1 }))
  const hasOwnFont = inside.every(
    ({ up, fonts }) => up < grid.ys[1]! || fonts.every((font) => !header?.fonts.has(font)),
  )
  const table = { rows: makeRows(all, hasOwnFont, join), spaces }
  if (header === undefined) return { before: outside.slice(0, first), inside, after: outside.slice(first), table }
  const { own, before, after } = withoutHeader(outside, first, header)
  return { before, inside: [...own, ...inside], after, table }
}

/** A page in parts: lines that no rulings surround, and tables that rulings draw. */
export type PagePart = { readonly lines: ReadonlyArray<Line>; readonly table?: Omit<Table, "first" | "end"> }

/** The parts of a grid that begin with the same header: they are tables of their own. */
const divideAtHeaders = (lines: ReadonlyArray<Line>, grid: Grid, grids: ReadonlyArray<Grid>, join: Join) => {
  const headers = (grid.parts ?? []).map((part) => {
    const rows = takeTable(lines, part, grids, join)?.table.rows ?? []
    const header = rows.filter(({ isHeader }) => isHeader)
    return rows[0]?.isHeader === true
      ? header.map(({ cells }) => cells.map(({ text }) => text).join("\t")).join("\n")
      : ""
  })
  const [first = ""] = headers
  return first !== "" && headers.every((header) => header === first) ? grid.parts! : [grid]
}

/** Divides a page at the tables that rulings draw. Each is where the first of its lines is drawn. */
export const divideAtRuled = (
  lines: ReadonlyArray<Line>,
  grids: ReadonlyArray<Grid>,
  join: Join,
): ReadonlyArray<PagePart> => {
  let parts: ReadonlyArray<PagePart> = [{ lines }]
  for (const grid of grids.flatMap((each) => divideAtHeaders(lines, each, grids, join))) {
    parts = parts.flatMap((part): ReadonlyArray<PagePart> => {
      if (part.table !== undefined) return [part]
      const taken = takeTable(part.lines, grid, grids, join)
      if (taken === undefined) return [part]
      const { before, inside, after, table } = taken
      return [{ lines: before }, { lines: inside, table }, { lines: after }]
    })
  }
  return parts.filter(({ lines }) => lines.length > 0)
}

/** In letter heights: between words of one cell there is less, and in another cell's height as well. */
const MIN_GAP = 0.5
const MIN_WIDE_GAP = 1
/** Lines between two cells of a row, or two rows, that are drawn one after another; columns of prose are drawn further apart. */
const MAX_LINES_BETWEEN = 12

/**
 * Whether texts are beside each other in two rows, one after another: only then a page can have a table, whose rulings and letters take
 * as long to find as its texts.
 */
export const mayHaveTable = (lines: ReadonlyArray<Line>): boolean => {
  const drawn = new Map<number, number>()
  const spread = new Set<number>()
  let last: number | undefined
  let wide: { readonly height: number; readonly index: number } | undefined
  for (const [index, { up, widestGap, angle }] of lines.entries()) {
    if (angle !== 0) continue
    const height = Math.round(up)
    const beside = drawn.get(height)
    drawn.set(height, index)
    const isBeside = beside !== undefined && index - beside <= MAX_LINES_BETWEEN
    if (widestGap > MIN_GAP || isBeside) spread.add(height)
    if (height !== last && last !== undefined && spread.has(last) && spread.has(height)) return true
    last = height
    if (widestGap <= MIN_WIDE_GAP) continue
    if (wide !== undefined && wide.height !== height && index - wide.index <= MAX_LINES_BETWEEN) return true
    wide = { height, index }
  }
  return false
}
