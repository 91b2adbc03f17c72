import type { TextItem } from "pdfjs-dist/types/src/display/api.js"
import { inReadingOrder, isRightToLeft, readsFromRight } from "./direction.ts"
import type { Ruling } from "../page/rulings.ts"
import { isMarkOf, isShifted, writeMark } from "./marks.ts"
import { findPitches, type Pitches } from "./pitches.ts"
import { restoreSpaces } from "./spaces.ts"
import type { WordItem } from "./words.ts"

/** A part of a line that is clearly apart from the others: perhaps a cell. */
export interface Piece {
  readonly text: string
  /** From left to right. */
  readonly start: number
  readonly end: number
}

/** A line of a page, in page units: `start` and `end` along its reading direction, `up` perpendicular to it, for any rotation. */
export interface Line {
  /** In reading order. */
  readonly pieces: ReadonlyArray<Piece>
  readonly page: number
  readonly angle: number
  readonly start: number
  readonly end: number
  /** Its outermost points, from left to right. */
  readonly left: number
  readonly right: number
  readonly readsFromRight: boolean
  readonly up: number
  readonly size: number
  /** The widest space between its texts, in letter heights. */
  readonly widestGap: number
  /** The names that pdf.js gave to its fonts. */
  readonly fonts: ReadonlyArray<string>
  /** All its letters are bold. */
  readonly isBold?: boolean
  /** All its letters have one width, as those of a typewriter have. */
  readonly isFixed?: boolean
}

interface Run {
  readonly text: string
  readonly font: string
  readonly angle: number
  readonly start: number
  readonly end: number
  readonly up: number
  readonly size: number
  /** The usual width of the space that is drawn before it; 0 if there is none, or none is known. */
  readonly space: number
}

const makeRun = (item: WordItem): Run => {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = item.transform as ReadonlyArray<number>
  const angle = Math.round((Math.atan2(b, a) * 180) / Math.PI)
  const turn = (angle * Math.PI) / 180
  const start = x * Math.cos(turn) + y * Math.sin(turn)
  const size = Math.hypot(c, d) || item.height || 1
  return {
    text: item.str,
    font: item.fontName,
    angle,
    start,
    end: start + item.width,
    up: y * Math.cos(turn) - x * Math.sin(turn),
    size,
    space: item.space ?? 0,
  }
}

/** A superscript or subscript stays in its line; a run that starts well before the end of the previous one does not, unless it reads from right to left. */
const continues = (last: Run, next: Run) => {
  const size = Math.max(last.size, next.size)
  if (last.angle !== next.angle || Math.abs(last.up - next.up) >= size * 0.5) return false
  if (next.start > last.end - Math.max(size, 2)) return true
  return (isRightToLeft(last.text) || isRightToLeft(next.text)) && next.end < last.start + Math.max(size, 2)
}

/** Whether a run goes on after `last`, or after marks that stand above or below the line of `base`. */
const goesOn = (base: Run, last: Run, next: Run) =>
  continues(last, next) ||
  isMarkOf(next, last) ||
  (base !== last && next.start > last.end - last.size && continues(base, next))

