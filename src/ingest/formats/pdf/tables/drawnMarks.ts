import type { PDFPageProxy } from "pdfjs-dist"
import { loadEngine } from "../page/engine.ts"
import { type Box, IDENTITY, makeBox, type Matrix, times } from "../page/matrix.ts"
import type { Line } from "../text/lines.ts"

/** In points, each side of a tick, a cross or a circle. */
const MIN_SIDE = 3
const MAX_SIDE = 20
/** The shorter side, compared with the longer one. */
const MIN_SHORT = 0.45
/** Numbers of a path: a drawing has more. */
const MAX_NUMBERS = 400
/** Marks that are compared. A page of paper has fewer. */
const MAX_MARKS = 2_000
/** In points: how exactly the marks of a column are below each other. */
const SAME_COLUMN = 2
/** Rows of a column, at least. */
const MIN_MARKS = 2
/** The larger ones of a column, compared with the smaller ones. */
const SAME_SIZE = 1.6
/** In letter heights: from the first row up to the labels of the columns. */
const MAX_HEADER_GAP = 4
/** In letter heights: an icon or bullet is nearer to its text. */
const ICON_GAP = 2

/** How pdf.js encodes a path: commands of this many numbers each; only `line` is straight. */
const NUMBERS = [2, 2, 6, 4, 0]
const LINE = 1

/** Whether a path has a curve, or a line that is neither horizontal nor vertical. */
const isSlanted = (path: ArrayLike<number>) => {
  let [x, y] = [0, 0]
  for (let at = 0; at < path.length;) {
    const command = path[at]!
    const count = NUMBERS[command] ?? 2
    if (count > 2) return true
    const [nextX, nextY] = count === 0 ? [x, y] : [path[at + 1]!, path[at + 2]!]
    if (command === LINE && nextX !== x && nextY !== y) return true
    ;[x, y] = [nextX, nextY]
    at += count + 1
  }
  return false
}

const isSmall = ([left, low, right, high]: Box) => {
  const [short, long] = [right - left, high - low].sort((a, b) => a - b) as [number, number]
  return short >= MIN_SIDE && long <= MAX_SIDE && short >= long * MIN_SHORT
}

/** Follows the transformations of a page: gives the one that holds behind each operation. */
const matrixFollower = ({ OPS }: Awaited<ReturnType<typeof loadEngine>>) => {
  const stack: Array<Matrix> = []
  let matrix = IDENTITY
  const open = () => void stack.push(matrix)
  const close = () => {
    matrix = stack.pop() ?? matrix
  }
  const transform = (by: ReadonlyArray<number> | null | undefined) => {
    matrix = times(matrix, by ?? [])
  }
  const steps = new Map<number, (args: ReadonlyArray<any> | null) => void>([
    [OPS.save, open],
    [OPS.restore, close],
    [OPS.transform, transform],
    [OPS.paintFormXObjectEnd, close],
    [
      OPS.paintFormXObjectBegin,
      (args) => {
        open()
        transform(args?.[0])
      },
    ],
  ])
  return (operation: number, args: ReadonlyArray<any> | null): Matrix => {
    steps.get(operation)?.(args)
    return matrix
  }
}

/** The boxes of shapes that may be ticks, crosses and circles. */
const readMarks = async (page: PDFPageProxy): Promise<ReadonlyArray<Box>> => {
  const engine = await loadEngine()
  const { fnArray, argsArray } = await page.getOperatorList()
  const follow = matrixFollower(engine)
  const marks: Array<Box> = []
  for (const [index, operation] of fnArray.entries()) {
    const args = argsArray[index] as ReadonlyArray<any> | null
    const matrix = follow(operation, args)
    if (operation !== engine.OPS.constructPath || args === null) continue
    const [paint, [path], extent] = args as [number, [ArrayLike<number> | null], ArrayLike<number> | null]
    if (paint === engine.OPS.endPath || path === null || !extent || path.length > MAX_NUMBERS) continue
    const box = makeBox(matrix, extent)
    if (isSmall(box) && isSlanted(path)) marks.push(box)
    if (marks.length > MAX_MARKS) return []
  }
  return marks
}

/** Whether a line of labels has lines below it that are empty under its last label: only then a page may draw marks in a table. */
export const mayHaveMarks = (lines: ReadonlyArray<Line>): boolean =>
  lines.some((header, at) => {
    const last = header.pieces.at(-1)!
    const isName = (line: Line | undefined) =>
      line !== undefined &&
      line.angle === 0 &&
      line.pieces.length < header.pieces.length &&
      line.up < header.up &&
      Math.abs(line.left - header.left) < header.size &&
      line.right < last.start
    return header.pieces.length > 1 && isName(lines[at + 1]) && isName(lines[at + 2])
  })

/** The line with the name of the row that a mark is in, to the right of it; undefined for an icon or bullet before a text. */
const findRow = ([left, low, right, high]: Box, lines: ReadonlyArray<Line>) => {
  const middle = (low + high) / 2
  const beside = lines.filter(({ up, size }) => middle >= up - size * 0.3 && middle <= up + size)
  const isApart = beside.every(({ pieces, size }) =>
    pieces.every(({ start, end }) => end <= left || start > right + size * ICON_GAP),
  )
  return isApart ? beside.find(({ pieces }) => pieces[0]!.end <= left) : undefined
}

interface Marked {
  readonly box: Box
  /** The line with the name of its row. */
  readonly row: Line
}

/** Whether marks below each other are a column of a table: in rows that begin at one place, under a label of the line above the first row. */
const areColumn = (marks: ReadonlyArray<Marked>, lines: ReadonlyArray<Line>): boolean => {
  const rows = new Set(marks.map(({ row }) => row))
  const [first] = rows
  if (rows.size < MIN_MARKS || [...rows].some(({ left }) => Math.abs(left - first!.left) > SAME_COLUMN)) return false
  const sides = marks.map(({ box: [, low, , high] }) => high - low)
  if (Math.max(...sides) > Math.min(...sides) * SAME_SIZE) return false
  const [left, right] = [Math.min(...marks.map(({ box }) => box[0])), Math.max(...marks.map(({ box }) => box[2]))]
  const top = Math.max(...[...rows].map(({ up }) => up))
  const above = lines.filter(({ up, size }) => up > top && up < top + size * MAX_HEADER_GAP)
  return above.some(
    (header) =>
      Math.abs(header.left - first!.left) < header.size &&
      header.pieces.slice(1).some(({ start, end }) => start < right && end > left),
  )
}

/** Whether a page draws marks as shapes in a table. */
export const drawsMarks = async (page: PDFPageProxy, lines: ReadonlyArray<Line>): Promise<boolean> => {
  const upright = lines.filter(({ angle }) => angle === 0)
  const byHeight = Map.groupBy(upright, ({ up }) => Math.round(up / MAX_SIDE))
  const linesNear = (height: number) =>
    [-1, 0, 1].flatMap((by) => byHeight.get(Math.round(height / MAX_SIDE) + by) ?? []).slice(0, MAX_MARKS)
  const marked = (await readMarks(page)).flatMap((box): ReadonlyArray<Marked> => {
    const row = findRow(box, linesNear(box[1]))
    return row === undefined ? [] : [{ box, row }]
  })
  const columns = Map.groupBy(marked, ({ box: [left, , right] }) => Math.round((left + right) / 2 / SAME_COLUMN))
  return [...columns.values()].some((marks) => areColumn(marks, upright))
}
