import { countFirst, runningMax } from "../../../sorted.ts"
import type { Piece } from "../text/lines.ts"

/** An interval across the page, in page units. */
export interface Interval {
  readonly start: number
  readonly end: number
}

/** Cells of a row, by position. */
export type Pieces = ReadonlyArray<Piece>

/** The share of a table's rows whose texts may cross the space between two columns: labels over several columns, and titles. */
const MAX_CROSSING = 0.15

/** The least width of a space between columns, in letter heights, by the number of rows that show it. */
const minWidth = (witnesses: number) => (witnesses < 3 ? 1.5 : witnesses === 3 ? 0.6 : 0.42)

/** Two wide spaces show that the rows are a table: their narrow spaces need a row less to be proven. */
const MIN_WIDE_SPACES = 2

interface Gap extends Interval {
  /** The widest part of it that the fewest rows cover. */
  readonly core: Interval
}

/** The intervals that at most `most` of the rows cover, between the outermost texts. */
const findGaps = (rows: ReadonlyArray<Pieces>, most: number): ReadonlyArray<Gap> => {
  const edges = rows.flatMap((pieces) => {
    // Lines of one cell overlap, and count once.
    const sorted = pieces.toSorted((a, b) => a.start - b.start)
    const found: Array<{ x: number; by: 1 | -1 }> = []
    let end = -Infinity
    for (const piece of sorted) {
      if (piece.start > end) {
        if (end > -Infinity) found.push({ x: end, by: -1 })
        found.push({ x: piece.start, by: 1 })
        end = piece.end
      } else end = Math.max(end, piece.end)
    }
    if (end > -Infinity) found.push({ x: end, by: -1 })
    return found
  })
  edges.sort((a, b) => a.x - b.x || b.by - a.by)
  const gaps: Array<Gap> = []
  let cover = 0
  let open: number | undefined
  let last = 0
  let core = { start: 0, end: 0, cover: Infinity }
  for (const { x, by } of edges) {
    const before = cover
    cover += by
    const isLess = before < core.cover || (before === core.cover && x - last > core.end - core.start)
    if (open !== undefined && x > last && isLess) core = { start: last, end: x, cover: before }
    if (before > most && cover <= most) {
      open = x
      core = { start: x, end: x, cover: Infinity }
    } else if (before <= most && cover > most && open !== undefined) {
      if (x > open) gaps.push({ start: open, end: x, core })
      open = undefined
    }
    last = x
  }
  return gaps
}

/** The pieces of a row by their starts, for comparisons with many gaps. */
const indexRow = (pieces: Pieces) => {
  const sorted = pieces.toSorted((a, b) => a.start - b.start)
  return { sorted, ends: runningMax(sorted.map(({ end }) => end)), first: Math.min(...pieces.map(({ end }) => end)) }
}

type IndexedRow = ReturnType<typeof indexRow>

/** Whether a row has texts on both sides of a gap and none across it. */
const isWitness = ({ sorted, ends, first }: IndexedRow, gap: Interval) => {
  if (first > gap.start || (sorted.at(-1)?.start ?? -Infinity) < gap.end) return false
  return (ends[countFirst(sorted, ({ start }) => start < gap.start) - 1] ?? -Infinity) <= gap.end
}

/** Whether a piece crosses one of the intervals, which are apart and in order. */
const crossesAny = ({ start, end }: Piece, cores: ReadonlyArray<Interval>) => {
  const next = cores[countFirst(cores, (core) => core.start <= start)]
  return next !== undefined && end > next.end
}

/**
 * Finds the spaces between the columns of rows, left to right. `size` is the height of their letters. While `isGrowing`, two
 * rows prove a narrow space: more rows may follow.
 */
export const findSpaces = (
  rows: ReadonlyArray<Pieces>,
  size: number,
  { isGrowing = false }: { readonly isGrowing?: boolean } = {},
): ReadonlyArray<Interval> => {
  const most = rows.length < 3 ? 0 : Math.max(1, Math.floor(rows.length * MAX_CROSSING))
  const rough = findGaps(rows, most)
  // Without the texts that cross them, also columns with few texts have a space on either side.
  const cores = rough.map(({ core }) => core)
  const within = rows.map((pieces) => pieces.filter((piece) => !crossesAny(piece, cores)))
  const indexed = rows.map(indexRow)
  const proven = findGaps(within, 0).flatMap((gap) => {
    const witnesses = indexed.filter((row) => isWitness(row, gap)).length
    return witnesses >= 2 && witnesses >= rows.length * 0.3 ? [{ gap, witnesses, width: gap.end - gap.start }] : []
  })
  const least = (witnesses: number) => (isGrowing ? minWidth(4) : minWidth(witnesses)) * size
  const wide = proven.filter(({ width, witnesses }) => width >= least(witnesses)).length
  const bonus = wide >= MIN_WIDE_SPACES ? 1 : 0
  return proven
    .filter(({ width, witnesses }) => width >= least(witnesses + bonus))
    .map(({ gap: { start, end } }) => ({ start, end }))
}

const middleOf = ({ start, end }: Interval) => (start + end) / 2

/** The column of a text, and the columns that it covers. `spaces` are in order. */
export const findColumn = ({ start, end }: Piece, spaces: ReadonlyArray<Interval>) => {
  const column = countFirst(spaces, (gap) => middleOf(gap) <= start)
  const last = countFirst(spaces, (gap) => middleOf(gap) < end)
  return { column, span: Math.max(1, last - column + 1) }
}