/** In letter heights: narrow columns of a table are hardly further apart than words. */
const PIECE_GAP = 0.4
const SPACE_GAP = 0.15
/** Words of one cell are hardly further apart than is usual in their line, or in their font. */
const MAX_SPREAD = 1.3
/** Sentences are further apart than words. */
const SENTENCE_SPREAD = 2.5
/** In letter heights, around the dots of an ellipsis. */
const DOT_GAP = 0.8
const SENTENCE_END = /[.!?]["'”’)\]]*$/u
const DOT = /^[.·]$/
/** With fewer words, the space between them may be that between cells. */
const MIN_WORD_GAPS = 4
/** Labels of columns are capitalised, and have one space between them too if they alone make the columns as wide as they are. */
const PROSE_WORD = /^["'“„(]*\p{Ll}[\p{L}’'-]*["'”“’.,;:)]*$/u
/** In letter heights: how much the spaces of a justified line differ. */
const SAME_GAP = 0.03
/** In letter heights: justified words are hardly further apart. */
const MAX_JUSTIFIED = 1.2
/** In letter heights: no two words of a sentence are so far apart. */
const CELL_GAP = 2

/** The gap between two runs, in reading order. */
const measureGap = (last: Run, next: Run) =>
  Math.max(next.start - last.end, last.start - next.end) / Math.max(next.size, last.size)

/** `at`: its index in drawing order; `spaced`: a drawn space precedes it. */
interface Drawn extends Run {
  readonly at: number
  readonly spaced: boolean
}

/** Whether a space was drawn between two consecutively drawn runs. */
const isSpaced = (a: Drawn, b: Drawn) => Math.abs(a.at - b.at) === 1 && (a.at > b.at ? a : b).spaced

/** Vertical rulings that divide cells. They bound the comparisons: a page of paper has fewer. */
const MAX_RULINGS = 2_000

/** Whether a vertical ruling divides two runs beside each other. */
const isDivided = (a: Run, b: Run, rulings: ReadonlyArray<Ruling>) => {
  const [left, right] = a.start < b.start ? [a, b] : [b, a]
  const height = left.up + left.size * 0.3
  const middle = (run: Run) => (run.start + run.end) / 2
  return rulings.some(
    ({ at, start, end }) => middle(left) < at && at < middle(right) && start <= height && height <= end,
  )
}

/** The usual space between the words of a line, in letter heights; a justified line has wide ones, of one width. 0 if none is usual. */
const usualGap = (runs: ReadonlyArray<Run>) => {
  const gaps = runs.slice(1).map((run, at) => measureGap(runs[at]!, run))
  const sorted = gaps.toSorted((a, b) => a - b)
  const middle = sorted[gaps.length >> 1] ?? 0
  if (gaps.length >= MIN_WORD_GAPS && middle <= PIECE_GAP) return middle
  const usual = sorted[gaps.length >> 2] ?? 0
  const alike = gaps.filter((gap) => Math.abs(gap - usual) < SAME_GAP)
  const words = runs.filter(({ text }) => PROSE_WORD.test(text))
  const isProse = gaps.length > 1 && alike.length * 4 >= gaps.length * 3 && words.length * 2 >= runs.length
  return isProse && usual <= MAX_JUSTIFIED ? usual : 0
}

const isNumber = ({ text }: Run) => /^[^\p{L}]?\d[\d.,]*%?\)?$/u.test(text)

/** Whether two runs of a line are clearly apart: perhaps two cells. In a font of one pitch, words are one letter apart; numbers may be two cells. */
const areApart = (last: Run, next: Run, gap: number, usual: number, pitches: Pitches) => {
  const pitch = last.font === next.font && !(isNumber(last) && isNumber(next)) ? pitches.get(next.font) : undefined
  if (pitch !== undefined && gap <= pitch * MAX_SPREAD) return false
  if (gap <= usual * SENTENCE_SPREAD && SENTENCE_END.test(last.text)) return false
  if (gap <= DOT_GAP && (DOT.test(last.text) || DOT.test(next.text))) return false
  return gap > Math.max(PIECE_GAP, usual * MAX_SPREAD, (next.space / next.size) * MAX_SPREAD)
}

/** The first run of the size that most letters have: others are initials, superscripts and the like. */
const findMain = (runs: ReadonlyArray<Run>): Run => {
  const [first] = runs
  if (runs.every(({ size, up }) => size === first!.size && up === first!.up)) return first!
  const letters = new Map<string, number>()
  const keyOf = ({ size, up }: Run) => `${size} ${up}`
  for (const run of runs) letters.set(keyOf(run), (letters.get(keyOf(run)) ?? 0) + run.text.length)
  return runs.reduce((most, run) => (letters.get(keyOf(run))! > letters.get(keyOf(most))! ? run : most))
}

const makeLine = (
  drawn: ReadonlyArray<Drawn>,
  page: number,
  rulings: ReadonlyArray<Ruling>,
  pitches: Pitches,
): Line => {
  const fromRight = readsFromRight(drawn.map(({ text }) => text))
  const runs = drawn.some(({ text }) => isRightToLeft(text)) ? inReadingOrder(drawn, fromRight) : drawn
  const pieces: Array<Piece> = []
  let last: Drawn | undefined
  /** The last run on the base line of its piece. */
  let base: Drawn | undefined
  /** The text of the last run: looking into that of its piece, which grows, would take time by the square of its length. */
  let written = ""
  let widestGap = 0
  const usual = usualGap(runs)
  for (const [index, run] of runs.entries()) {
    const gap = last === undefined ? Infinity : measureGap(last, run)
    if (last !== undefined) widestGap = Math.max(widestGap, gap)
    if (last === undefined || areApart(last, run, gap, usual, pitches) || isDivided(last, run, rulings)) {
      const next = runs[index + 1]
      const isJoined = next !== undefined && measureGap(run, next) <= PIECE_GAP
      written = isJoined ? writeMark(run, next, "") : run.text
      pieces.push({ text: written, start: run.start, end: run.end })
      base = run
    } else {
      const { text, start, end } = pieces.pop()!
      const space = isSpaced(last, run) || gap > SPACE_GAP ? " " : ""
      written = writeMark(run, base!, written)
      pieces.push({ text: text + space + written, start: Math.min(start, run.start), end: Math.max(end, run.end) })
      if (!isShifted(run, base!)) base = run
    }
    last = run
  }
  const { angle, up, size } = findMain(runs)
  const tidy = pieces
    .map((piece) => ({ ...piece, text: piece.text.replaceAll(/\s+/g, " ").trim() }))
    .filter(({ text }) => text !== "")
  const left = runs.reduce((least, run) => Math.min(least, run.start), Infinity)
  const right = runs.reduce((most, run) => Math.max(most, run.end), -Infinity)
  const [start, end] = fromRight ? [-right, -left] : [left, right]
  const fonts = [...new Set(runs.map(({ font }) => font))]
  const isFixed = fonts.every((font) => pitches.has(font))
  return {
    pieces: tidy,
    page,
    angle,
    up,
    size,
    widestGap,
    fonts,
    isFixed,
    start,
    end,
    left,
    right,
    readsFromRight: fromRight,
  }
}

export const joinText = (line: Line): string => line.pieces.map(({ text }) => text).join(" ")

/** The texts of a line that are so far apart that they are no sentence. */
export const divideIntoCells = ({ pieces, size }: Line): ReadonlyArray<string> => {
  const cells: Array<string> = []
  for (const [index, { text, start, end }] of pieces.entries()) {
    const last = pieces[index - 1]
    const gap = last === undefined ? Infinity : Math.max(start - last.end, last.start - end)
    if (gap > size * CELL_GAP) cells.push(text)
    else cells.push(`${cells.pop()} ${text}`)
  }
  return cells
}

/** The lines of one page in drawing order, which is nearly always the reading order, columns included. Vertical `rulings` divide cells. */
export const joinLines = (
  items: ReadonlyArray<TextItem>,
  page: number,
  rulings: ReadonlyArray<Ruling> = [],
): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  const pitches = findPitches(items)
  const dividing = rulings.length > MAX_RULINGS ? [] : rulings
  let runs: Array<Drawn> = []
  /** The last run on the base line. */
  let base: Run | undefined
  let spaced = false
  const flush = () => {
    if (runs.length > 0) lines.push(makeLine(runs, page, dividing, pitches))
    runs = []
    spaced = false
  }
  for (const item of restoreSpaces(items)) {
    if (item.str.trim() === "") {
      spaced ||= item.str !== ""
    } else {
      const run = makeRun(item)
      const last = runs.at(-1)
      if (last !== undefined && !goesOn(base!, last, run)) flush()
      if (runs.length === 0 || !isShifted(run, base!)) base = run
      runs.push({ ...run, at: runs.length, spaced })
      spaced = false
    }
  }
  flush()
  return lines.filter((line) => line.pieces.length > 0)
}
