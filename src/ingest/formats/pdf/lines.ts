import type { TextItem } from "pdfjs-dist/types/src/display/api.js"
import { inReadingOrder, isRightToLeft, readsFromRight } from "./direction.ts"
import { restoreSpaces } from "./spaces.ts"

/** A line of a page, in page units: `start` and `end` along its reading direction, `up` perpendicular to it, for any rotation. */
export interface Line {
  /** Cells are more than two letter heights apart. */
  readonly cells: ReadonlyArray<string>
  readonly page: number
  readonly angle: number
  readonly start: number
  readonly end: number
  readonly up: number
  readonly size: number
}

interface Run {
  readonly text: string
  readonly angle: number
  readonly start: number
  readonly end: number
  readonly up: number
  readonly size: number
}

const runOf = (item: TextItem): Run => {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = item.transform as ReadonlyArray<number>
  const angle = Math.round((Math.atan2(b, a) * 180) / Math.PI)
  const turn = (angle * Math.PI) / 180
  const start = x * Math.cos(turn) + y * Math.sin(turn)
  const size = Math.hypot(c, d) || item.height || 1
  return { text: item.str, angle, start, end: start + item.width, up: y * Math.cos(turn) - x * Math.sin(turn), size }
}

/** A superscript or subscript stays in its line; a run that starts well before the end of the previous one does not, unless it reads from right to left. */
const continues = (last: Run, next: Run) => {
  const size = Math.max(last.size, next.size)
  if (last.angle !== next.angle || Math.abs(last.up - next.up) >= size * 0.5) return false
  if (next.start > last.end - Math.max(size, 2)) return true
  return (isRightToLeft(last.text) || isRightToLeft(next.text)) && next.end < last.start + Math.max(size, 2)
}

const CELL_GAP = 2
const SPACE_GAP = 0.15

/** The gap between two runs, in reading order. */
const gapOf = (last: Run, next: Run) =>
  Math.max(next.start - last.end, last.start - next.end) / Math.max(next.size, last.size)

/** `at`: its index in drawing order; `spaced`: a drawn space precedes it. */
interface Drawn extends Run {
  readonly at: number
  readonly spaced: boolean
}

/** Whether a space was drawn between two consecutively drawn runs. */
const isSpaced = (a: Drawn, b: Drawn) => Math.abs(a.at - b.at) === 1 && (a.at > b.at ? a : b).spaced

const lineOf = (drawn: ReadonlyArray<Drawn>, page: number): Line => {
  const fromRight = readsFromRight(drawn.map(({ text }) => text))
  const runs = drawn.some(({ text }) => isRightToLeft(text)) ? inReadingOrder(drawn, fromRight) : drawn
  const cells: Array<string> = []
  let cell = ""
  let last: Drawn | undefined
  let widest = runs[0]!
  for (const run of runs) {
    const gap = last === undefined ? 0 : gapOf(last, run)
    if (gap > CELL_GAP) {
      cells.push(cell)
      cell = run.text
    } else {
      cell += ((last !== undefined && isSpaced(last, run)) || gap > SPACE_GAP ? " " : "") + run.text
    }
    if (run.text.length > widest.text.length) widest = run
    last = run
  }
  cells.push(cell)
  const { angle, up, size } = widest
  const tidy = cells.map((text) => text.replaceAll(/\s+/g, " ").trim()).filter((text) => text !== "")
  const left = Math.min(...runs.map(({ start }) => start))
  const right = Math.max(...runs.map(({ end }) => end))
  const [start, end] = fromRight ? [-right, -left] : [left, right]
  return { cells: tidy, page, angle, up, size, start, end }
}

/** The lines of one page in drawing order, which is nearly always the reading order, columns included. */
export const linesOf = (items: ReadonlyArray<TextItem>, page: number): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  let runs: Array<Drawn> = []
  let spaced = false
  const flush = () => {
    if (runs.length > 0) lines.push(lineOf(runs, page))
    runs = []
    spaced = false
  }
  for (const item of restoreSpaces(items)) {
    if (item.str.trim() === "") {
      spaced ||= item.str !== ""
    } else {
      const run = runOf(item)
      const last = runs.at(-1)
      if (last !== undefined && !continues(last, run)) flush()
      runs.push({ ...run, at: runs.length, spaced })
      spaced = false
    }
  }
  flush()
  return lines.filter((line) => line.cells.length > 0)
}
