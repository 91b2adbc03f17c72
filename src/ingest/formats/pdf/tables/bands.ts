import type { Pieces } from "./columns.ts"
import type { Line, Piece } from "../text/lines.ts"

/** Lines that are beside each other: a line alone, or the wrapped cells of one row of a table, drawn cell by cell. */
export interface Band {
  /** The indexes of its lines on the page, which are consecutive: `first` is included, `end` is not. */
  readonly first: number
  readonly end: number
  /** The highest and the lowest base line. */
  readonly top: number
  readonly bottom: number
  readonly lines: ReadonlyArray<Line>
}

/** A cell of a row has at most this many lines. Columns of prose have more. */
const MAX_CELL_LINES = 24

/** In letter heights: how far below the first of its rows a label begins. */
const MAX_LABEL_DROP = 12

/** Bounds the comparisons: a page may have a hundred thousand lines. */
const MAX_BAND_LINES = 200

/** In letter heights: one and a half lines of a font with high letters. */
const MAX_LEADING = 1.8

const isBeside = (left: Line, right: Line) => right.left >= left.right - Math.max(left.size, right.size) * 0.3

const sharesBaseLine = (a: Line, b: Line) => Math.abs(a.up - b.up) < Math.max(a.size, b.size) * 0.5

const isTight = (upper: Line, lower: Line) => {
  const down = upper.up - lower.up
  return down > 0 && down < Math.max(upper.size, lower.size) * MAX_LEADING
}

/** Whether `line` is to the right of `other`, or continues its last cell below. */
const isRightOf = (line: Line, other: Line) => {
  const last = other.pieces.at(-1)!
  const continuesLast = other.pieces.length > 1 && other.up > line.up && line.left >= last.start - line.size * 0.3
  return continuesLast || isBeside(other, line)
}

/** Whether two lines have texts beside each other, one below the other: they are rows of a table. */
const areRows = (a: Line, b: Line) =>
  a.pieces.length > 1 &&
  b.pieces.length > 1 &&
  !sharesBaseLine(a, b) &&
  !isRightOf(b, a) &&
  a.left < b.right &&
  b.left < a.right

/** Whether a line is at the height of a band and beside its lines. */
const joins = (band: Band, line: Line) => {
  if (band.lines.length >= MAX_BAND_LINES) return false
  const near = line.size * 0.5
  if (line.up > band.top + near || line.up < band.bottom - near) return false
  if (band.lines.some((other) => areRows(other, line))) return false
  return band.lines.every((other) => !sharesBaseLine(other, line) || isBeside(other, line) || isBeside(line, other))
}

/** Lines that are drawn one below the other without a space between: a cell, or the last cell of lines that begin further left. */
interface Block {
  readonly lines: Array<Line>
  readonly first: number
}

/** Whether a line goes on in the last cell of a block. */
const goesOn = ({ lines }: Block, line: Line) => {
  const last = lines.at(-1)!
  const cell = last.pieces.at(-1)!
  const before = last.pieces.at(-2)
  return (
    last.angle === line.angle &&
    line.pieces.length === 1 &&
    isTight(last, line) &&
    line.left < cell.end &&
    line.right > cell.start &&
    (before === undefined || line.left > before.end)
  )
}

/** Lines of one cell are equally far apart, but for what programs round, in points, and for a bold or larger one. */
const ROUNDED = 1.6
const SAME_PITCH = 1.16

const isClearlyMore = (down: number, usual: number) => down > Math.max(usual + ROUNDED, usual * SAME_PITCH)

/** Whether `line` is further below `last` than lines of their cell are: than `before` is above, or than `next` is below. */
const isFurther = (before: Line | undefined, last: Line, line: Line, next: Line | undefined) => {
  const down = last.up - line.up
  if (before !== undefined) return isClearlyMore(down, before.up - last.up)
  return next !== undefined && goesOn({ lines: [line], first: 0 }, next) && isClearlyMore(down, line.up - next.up)
}

const divideIntoBlocks = (lines: ReadonlyArray<Line>): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  for (const [index, line] of lines.entries()) {
    const last = blocks.at(-1)
    const [before, above] = [last?.lines.at(-2), last?.lines.at(-1)]
    if (last !== undefined && goesOn(last, line) && !isFurther(before, above!, line, lines[index + 1]))
      last.lines.push(line)
    else blocks.push({ first: index, lines: [line] })
  }
  return blocks
}

const startBand = (first: number, lines: ReadonlyArray<Line>): Band => ({
  first,
  end: first + lines.length,
  top: lines.reduce((most, { up }) => Math.max(most, up), -Infinity),
  bottom: lines.reduce((least, { up }) => Math.min(least, up), Infinity),
  lines,
})

/** In letter heights: labels of several rows, and of columns, are no wider. Prose is. */
const MAX_LABEL_WIDTH = 16
const MAX_LABEL_LINES = 4

const isLabel = ({ lines }: Band, size: number, { pieces = 1 } = {}) =>
  lines.length <= MAX_LABEL_LINES &&
  lines.every(
    (line) =>
      line.pieces.length <= pieces &&
      line.pieces.every(({ start, end }) => end - start <= size * MAX_LABEL_WIDTH) &&
      Math.abs(line.size - size) < size * 0.1,
  )

/** Columns whose labels are centred beside the two rows of the others' labels. */
const MAX_CENTRED = 3

