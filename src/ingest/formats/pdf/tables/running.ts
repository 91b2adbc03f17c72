import { downTo, type DrawnRow } from "./bands.ts"

/** Rows beside a running header or footer whose distances are compared. */
const NEIGHBOURS = 5
/** It is clearly further from the text than these are from each other. */
const FURTHER = 1.25
/** In letter heights: the least distance. */
const MIN_DROP = 2
/** A number of four digits in a header is a year. */
const PAGE_NUMBER = /^(?:\d{1,3}|[ivxl]{1,6})$/
const WORD = /\p{L}{3}/u

/** Whether a row is words and a page number, or the same name at both sides, as headers and footers of pages are. */
const isRunning = ({ pieces, isMulti }: DrawnRow) => {
  if (!isMulti || pieces.length > 3) return false
  const sorted = pieces.toSorted((a, b) => a.start - b.start).map(({ text }) => text)
  const [first, last] = [sorted[0]!, sorted.at(-1)!]
  const words = sorted.filter((text) => WORD.test(text))
  if (sorted.length === 3 && first === last && words.length > 0) return true
  return words.length === sorted.length - 1 && [first, last].some((text) => PAGE_NUMBER.test(text))
}

/** The numbers of the first row below a page's running header and of the row behind the last above its footer. */
export const withoutRunning = (all: ReadonlyArray<DrawnRow>): { readonly first: number; readonly end: number } => {
  const isApart = (row: DrawnRow | undefined, pitches: ReadonlyArray<number>) =>
    row !== undefined &&
    pitches.length > 2 &&
    isRunning(row) &&
    pitches[0]! > row.size * MIN_DROP &&
    pitches[0]! > Math.max(...pitches.slice(1)) * FURTHER
  const pitches = (rows: ReadonlyArray<DrawnRow>) => rows.slice(1).map((row, at) => downTo(rows[at]!, row))
  const isHeader = isApart(all[0], pitches(all.slice(0, NEIGHBOURS + 1)))
  const isFooter = isApart(all.at(-1), pitches(all.slice(-NEIGHBOURS - 1)).toReversed())
  return { first: isHeader ? 1 : 0, end: all.length - (isFooter ? 1 : 0) }
}
