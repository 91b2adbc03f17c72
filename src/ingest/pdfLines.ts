import type { TextItem } from "pdfjs-dist/types/src/display/api.js"

/** A line of a page, in the page's own units; `across` runs along the line, `up` away from it, whatever way the text is turned. */
export interface Line {
  /** Cells are apart by more than two letters' height. */
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

/** A raised or lowered figure stays in its line; what starts well before the end of the last run does not. */
const continues = (last: Run, next: Run) => {
  const size = Math.max(last.size, next.size)
  return (
    last.angle === next.angle && Math.abs(last.up - next.up) < size * 0.5 && next.start > last.end - Math.max(size, 2)
  )
}

const CELL_GAP = 2
const SPACE_GAP = 0.15

const lineOf = (runs: ReadonlyArray<{ readonly run: Run; readonly spaced: boolean }>, page: number): Line => {
  const cells: Array<string> = []
  let cell = ""
  let last: Run | undefined
  let widest = runs[0]!.run
  for (const { run, spaced } of runs) {
    const gap = last === undefined ? 0 : (run.start - last.end) / Math.max(run.size, last.size)
    if (gap > CELL_GAP) {
      cells.push(cell)
      cell = run.text
    } else {
      cell += (spaced || gap > SPACE_GAP ? " " : "") + run.text
    }
    if (run.text.length > widest.text.length) widest = run
    last = run
  }
  cells.push(cell)
  const { angle, up, size } = widest
  const tidy = cells.map((text) => text.replaceAll(/\s+/g, " ").trim()).filter((text) => text !== "")
  return { cells: tidy, page, angle, up, size, start: runs[0]!.run.start, end: last!.end }
}

/** The lines of one page in the order in which the page draws them, which is nearly always the order of reading, columns included. */
export const linesOf = (items: Iterable<TextItem>, page: number): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  let runs: Array<{ run: Run; spaced: boolean }> = []
  let spaced = false
  const flush = () => {
    if (runs.length > 0) lines.push(lineOf(runs, page))
    runs = []
    spaced = false
  }
  for (const item of items) {
    if (item.str.trim() === "") {
      spaced ||= item.str !== ""
    } else {
      const run = runOf(item)
      const last = runs.at(-1)?.run
      if (last !== undefined && !continues(last, run)) flush()
      runs.push({ run, spaced })
      spaced = false
    }
  }
  flush()
  return lines.filter((line) => line.cells.length > 0)
}