/** Whether a label that is drawn first, and starts lower, is centred beside the rows from `next[0]` on. */
const isCentred = (label: Band, next: ReadonlyArray<Band>) => {
  const [first] = next
  const { size } = first!.lines[0]!
  if (!isLabel(label, size, { pieces: MAX_CENTRED }) || first!.bottom - label.top >= size * MAX_LABEL_DROP) return false
  const last = label.top + label.bottom - first!.top
  const rows = next.slice(0, MAX_CELL_LINES)
  const end = rows.findIndex(({ lines }) => lines.some((line) => label.lines.some((own) => !isBeside(own, line))))
  return rows
    .slice(0, end < 0 ? rows.length : end)
    .some(({ top, bottom }) => Math.abs(top - last) < size * 0.5 || Math.abs(bottom - last) < size * 0.5)
}

/** Whether a block is a further cell of a row: to the right of all its cells, and beside one of their lines. */
const isNextCell = (band: Band, next: ReadonlyArray<Band>) => {
  const [block, following] = next
  if (Math.min(block!.lines.length, band.lines.length) > MAX_CELL_LINES) return false
  if (block!.lines.length + band.lines.length > MAX_BAND_LINES) return false
  const near = block!.lines[0]!.size * 0.5
  if (block!.top < band.bottom - near) return false
  const isFarAbove = block!.bottom > band.top + near
  if (isFarAbove && !isCentred(band, next)) return false
  const isRight = (other: Band) =>
    other.lines.every((line) => band.lines.every((each) => (isFarAbove ? isBeside(each, line) : isRightOf(line, each))))
  if (!isRight(block!)) return false
  // A column of prose has a column beside it that goes on below.
  const isColumn = band.lines.length > MAX_LABEL_LINES && band.lines.every((line) => line.pieces.length === 1)
  return !isColumn || following === undefined || following.top >= block!.bottom || !isRight(following)
}

/** Whether two bands have lines at one height, none in the way of another: parts of a row whose cells are aligned at the bottom. */
const areOneRow = (upper: Band, lower: Band) => {
  const { angle, size } = lower.lines[0]!
  return (
    upper.lines[0]!.angle === angle &&
    isLabel(upper, size) &&
    lower.lines.length <= MAX_BAND_LINES &&
    upper.lines.every((line) => line.up < lower.top + size * 0.5) &&
    upper.lines.some((line) => lower.lines.some((other) => sharesBaseLine(line, other))) &&
    upper.lines.every((line) =>
      lower.lines.every((other) => !sharesBaseLine(line, other) || isBeside(line, other) || isBeside(other, line)),
    )
  )
}

/** Groups a page's lines, in drawing order, by rows. */
export const divideIntoBands = (lines: ReadonlyArray<Line>): ReadonlyArray<Band> => {
  /** A row of one block may be several rows: its lines are divided again. */
  const rows: Array<{ readonly band: Band; readonly isRow: boolean }> = []
  const push = (band: Band, isRow: boolean) => {
    const last = rows.at(-1)
    if (isRow && last !== undefined && areOneRow(last.band, band)) {
      rows.pop()
      push(startBand(last.band.first, [...last.band.lines, ...band.lines]), true)
    } else rows.push({ band, isRow })
  }
  const blocks = divideIntoBlocks(lines).map((block) => startBand(block.first, block.lines))
  for (const [index, own] of blocks.entries()) {
    const last = rows.at(-1)?.band
    const alike = last !== undefined && last.lines[0]!.angle === own.lines[0]!.angle
    const next = blocks.slice(index, index + MAX_CELL_LINES)
    if (alike && (isNextCell(last, next) || own.lines.every((line) => joins(last, line)))) {
      rows.pop()
      push(startBand(last.first, [...last.lines, ...own.lines]), true)
    } else rows.push({ band: own, isRow: false })
  }
  return rows.flatMap(({ band, isRow }) =>
    isRow ? [band] : band.lines.map((line, index) => startBand(band.first + index, [line])),
  )
}

/** A band as a row of a possible table. */
export interface DrawnRow {
  readonly band: Band
  readonly pieces: Pieces
  readonly size: number
  /** Has texts beside each other. */
  readonly isMulti: boolean
  readonly isBold: boolean
  readonly isFixed: boolean
  readonly fonts: ReadonlySet<string>
}

const mirrored = ({ text, start, end }: Piece): Piece => ({ text, start: -end, end: -start })

const LEADER = /^[.·…_\s]+$/u

/** Adds leaders to the text before them: they fill the space between columns. */
const withoutLeaders = (pieces: Pieces): Pieces => {
  const kept: Array<Piece> = []
  for (const piece of pieces) {
    const last = kept.at(-1)
    if (last !== undefined && LEADER.test(piece.text))
      kept[kept.length - 1] = { ...last, text: `${last.text} ${piece.text}` }
    else kept.push(piece)
  }
  return kept
}

/** The pieces of a band, from top to bottom and in reading order. */
export const joinRow = (band: Band, fromRight: boolean): DrawnRow => {
  const lines = band.lines.toSorted((a, b) => b.up - a.up)
  const pieces = lines.flatMap((line) => withoutLeaders(fromRight ? line.pieces.map(mirrored) : line.pieces))
  const first = pieces.reduce((least, { end }) => Math.min(least, end), Infinity)
  const sizes = lines.map(({ size }) => size).sort((a, b) => a - b)
  return {
    band,
    pieces,
    size: sizes[sizes.length >> 1]!,
    isMulti: pieces.some(({ start }) => start > first),
    isBold: lines.every((line) => line.isBold),
    isFixed: lines.every((line) => line.isFixed),
    fonts: new Set(lines.flatMap((line) => line.fonts)),
  }
}

/** The distance between the lowest line of a row and the highest one of the next. */
export const downTo = (upper: DrawnRow, lower: DrawnRow): number => upper.band.bottom - lower.band.top
