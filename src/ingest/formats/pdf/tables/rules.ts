import { downTo, type DrawnRow } from "./bands.ts"
import type { Ruling } from "../page/rulings.ts"

/** Bounds the comparisons: each row is compared with each rule. A page of paper has fewer. */
const MAX_RULES = 400
/** Rows of a header at most. */
const MAX_HEADER_ROWS = 4
/** In letter heights: the letters of a row are above its base line, and a rule above them. */
const ABOVE = 0.4
/** Rows above the upper rule of a table are clearly further from its header than the header is from its rows. */
const FURTHER = 1.25
/** In letter heights: from a row up to the rule above it. */
const MAX_DROP = 2.5

type Rows = ReadonlyArray<DrawnRow>

/** Finds the rows, but the last, below which a rule is as wide as the rows that follow. */
const findRuled = (rows: Rows, rules: ReadonlyArray<Ruling>): ReadonlyArray<number> => {
  let [left, right] = [Infinity, -Infinity]
  const found: Array<number> = []
  for (let at = rows.length - 2; at >= 0; at--) {
    const [upper, lower] = [rows[at]!, rows[at + 1]!]
    for (const { start, end } of lower.pieces) [left, right] = [Math.min(left, start), Math.max(right, end)]
    const isBetween = ({ at: height, start, end }: Ruling) =>
      height <= upper.band.bottom &&
      height >= lower.band.top + lower.size * ABOVE &&
      start <= left + lower.size &&
      end >= right - lower.size
    if (rules.some(isBetween)) found.unshift(at)
  }
  return found
}

/** Whether a rule is directly above a row: the row is in the table. */
const hasRuleAbove = ({ band, size }: DrawnRow, rules: ReadonlyArray<Ruling>) =>
  rules.some(({ at, start, end }) => {
    const isNear = at > band.top && at < band.top + size * MAX_DROP
    return isNear && band.lines.every(({ left, right }) => start <= left + size && end >= right - size)
  })

/**
 * The rows at the start of a table that horizontal rules set apart: `above` are not part of it, as two rules below them, close to
 * each other, have the header between them; `header` has the height of the rule below the header.
 */
export const readRules = (
  rows: Rows,
  rules: ReadonlyArray<Ruling>,
): { readonly above: number; readonly header?: number } => {
  if (rules.length > MAX_RULES) return { above: 0 }
  const near = rules.filter(({ at }) => at <= rows[0]!.band.top && at >= rows.at(-1)!.band.bottom)
  if (near.length === 0) return { above: 0 }
  const ruled = findRuled(rows, near)
  const [upper, lower] = ruled
  if (upper === undefined) return { above: 0 }
  const isClose = lower !== undefined && !hasRuleAbove(rows[0]!, rules) && lower - upper <= 2 && lower < rows.length - 2
  const above =
    isClose && downTo(rows[upper]!, rows[upper + 1]!) > downTo(rows[lower]!, rows[lower + 1]!) * FURTHER ? upper + 1 : 0
  const last = above > 0 ? lower! : upper
  const others = ruled.filter((at) => at > last).length
  // A rule below each row, or each second row, marks none.
  const isHeader = last - above < MAX_HEADER_ROWS && others * 4 <= rows.length - last - 1
  if (!isHeader || !rows.slice(above, last + 1).some(({ isMulti }) => isMulti)) return { above }
  return { above, header: rows[last]!.band.bottom }
}
