import type { Cell } from "../../../tables/header.ts"
import { isListingOrFormula, type ListedRow } from "./listings.ts"

type Cells = ReadonlyArray<Cell>

/** A sign or number before an item of a list. */
const MARKER = /^(?:[•●○◦▪■□–—*·‣➢✓-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)]|\d{1,2}(?:\.\d{1,2})+\.?|\[\d{1,3}\])$/u
const LEADERS = /(?:\.\s?){6,}|…{3,}/u
/** Cells of a table are filled to this share at least. */
const MIN_FILLED = 0.4
/** Letters of a line of prose in a column. */
const PROSE_LENGTH = 18

const share = <A>(items: ReadonlyArray<A>, is: (item: A) => boolean) =>
  items.length === 0 ? 0 : items.filter(is).length / items.length

const isList = (rows: ReadonlyArray<Cells>, columns: number) =>
  columns === 2 && share(rows, ([cell]) => cell?.column === 0 && MARKER.test(cell.text)) >= 0.5

const isPageNumber = (text: string) => /^(?:\d{1,4}|[ivxl]{1,6})$/.test(text)

/** Whether most texts are page numbers that never fall. */
const arePageNumbers = (texts: ReadonlyArray<string>) => {
  if (texts.length < 4 || share(texts, isPageNumber) < 0.9) return false
  const numbers = texts.map(Number).filter((number) => !Number.isNaN(number))
  return numbers.every((number, index) => index === 0 || number >= numbers[index - 1]!) && numbers.at(-1) !== numbers[0]
}

/** Lines with leaders, or with page numbers at their end or start. */
const isContents = (rows: ReadonlyArray<Cells>, columns: number) => {
  if (share(rows, (cells) => cells.some(({ text }) => LEADERS.test(text))) >= 0.5) return true
  const wide = rows.filter((cells) => cells.length > 1)
  const ends = (at: 0 | -1) => wide.map((cells) => cells.at(at)!.text)
  return (columns <= 3 && arePageNumbers(ends(-1))) || (columns === 2 && arePageNumbers(ends(0)))
}

const isProseColumn = (texts: ReadonlyArray<string>) => {
  const mean = texts.reduce((sum, text) => sum + text.length, 0) / Math.max(texts.length, 1)
  return mean >= PROSE_LENGTH && share(texts, (text) => /^\p{Ll}/u.test(text)) > 0.35
}

/** Columns of prose, whose lines go on in the next line. */
const isProse = (lines: ReadonlyArray<Cells>, columns: number) => {
  const cells = lines.flat()
  return Array.from({ length: columns }, (_, at) =>
    cells.filter(({ column }) => column === at).map(({ text }) => text),
  ).every(isProseColumn)
}

/** Whether aligned texts are a list, a table of contents, a listing, formulas or columns of prose. `drawn` has the rows before wrapped cells are joined. */
export const isNoTable = (
  rows: ReadonlyArray<Cells>,
  drawn: ReadonlyArray<ListedRow & { readonly cells: Cells }>,
  columns: number,
): boolean => {
  const wide = rows.filter((cells) => cells.length > 1)
  if (wide.length < 2 || rows.flat().length < rows.length * columns * MIN_FILLED) return true
  return (
    isList(rows, columns) ||
    isContents(rows, columns) ||
    isListingOrFormula(drawn) ||
    isProse(
      drawn.map(({ cells }) => cells),
      columns,
    )
  )
}
