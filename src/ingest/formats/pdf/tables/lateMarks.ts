import type { Line, Piece } from "../text/lines.ts"

/** "✓", "✗", "●", "—" or "x" alone: a yes or no of a comparison. */
const MARK = /^(?:[^\p{L}\p{N}\s]{1,2}|[xX])$/u
/** Letters of a word that stands for a mark, such as "Partial". */
const MAX_LENGTH = 24
const MIN_LINES = 2
/** In heights of the larger letters: how far off the base line of its row a mark stands. */
const SAME_ROW = 0.6
/** In heights of the marks: from bullets to their texts. */
const BULLET_GAP = 2
/** In points, lines of one height, and texts of a line: they bound the comparisons. A page of paper has smaller and fewer. */
const MAX_SIZE = 72
const MAX_BESIDE = 24
const MAX_PIECES = 40

type Lines = ReadonlyArray<Line>

const isBounded = ({ pieces, angle, size }: Line) => angle === 0 && size <= MAX_SIZE && pieces.length <= MAX_PIECES
const isShort = (line: Line) => isBounded(line) && line.pieces.every(({ text }) => text.length <= MAX_LENGTH)
const isMark = ({ text }: Piece) => MARK.test(text)
/** Whether a line is marks without the name of their row. */
const hasMarks = (line: Line) =>
  isMark(line.pieces[0]!) && isShort(line) && line.pieces.filter(isMark).length * 2 > line.pieces.length

/** The end of the lines from `first` on that go down and have marks; a line of words alone may be between two of them. */
const findEnd = (lines: Lines, first: number) => {
  const isNext = (at: number, has: (line: Line) => boolean) =>
    lines[at] !== undefined && lines[at].up < lines[at - 1]!.up && has(lines[at])
  let end = first + 1
  while (isNext(end, hasMarks) || (isNext(end, isShort) && isNext(end + 1, hasMarks))) end++
  return end
}

const areApart = (a: Piece, b: Piece) => a.end <= b.start || b.end <= a.start

/** Whether marks are the bullets of a line to the right of them. */
const areBullets = (marks: Line, { left }: Line) => left >= marks.right && left - marks.right < marks.size * BULLET_GAP

/** The line of words that marks are beside, to the right of its first text and between its others; undefined if there is none. */
const findRow = (marks: Line, byHeight: ReadonlyMap<number, Lines>): Line | undefined => {
  const reach = Math.ceil(marks.size * SAME_ROW)
  const heights = Array.from({ length: 2 * reach + 1 }, (_, at) => Math.round(marks.up) - reach + at)
  const near = heights.flatMap((height) => (byHeight.get(height) ?? []).slice(0, MAX_BESIDE + 1))
  if (near.length > MAX_BESIDE) return undefined
  const down = ({ up }: Line) => Math.abs(up - marks.up)
  const beside = near.filter((line) => down(line) <= Math.max(line.size, marks.size) * SAME_ROW)
  const isFree = beside.every(
    (line) =>
      isBounded(line) &&
      !areBullets(marks, line) &&
      line.pieces.every((piece) => marks.pieces.every((mark) => areApart(piece, mark))),
  )
  const rows = beside.filter(({ left }) => left < marks.left).sort((a, b) => down(a) - down(b))
  return isFree ? rows[0] : undefined
}

const joinPieces = (row: Line, marks: Line): Line => ({
  ...row,
  pieces: [...row.pieces, ...marks.pieces].sort((a, b) => a.start - b.start),
  fonts: [...new Set([...row.fonts, ...marks.fonts])],
  end: Math.max(row.end, marks.end),
  right: Math.max(row.right, marks.right),
})

/**
 * Puts marks that a page draws before or after the words of their rows, as browsers draw what styles move, beside those words. They move if
 * each line of them has a row of its own.
 */
export const withLateMarks = (lines: Lines): Lines => {
  if (lines.some(({ readsFromRight }) => readsFromRight)) return lines
  const runs: Array<Lines> = []
  const others: Array<Line> = []
  for (let at = 0; at < lines.length;) {
    const end = hasMarks(lines[at]!) ? findEnd(lines, at) : at + 1
    if (end - at < MIN_LINES) others.push(...lines.slice(at, end))
    else runs.push(lines.slice(at, end))
    at = end
  }
  if (runs.length === 0) return lines
  const byHeight = Map.groupBy(others, ({ up }) => Math.round(up))
  const places = new Map<Line, Array<Line>>()
  const kept = new Set(lines)
  for (const run of runs) {
    const rows = run.flatMap((marks) => findRow(marks, byHeight) ?? [])
    const isFull = rows.some((row) => (places.get(row) ?? []).length >= MAX_BESIDE)
    if (isFull || new Set(rows).size < run.length) continue
    for (const [index, row] of rows.entries()) {
      kept.delete(run[index]!)
      places.set(row, places.get(row) ?? [])
      places.get(row)!.push(run[index]!)
    }
  }
  return [...kept].flatMap((line): Lines => {
    const marks = places.get(line) ?? []
    // Marks to the right of a row stay lines of their own: they may be beside the middle of a cell of several lines.
    if (marks.every(({ left }, at) => left >= (marks[at - 1] ?? line).right)) return [line, ...marks]
    return [marks.reduce(joinPieces, line)]
  })
}
