import { writeXlsxStream } from "hucre/xlsx"
import { type CellKind, type FileColumn, Frames, type Framing } from "./frames.ts"
import { INSTANT_BYTES, readInstant, writeInstant } from "./instant.ts"
import { type LongCells, MAX_CELL_CHARACTERS, MAX_SHEET_ROWS } from "./longCells.ts"

// Loaded by the first export of this format. Reaches no module of Effect: the command line takes it from the library.

type Cell = string | number | boolean | null

/** How a spreadsheet shows the numbers of a column, and the width of the column in characters. */
const STYLES: Readonly<Record<CellKind, { readonly numFmt?: string; readonly width: number }>> = {
  text: { width: 24 },
  number: { numFmt: "#,##0.00", width: 14 },
  boolean: { width: 10 },
  date: { numFmt: "yyyy-mm-dd", width: 12 },
  instant: { numFmt: "yyyy-mm-dd hh:mm:ss", width: 20 },
  json: { width: 18 },
  structured: { width: 40 },
}

/** A worksheet in the making. */
export interface Workbook {
  readonly bytes: ReadableStream<Uint8Array>
  /** The number of rows written, without the header. */
  readonly rows: () => number
}

/**
 * Writes rows as an XLSX workbook while they arrive, in chunks of any length: dates, numbers and truth values as such, all else
 * as text. Rows that exceed a sheet are on the next one, below the same header. Cuts longer cells than a spreadsheet holds, and
 * counts them in `longCells`.
 */
export const writeXlsx = (
  columns: ReadonlyArray<FileColumn>,
  framing: Framing,
  chunks: AsyncIterable<Uint8Array>,
  longCells: LongCells,
  maxSheetRows = MAX_SHEET_ROWS,
): Workbook => {
  const frames = new Frames(framing)
  async function* rows() {
    for await (const chunk of chunks) {
      const complete: Array<Array<Cell>> = []
      frames.read(chunk, (source, view, from) => {
        const end = endOfRow(frames, columns.length, view, from)
        if (end !== undefined) complete.push(readRow(frames, columns, source, view, from, longCells))
        return end
      })
      yield* complete
    }
  }
  return {
    rows: () => frames.rows,
    bytes: writeXlsxStream(rows(), {
      name: "Deals",
      columns: columns.map(({ selector, kind }) => ({ header: clean(selector), ...STYLES[kind] })),
      freezePane: { rows: 1 },
      maxRowsPerSheet: maxSheetRows,
    }),
  }
}

/** Whether the workbook needs the 64-bit fields of zip, which Excel does not accept from every writer. */
export const isTooLarge = (error: unknown): boolean => error instanceof Error && error.name === "ZipError"

const endOfRow = ({ layout }: Frames, columns: number, view: DataView, from: number): number | undefined => {
  let at = from + layout.count
  for (let column = 0; column < columns + layout.hidden; column++) {
    at += layout.beside + 4
    if (at > view.byteLength) return undefined
    at += Math.max(view.getInt32(at - 4), 0)
  }
  return at > view.byteLength ? undefined : at
}

/** Reads the complete row at `from`. */
const readRow = (
  { layout, rows }: Frames,
  columns: ReadonlyArray<FileColumn>,
  source: Uint8Array,
  view: DataView,
  from: number,
  longCells: LongCells,
): Array<Cell> => {
  const cells: Array<Cell> = []
  let at = from + layout.count
  for (let index = -layout.hidden; index < columns.length; index++) {
    at += layout.beside + 4
    const size = Math.max(view.getInt32(at - 4), 0)
    const column = columns[index]
    if (column !== undefined) {
      const value = size === 0 ? null : readCell(column.kind, source, view, at, size)
      if (typeof value === "string") {
        longCells.note(rows, column.selector, value.length)
        cells.push(clean(value.length > MAX_CELL_CHARACTERS ? cut(value) : value))
      } else {
        cells.push(value)
      }
    }
    at += size
  }
  return cells
}

const readCell = (kind: CellKind, source: Uint8Array, view: DataView, at: number, size: number): Cell => {
  if (kind === "instant") return readTime(view, at)
  const text = decoder.decode(source.subarray(at, at + size))
  switch (kind) {
    case "number":
      return Number(text)
    case "boolean":
      return text === "true"
    case "date":
      return isDate(text) ? serialOf(Date.parse(text)) : text
    case "json":
      return readJson(text)
    default:
      return text
  }
}

/** A string, number or truth value as such. Anything else is JSON text, and so is a number of more digits than a spreadsheet keeps. */
const readJson = (text: string): Cell => {
  if (text === "null") return null
  if (text === "true" || text === "false") return text === "true"
  if (text.startsWith('"')) return (JSON.parse(text) as string) || null
  return NUMBER.test(text) && digitsOf(text) <= MAX_DIGITS ? Number(text) : text
}

const NUMBER = /^-?\d[\d.]*(?:e[+-]?\d+)?$/i
const MAX_DIGITS = 15
const digitsOf = (number: string) => number.replace(/e.*/i, "").replaceAll(/^[-0.]+|\D/g, "").length

const DAY_MS = 86_400_000
/** The serial number of 1970-01-01. */
const UNIX_EPOCH_DAYS = 25_569
/** Serial numbers before March 1900 count a 29 February 1900, and end with the year 9999: other dates stay text. */
const [FIRST_MS, LAST_MS] = [Date.UTC(1900, 2, 1), Date.UTC(10_000, 0, 1) - 1]

const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && Date.parse(text) >= FIRST_MS

/** The days of a spreadsheet's calendar, with the time as the fraction. */
const serialOf = (unixMs: number): number => unixMs / DAY_MS + UNIX_EPOCH_DAYS

const readTime = (view: DataView, at: number): Cell => {
  const unixMs = readInstant(view, at)
  if (unixMs >= FIRST_MS && unixMs <= LAST_MS) return serialOf(unixMs)
  const written = new Uint8Array(INSTANT_BYTES)
  writeInstant(view, at, written, 0)
  return decoder.decode(written)
}

/** Cuts text to the characters of a cell, never inside a surrogate pair. */
const cut = (text: string): string => {
  const end = /[\uD800-\uDBFF]/.test(text[MAX_CELL_CHARACTERS - 1]!) ? MAX_CELL_CHARACTERS - 1 : MAX_CELL_CHARACTERS
  return text.slice(0, end)
}

/**
 * Escapes what hucre leaves to its caller: text that looks like an escape of OOXML, such as `_x0041_`, which spreadsheets would
 * show as `A`, and the two characters that XML forbids and PostgreSQL stores.
 */
const clean = (text: string): string =>
  text.replaceAll(/_(?=x[\dA-Fa-f]{4}_)|[\uFFFE\uFFFF]/g, (found) =>
    found === "_" ? "_x005F_" : `_x${found.charCodeAt(0).toString(16).toUpperCase()}_`,
  )

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
