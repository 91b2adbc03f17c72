import { withoutMarks } from "../../core/common/raisedDigits.ts"
import type { Place } from "../document.ts"

/** A cell and its column, counted from 0. Readers omit empty cells, and may send them. */
export interface Cell {
  readonly text: string
  readonly column: number
  /** The columns that it covers; 1 by default. */
  readonly span?: number | undefined
  /** The rows that it covers, of those that the reader sends or, in a sheet, that are there; 1 by default. */
  readonly rows?: number | undefined
  /** The file stores a number, however it is written. */
  readonly isValue?: boolean | undefined
}

export interface TableRow {
  readonly cells: ReadonlyArray<Cell>
  readonly place: Place
  /** The file marks the row as a header. Without any such row, the writer recognises the header by its cells. */
  readonly isHeader?: boolean | undefined
}

/** The rows of a header: `count` rows from `first` on; none if `count` is 0. */
interface Header {
  readonly first: number
  readonly count: number
}

const MAX_HEADER_ROWS = 3
/** Rows that the file marks. */
const MAX_MARKED_ROWS = 4
const MAX_HEADER_CELL = 80
/** Wider spans are no labels: a file may state one of every column for every cell. */
const MAX_SPAN = 256

/** A number, an amount, a rate or a measure: "-1,200.50", "(40 %)", "23 percent", "EUR 4.2m", "12 kg". */
const NUMBER =
  /^[(+\-–−~<>≤≥]?\s*(?:\p{Sc}|[A-Z]{2,3}\$?)?\s*[+\-–−]?\d[\d.,'’\s]*(?:%|‰|percent|per cent|Prozent|pour cent|por ciento|[kKmMbB]n?|\p{Sc}|[A-Z]{3}|[a-zµ]{1,3})?\)?$/u

/** Two numbers: "110 to 116", "5–10 %". */
const RANGE = /^\p{Sc}?\d[\d.,]*\s?(?:-|–|to|bis|à)\s?\p{Sc}?\d[\d.,]*\s?[%\p{Sc}]?$/u

/** A date, a time, a truth value or a sign for nothing. */
const OTHER_VALUE =
  /^(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d.*)?|\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m)?|\d{1,2}\.? \p{L}{3,9}\.? \d{2,4}|\p{L}{3,9}\.? \d{1,2}, \d{4}|true|false|yes|no|n\/a|[-–—]+)$/iu

