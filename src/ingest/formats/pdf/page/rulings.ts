import type { PDFPageProxy } from "pdfjs-dist"
import { loadEngine } from "./engine.ts"
import { IDENTITY, type Matrix, times } from "./matrix.ts"

/** A straight line of a page: `at` its height or its distance from the left, in points. */
export interface Ruling {
  readonly at: number
  readonly start: number
  readonly end: number
}

export interface Rulings {
  readonly horizontal: ReadonlyArray<Ruling>
  readonly vertical: ReadonlyArray<Ruling>
}

/** In points. A filled rectangle up to this thick is a line. */
const MAX_THICKNESS = 3
/** Shorter lines are parts of drawings. */
const MIN_LENGTH = 4
/** Lines that are this close are one. */
const SAME_LINE = 1.5
/** A map or drawing has more lines than any page of tables. */
const MAX_LINES = 20_000

/** How pdf.js encodes a path: numbers, each command followed by its points. */
const PATH = { move: 0, line: 1, cubic: 2, quadratic: 3, close: 4 }

type Point = readonly [number, number]

/** The straight parts of a path, each shape with its points; undefined for a shape with curves. */
const readShapes = (path: ArrayLike<number>, matrix: Matrix): ReadonlyArray<ReadonlyArray<Point>> => {
  const shapes: Array<Array<Point>> = []
  let curved = false
  const point = (at: number): Point => {
    const [a, b, c, d, e, f] = matrix
    const [x, y] = [path[at]!, path[at + 1]!]
    return [a * x + c * y + e, b * x + d * y + f]
  }
  for (let at = 0; at < path.length;) {
    const command = path[at++]!
    if (command === PATH.move) {
      if (curved) shapes.pop()
      curved = false
      shapes.push([point(at)])
      at += 2
    } else if (command === PATH.line) {
      shapes.at(-1)?.push(point(at))
      at += 2
    } else if (command === PATH.close) {
      const first = shapes.at(-1)?.[0]
      if (first !== undefined) shapes.at(-1)!.push(first)
    } else {
      curved = true
      at += command === PATH.cubic ? 6 : 4
    }
  }
  if (curved) shapes.pop()
  return shapes
}

class Lines {
  readonly horizontal: Array<Ruling> = []
  readonly vertical: Array<Ruling> = []

  get isFull() {
    return this.horizontal.length + this.vertical.length > MAX_LINES
  }

  segment([x1, y1]: Point, [x2, y2]: Point) {
    const [wide, high] = [Math.abs(x1 - x2), Math.abs(y1 - y2)]
    if (high <= SAME_LINE / 2 && wide >= MIN_LENGTH)
      this.horizontal.push({ at: (y1 + y2) / 2, start: Math.min(x1, x2), end: Math.max(x1, x2) })
    else if (wide <= SAME_LINE / 2 && high >= MIN_LENGTH)
      this.vertical.push({ at: (x1 + x2) / 2, start: Math.min(y1, y2), end: Math.max(y1, y2) })
  }

  /** A thin filled shape is a line; a thick one is the ground of a cell, which is no line. */
  filled(shape: ReadonlyArray<Point>) {
    if (shape.length > 6) return
    const xs = shape.map(([x]) => x)
    const ys = shape.map(([, y]) => y)
    const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
    if (Math.min(right - left, high - low) > MAX_THICKNESS) return
    const [x, y] = [(left + right) / 2, (low + high) / 2]
    if (right - left > high - low) this.segment([left, y], [right, y])
    else this.segment([x, low], [x, high])
  }

  stroked(shape: ReadonlyArray<Point>) {
    for (const [index, point] of shape.slice(1).entries()) this.segment(shape[index]!, point)
  }
}

/** Joins the pieces of each line. */
const joinPieces = (pieces: ReadonlyArray<Ruling>): ReadonlyArray<Ruling> => {
  const joined: Array<Ruling> = []
  let from = 0
  const sorted = pieces.toSorted((a, b) => a.at - b.at)
  for (let to = 1; to <= sorted.length; to++) {
    if (to < sorted.length && sorted[to]!.at - sorted[to - 1]!.at <= SAME_LINE) continue
    const group = sorted.slice(from, to).sort((a, b) => a.start - b.start)
    from = to
    const at = group.reduce((sum, piece) => sum + piece.at, 0) / group.length
    let last: Ruling | undefined
    for (const { start, end } of group) {
      if (last !== undefined && start <= last.end + MAX_THICKNESS)
        joined[joined.length - 1] = { at, start: last.start, end: Math.max(last.end, end) }
      else joined.push({ at, start, end })
      last = joined.at(-1)
    }
  }
  return joined
}

/** The lines that a page draws, horizontal and vertical. */
export const readRulings = async (page: PDFPageProxy): Promise<Rulings> => {
  const { OPS } = await loadEngine()
  const fills = new Set([OPS.fill, OPS.eoFill])
  const painted = new Set([
    ...fills,
    OPS.stroke,
    OPS.closeStroke,
    OPS.fillStroke,
    OPS.eoFillStroke,
    OPS.closeFillStroke,
    OPS.closeEOFillStroke,
  ])
  const { fnArray, argsArray } = await page.getOperatorList()
  const lines = new Lines()
  const stack: Array<Matrix> = []
  let matrix = IDENTITY
  for (const [index, operation] of fnArray.entries()) {
    const args = argsArray[index] as ReadonlyArray<any> | null
    if (operation === OPS.save || operation === OPS.paintFormXObjectBegin) stack.push(matrix)
    else if (operation === OPS.restore || operation === OPS.paintFormXObjectEnd) matrix = stack.pop() ?? matrix
    if (operation === OPS.transform) matrix = times(matrix, args ?? [])
    else if (operation === OPS.paintFormXObjectBegin) matrix = times(matrix, args?.[0] ?? [])
    else if (operation === OPS.constructPath && args !== null) {
      const [paint, [path]] = args as [number, [ArrayLike<number> | null]]
      if (path === null || !painted.has(paint)) continue
      for (const shape of readShapes(path, matrix)) {
        if (fills.has(paint)) lines.filled(shape)
        else lines.stroked(shape)
      }
    }
    if (lines.isFull) return { horizontal: [], vertical: [] }
  }
  return { horizontal: joinPieces(lines.horizontal), vertical: joinPieces(lines.vertical) }
}
