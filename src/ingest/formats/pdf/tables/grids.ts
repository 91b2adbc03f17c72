import type { Ruling, Rulings } from "../page/rulings.ts"

/** A cell of a grid: its columns and rows, `end` not included, counted from the left and from the top. */
export interface GridCell {
  readonly column: number
  readonly endColumn: number
  readonly row: number
  readonly endRow: number
}

/** A grid that rulings draw. */
export interface Grid {
  /** The vertical lines, from left to right. */
  readonly xs: ReadonlyArray<number>
  /** The horizontal lines, from top to bottom. */
  readonly ys: ReadonlyArray<number>
  readonly cells: ReadonlyArray<GridCell>
  /** Its parts, which rows without vertical lines divide, each a grid of its own: tables with a title each, or one table. */
  readonly parts?: ReadonlyArray<Grid>
}

/** Points by which lines may miss each other. */
const NEAR = 3
/** A page of paper has room for fewer. */
const MAX_GRID_LINES = 200
/** Pairs of lines that may touch: a page with more is a drawing. */
const MAX_PAIRS = 10_000_000
/** Each line of text is compared with each grid. A page of paper has fewer. */
const MAX_GRIDS = 400

const touches = (horizontal: Ruling, vertical: Ruling) =>
  horizontal.start - NEAR <= vertical.at &&
  vertical.at <= horizontal.end + NEAR &&
  vertical.start - NEAR <= horizontal.at &&
  horizontal.at <= vertical.end + NEAR

/** Groups lines that touch, directly or through others. */
const connect = ({ horizontal, vertical }: Rulings): ReadonlyArray<Rulings> => {
  const groups: Array<{ horizontal: Array<Ruling>; vertical: Array<Ruling> }> = []
  const free = new Set(vertical)
  const left = new Set(horizontal)
  for (const first of horizontal) {
    if (!left.delete(first)) continue
    const group = { horizontal: [first], vertical: [] as Array<Ruling> }
    for (let h = 0, v = 0; h < group.horizontal.length || v < group.vertical.length;) {
      if (h < group.horizontal.length) {
        const line = group.horizontal[h++]!
        for (const other of free) if (touches(line, other) && free.delete(other)) group.vertical.push(other)
      } else {
        const line = group.vertical[v++]!
        for (const other of left) if (touches(other, line) && left.delete(other)) group.horizontal.push(other)
      }
    }
    groups.push(group)
  }
  return groups
}

/** The distinct positions of lines, in ascending order. */
const listPositions = (lines: ReadonlyArray<Ruling>) => {
  const positions: Array<number> = []
  for (const at of lines.map((line) => line.at).sort((a, b) => a - b))
    if (positions.length === 0 || at - positions.at(-1)! > NEAR) positions.push(at)
  return positions
}

/** Finds out whether a line runs along a side of a cell. */
const sideFinder = (lines: ReadonlyArray<Ruling>) => {
  const places = Map.groupBy(lines, ({ at }) => Math.floor(at / NEAR))
  return (at: number, from: number, to: number) =>
    [-1, 0, 1].some((by) =>
      places
        .get(Math.floor(at / NEAR) + by)
        ?.some((line) => Math.abs(line.at - at) <= NEAR && line.start <= from + NEAR && line.end >= to - NEAR),
    )
}

const makeGrid = ({ horizontal, vertical }: Rulings): Grid | undefined => {
  const xs = listPositions(vertical)
  const ys = listPositions(horizontal).toReversed()
  const [columns, rows] = [xs.length - 1, ys.length - 1]
  if (columns < 1 || rows < 1 || columns * rows < 2 || xs.length > MAX_GRID_LINES || ys.length > MAX_GRID_LINES)
    return undefined
  const [hasUpright, hasLevel] = [sideFinder(vertical), sideFinder(horizontal)]
  const isOpenRight = (row: number, column: number) => !hasUpright(xs[column + 1]!, ys[row + 1]!, ys[row]!)
  const isOpenBelow = (row: number, column: number) => !hasLevel(ys[row + 1]!, xs[column]!, xs[column + 1]!)
  const taken = new Uint8Array(columns * rows)
  const cells: Array<GridCell> = []
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (taken[row * columns + column] === 1) continue
      let endColumn = column + 1
      while (endColumn < columns && taken[row * columns + endColumn] === 0 && isOpenRight(row, endColumn - 1))
        endColumn++
      const isOpen = (at: number) => {
        for (let c = column; c < endColumn; c++)
          if (!isOpenBelow(at - 1, c) || (c > column && !isOpenRight(at, c - 1))) return false
        return true
      }
      let endRow = row + 1
      while (endRow < rows && isOpen(endRow)) endRow++
      for (let r = row; r < endRow; r++) taken.fill(1, r * columns + column, r * columns + endColumn)
      cells.push({ column, endColumn, row, endRow })
    }
  }
  return { xs, ys, cells }
}

/** Puts groups with the same vertical lines together that a row without any divides: the title of the rows below it. */
const joinParts = (groups: ReadonlyArray<Rulings>): ReadonlyArray<ReadonlyArray<Rulings>> => {
  const joined: Array<Array<Rulings>> = []
  /** The place in `joined` of the highest group with these vertical lines, and the height of its highest row. */
  const below = new Map<string, { readonly at: number; readonly top: number; readonly height: number }>()
  for (const group of groups) {
    const ys = listPositions(group.horizontal)
    const key = listPositions(group.vertical).map(Math.round).join(" ")
    const height = Math.max(...ys.slice(1).map((y, at) => y - ys[at]!))
    const lower = below.get(key)
    const gap = lower === undefined ? -1 : ys[0]! - lower.top
    const isPart = lower !== undefined && gap > 0 && gap <= Math.max(height, lower.height) + NEAR
    const at = isPart ? lower.at : joined.length
    joined[at] ??= []
    joined[at].push(group)
    below.set(key, { at, top: ys.at(-1)!, height })
  }
  return joined
}

/** The grids of a page, with at least two cells each. None of a drawing. */
export const findGrids = (rulings: Rulings): ReadonlyArray<Grid> => {
  if (rulings.horizontal.length * rulings.vertical.length > MAX_PAIRS) return []
  const grids = joinParts(connect(rulings).filter(({ vertical }) => vertical.length > 1)).flatMap((groups) => {
    const [horizontal, vertical] = [
      groups.flatMap((group) => group.horizontal),
      groups.flatMap((group) => group.vertical),
    ]
    const grid = makeGrid({ horizontal, vertical })
    if (grid === undefined || groups.length < 2) return grid ?? []
    return { ...grid, parts: groups.flatMap((group) => makeGrid(group) ?? []) }
  })
  return grids.reduce((sum, { parts }) => sum + (parts?.length ?? 1), 0) > MAX_GRIDS ? [] : grids
}