/** Years, quarters, months, fiscal years and the days of a balance are values that headers have. */
const PERIOD =
  /^(?:\d{1,2}\.? \p{L}{3,9}\.? \d{4}|\p{L}{3,9}\.? \d{1,2}, \d{4}|(?:19|20)\d\d|(?:FY|CY)\s?'?\d{2,4}|[QH][1-4](?:[\s/'-]*(?:FY)?\d{2,4})?|(?:19|20)\d\d[\s/-]*[QH][1-4]|\p{L}{3,9}\.?[\s/'-]+\d{2,4})$/iu

interface Content {
  readonly text: string
  readonly isValue?: boolean | undefined
}

const namesPeriod = (text: string) => PERIOD.test(withoutMarks(text))

const holdsValue = ({ text: written, isValue = false }: Content) => {
  const text = withoutMarks(written)
  return (isValue || NUMBER.test(text) || RANGE.test(text) || OTHER_VALUE.test(text)) && !PERIOD.test(text)
}

const filled = ({ cells }: TableRow) =>
  cells.flatMap(({ text, column, span = 1, isValue = false }) => {
    const trimmed = text.replaceAll(/\s+/g, " ").trim()
    return trimmed === "" ? [] : [{ text: trimmed, column, span, isValue }]
  })

type Filled = ReturnType<typeof filled>

/** Texts that a point ends and that are no sentence: "Qty.", "Min. amt.", "Order no.", "Fees etc." */
const ABBREVIATION = /^(?:\p{L}{1,7}\. ?)+$|\betc\.$|\bno\.$/iu

/** Whether all cells could be labels: short texts, no values, no sentences. */
export const couldBeHeader = (cells: ReadonlyArray<Content>): boolean =>
  cells.every(
    (cell) =>
      cell.text.length <= MAX_HEADER_CELL &&
      !holdsValue(cell) &&
      (!/[.;!]$/.test(cell.text) || ABBREVIATION.test(cell.text)),
  )

/** Two tables side by side may share labels. */
const MIN_DISTINCT = 0.5

const areDistinct = (cells: Filled) =>
  new Set(cells.map(({ text }) => text.toLowerCase())).size >= cells.length * MIN_DISTINCT

/** The columns whose cells below the header are values, mostly. */
const valueColumns = (body: ReadonlyArray<Filled>): ReadonlySet<number> => {
  const seen = new Map<number, { values: number; texts: number }>()
  for (const cell of body.flat()) {
    const count = seen.get(cell.column) ?? { values: 0, texts: 0 }
    if (holdsValue(cell) || namesPeriod(cell.text)) count.values++
    else count.texts++
    seen.set(cell.column, count)
  }
  return new Set([...seen].filter(([, { values, texts }]) => values > texts).map(([column]) => column))
}

const meanLength = (cells: Filled) => cells.reduce((sum, { text }) => sum + text.length, 0) / Math.max(cells.length, 1)

/** Whether the rows below differ from a candidate as values differ from labels. */
const isAboveValues = (candidate: Filled, body: ReadonlyArray<Filled>): boolean => {
  const columns = new Set(
    candidate.flatMap(({ column, span }) => Array.from({ length: Math.min(span, MAX_SPAN) }, (_, n) => column + n)),
  )
  const widest = Math.max(...body.map((cells) => cells.length), candidate.length)
  const covered = body.flat().filter(({ column }) => columns.has(column) || column === 0).length
  if (covered < body.flat().length * 0.8) return false
  const values = valueColumns(body)
  const labelled = [...values].filter((column) => columns.has(column) && !isAmongPeriods(candidate, body, column))
  // A list of names and values has no header: its first row looks like the others.
  if ((widest <= 2 || candidate[0]!.text.endsWith(":")) && isKeyList([candidate, ...body])) return false
  if (widest <= 2) {
    if (body.length < 2) return false
    if (labelled.length > 0) return !labelled.every((column) => isMixed(body, column))
    return candidate.length === 2 && isAboveSentences(candidate, body)
  }
  if (labelled.length > 0) return true
  // Texts only: short labels above longer ones. The corner above the names of rows may be empty.
  const corner = candidate[0]?.column === 1 && body.every((cells) => cells[0]?.column === 0) ? 1 : 0
  const isFull = candidate.length + corner >= widest
  return body.length > 1 && isFull && meanLength(candidate) <= Math.max(meanLength(body.flat()), 12)
}

export const kindOf = (cell: Filled[number]) => {
  if (namesPeriod(cell.text) || OTHER_VALUE.test(cell.text)) return "date"
  if (!holdsValue(cell)) return "text"
  return cell.text.includes("%") ? "rate" : /\p{Sc}|\b[A-Z]{3}\b/u.test(cell.text) ? "money" : "number"
}

/** Whether most cells of a column are of different kinds: facts about one thing, which no label names. */
const isMixed = (body: ReadonlyArray<Filled>, at: number) => {
  const cells = body.flat().filter(({ column }) => column === at)
  const kinds = Map.groupBy(cells, kindOf)
  return Math.max(...[...kinds.values()].map(({ length }) => length)) * 2 <= cells.length
}

/** Whether a cell and most cells below it are dates, years or the like: none is the label of the others. */
const isAmongPeriods = (candidate: Filled, body: ReadonlyArray<Filled>, at: number) => {
  const isPeriod = ({ column, text }: Filled[number]) => column === at && namesPeriod(text)
  const below = body.flat().filter(({ column }) => column === at)
  return candidate.some(isPeriod) && below.filter(isPeriod).length * 2 > below.length
}

/** Whether the last column has texts that are clearly longer than its label. */
const isAboveSentences = (candidate: Filled, body: ReadonlyArray<Filled>) => {
  const last = candidate.at(-1)!
  const below = body.flatMap((cells) => cells.filter(({ column }) => column === last.column))
  return below.length > 1 && meanLength(below) >= last.text.length * 1.8
}

/** Names on the left, each with a colon: a form, not a table. */
export const isKeyList = (rows: ReadonlyArray<Filled>) =>
  rows.filter(([cell]) => cell !== undefined && cell.column === 0 && cell.text.endsWith(":")).length * 2 > rows.length

/** Whether `next` names columns below `upper`: a second row of a header. */
const continuesHeader = (upper: Filled, next: Filled, body: ReadonlyArray<Filled>) => {
  if (next.length < 2 || !couldBeHeader(next) || body.length === 0) return false
  const own = new Set(upper.map(({ column }) => column))
  const below = new Set(next.map(({ column }) => column))
  const isSpanned = upper.some(({ span }) => span > 1)
  // Below an empty corner is the name of a row, or a label below years.
  const fillsCorner = isGroups(upper)
  const fillsGaps = next.some(({ column }) => !own.has(column) && (column > 0 || fillsCorner))
  if (!isSpanned && !fillsGaps) return false
  return (
    isAboveValues(next, body) || isAboveValues([...next, ...upper.filter(({ column }) => !below.has(column))], body)
  )
}

const NO_HEADER: Header = { first: 0, count: 0 }

/** Finds the header among the first rows of a table: the rows that the file marks, else rows of labels above rows of values. */
export const findHeader = (rows: ReadonlyArray<TableRow>): Header => {
  const marked = rows.findIndex(({ isHeader }) => isHeader === true)
  if (marked >= 0) {
    const end = rows.findIndex(({ isHeader }, index) => index > marked && isHeader !== true)
    const count = Math.min((end < 0 ? rows.length : end) - marked, MAX_MARKED_ROWS)
    return marked + count < rows.length ? { first: marked, count } : NO_HEADER
  }
  return recogniseHeader(rows.map(filled))
}

/** Narrower rows above a header: totals, or facts about the table. */
const MAX_FACTS = 4

const recogniseHeader = (all: ReadonlyArray<Filled>): Header => {
  // Rows of one cell above the header are titles.
  const first = all.findIndex((cells) => cells.length > 1)
  if (first < 0) return NO_HEADER
  const wider = all.findIndex((cells, at) => at > first && cells.length > Math.max(all[first]!.length, 2))
  const isBelow = wider >= 0 && wider <= first + MAX_FACTS
  const areFacts = isBelow && all.slice(first, wider).every((cells) => isFactAbove(cells, all[wider]!))
  const below = areFacts ? headerAt(all, wider) : NO_HEADER
  return below.count > 0 ? below : headerAt(all, first)
}

/** Whether a row is a fact above a wider row, not a group of its columns: it has values, or its cells begin with those of the row below. */
const isFactAbove = (cells: Filled, below: Filled) =>
  cells.every(({ span }) => span === 1) &&
  (!couldBeHeader(cells) || (!isGroups(cells) && cells.every(({ column }, at) => column === below[at]!.column)))

/** Whether a cell names a time, as the groups of columns do. */
const isGroups = (cells: Filled) => cells.some(({ text }) => namesPeriod(text))

const headerAt = (all: ReadonlyArray<Filled>, first: number): Header => {
  for (let count = 1; count <= MAX_HEADER_ROWS; count++) {
    const last = all[first + count - 1]
    const body = all.slice(first + count)
    if (last === undefined || body.length === 0 || !couldBeHeader(last)) return NO_HEADER
    if (body[0]!.length > 1 && continuesHeader(last, body[0]!, body.slice(1))) continue
    const isHeader = areDistinct(last) && isAboveValues(last, body)
    return isHeader || count > 1 ? { first, count } : NO_HEADER
  }
  return NO_HEADER
}

/** Whether a row is one cell: a title of rows, not labels of columns. */
export const isSection = (row: TableRow): boolean => filled(row).length === 1

/** Whether the last of the rows above a gap, and none before it, could be the header of the row below: with its columns, above a value if it has only two. */
export const isHeaderOf = (above: ReadonlyArray<TableRow>, below: TableRow): boolean => {
  const last = above.at(-1)
  if (last === undefined || !above.slice(0, -1).every(isSection)) return false
  const [header, row] = [filled(last), filled(below)]
  if (header.length < 2 || header.length !== row.length || !couldBeHeader(header)) return false
  return header.every(({ column }, at) => column === row[at]!.column) && (header.length > 2 || row.some(holdsValue))
}

/** The columns that hold values below the header. */
export const findValueColumns = (rows: ReadonlyArray<TableRow>): ReadonlySet<number> => valueColumns(rows.map(filled))

/** Whether cells of one word each are above texts of other kinds: with more words, or with digits. */
const areWordsAboveTexts = (cells: Filled, body: ReadonlyArray<Filled>) =>
  cells.every(({ text }) => /^\p{L}[\p{L}-]*$/u.test(text)) &&
  cells.some(({ column }) => {
    const below = body.flat().filter((cell) => cell.column === column)
    return below.length > 0 && below.every(({ text }) => /[\s\d]/.test(text))
  })

/**
 * Finds the header of rows behind a gap, below a table with values in these columns. Undefined if they may be rows of that table:
 * no label is in a column of values.
 */
export const findOtherHeader = (rows: ReadonlyArray<TableRow>, values: ReadonlySet<number>): Header | undefined => {
  if (rows.some(({ isHeader }) => isHeader === true)) return findHeader(rows)
  const all = rows.map(filled)
  const first = all.findIndex((cells) => cells.length > 1)
  const cells = all[first]
  if (cells === undefined || !couldBeHeader(cells) || !cells.some(({ column }) => values.has(column))) return undefined
  const found = recogniseHeader(all)
  if (found.count > 0) return found
  return { first, count: areWordsAboveTexts(cells, all.slice(first + 1)) ? 1 : 0 }
}
