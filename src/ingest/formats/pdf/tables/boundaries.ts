import { couldBeHeader } from "../../../tables/header.ts"
import { type Band, downTo, type DrawnRow } from "./bands.ts"
import type { Piece } from "../text/lines.ts"

/** Tables below each other are clearly further apart than the rows of each. */
const FURTHER = 1.2
/** In letter heights: how exactly the texts of a column are aligned. */
const ALIGNED = 0.3

type Rows = ReadonlyArray<DrawnRow>

/** Digits with signs, and at most a short unit. */
const VALUE = /^\P{L}*\d\P{L}*\p{L}{0,3}$/u
const LETTER = /\p{L}/u

const overlap = (a: Piece, b: Piece) => a.start < b.end && b.start < a.end

/** Whether a row is further below the one above than the rows there, and the row below it, are from each other. */
const isFurther = (rows: Rows, row: DrawnRow, next: DrawnRow) => {
  const pitches = rows.slice(1).map((lower, at) => downTo(rows[at]!, lower))
  // A header may be further from its rows.
  const usual = Math.max(...(pitches.length > 1 ? pitches.slice(1) : pitches), downTo(row, next))
  return downTo(rows.at(-1)!, row) > usual * FURTHER
}

/** Whether a text of the row is a label among values: those above and below it. */
const isAmongValues = (rows: Rows, row: DrawnRow, next: DrawnRow) =>
  row.pieces.some((piece) => {
    const isBeside = (other: Piece) => overlap(piece, other)
    const above = rows.slice(1).flatMap(({ pieces }) => pieces.filter(isBeside))
    const below = next.pieces.filter(isBeside)
    const areValues = [...above, ...below].every(({ text }) => VALUE.test(text))
    return LETTER.test(piece.text) && areValues && above.length > 0 && below.length > 0
  })

/** Whether a text of the row, but the first, is also the label of its column. */
const repeatsLabel = ([header]: Rows, { pieces }: DrawnRow) =>
  pieces.slice(1).some((piece) => header!.pieces.some((label) => label.text === piece.text && overlap(label, piece)))

/** Whether two rows have the same columns, which are others than those of the rows above. */
const haveOtherColumns = (rows: Rows, row: DrawnRow, next: DrawnRow) => {
  if (row.pieces.length !== next.pieces.length) return false
  const near = row.size * ALIGNED
  const isAt = (piece: Piece, others: ReadonlyArray<Piece>) =>
    others.some(({ start, end }) => Math.abs(start - piece.start) < near || Math.abs(end - piece.end) < near)
  const above = rows.flatMap(({ pieces }) => pieces)
  return row.pieces.some(
    (piece) => isAt(piece, next.pieces) && !isAt(piece, above) && above.some((other) => overlap(other, piece)),
  )
}

/**
 * Whether a row of labels begins another table below rows of one, with `other` columns or with the `same`: `next` is the row below it. It is
 * bold, or among values, or has columns of its own, and is further below than the rows are from each other; or it repeats a label among values.
 */
export const findBoundary = (rows: Rows, row: DrawnRow, next: DrawnRow | undefined): "same" | "other" | undefined => {
  const last = rows.at(-1)!
  if (rows.length < 2 || next?.isMulti !== true || !couldBeHeader(row.pieces)) return undefined
  const isApart = isFurther(rows, row, next)
  if (isApart && haveOtherColumns(rows, row, next)) return "other"
  const isAmong = isAmongValues(rows, row, next)
  const isBold = row.isBold && !last.isBold && !next.isBold
  if (!(isApart && (isBold || isAmong)) && !(isAmong && repeatsLabel(rows, row))) return undefined
  return row.pieces.length === rows[0]!.pieces.length ? "same" : "other"
}

/** Divides rows at those that begin another table. */
export const divideAt = <A extends { readonly band: Band }>(
  rows: ReadonlyArray<A>,
  begins: ReadonlySet<Band>,
): ReadonlyArray<ReadonlyArray<A>> => {
  const starts = [0, ...rows.flatMap(({ band }, at) => (at > 0 && begins.has(band) ? [at] : []))]
  return starts.map((start, at) => rows.slice(start, starts[at + 1]))
}
