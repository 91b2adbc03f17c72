import { Parser } from "htmlparser2"
import { TextReader } from "../../core/import/table/TextReader.ts"
import { MAX_COLUMNS, type StruckCell, type TableRow } from "../../core/ports/table.ts"
import type { RecordType } from "../../core/records/record.ts"
import { findEncoding } from "../encodings/findEncoding.ts"
import { guessEncoding } from "../encodings/guess.ts"
import { findUnshown, findUnshownClasses, type Unshown } from "../formats/text/unshownText.ts"
import { writeLetter } from "../formats/office/xlsxHidden.ts"
import { shiftedHtml } from "../shiftedText.ts"
import { makeGrid, readSpan } from "../tables/grid.ts"
import { UnreadableError } from "../UnreadableError.ts"
import { LIMITS } from "./limits.ts"
import { MAX_HEADERS_SOUGHT, namesRecords } from "./namesRecords.ts"
import { tooManyCells } from "./readStrings.ts"

const MAX_DEPTH = 1_000
const PIECE_BYTES = 65_536
const SKIPPED: ReadonlySet<string> = new Set(["script", "style", "title"])
/** Hidden columns and rows count, as they do in a workbook. Other hidden text of a cell is a key by which the page sorts. */
const COLUMNS: ReadonlySet<string> = new Set(["td", "th", "col"])
const PARTS: ReadonlySet<string> = new Set([...COLUMNS, "tr", "thead", "tbody", "tfoot", "table"])
/** Style sheets beyond strike nothing out. */
const MAX_STYLES = 500_000

/** A table with as many cells in a row is no frame of the page. */
const MIN_WIDTH = 2

export interface OpenTable {
  readonly rows: Array<TableRow>
  readonly grid: ReturnType<typeof makeGrid>
  /** Cells that cover rows below, by column. */
  readonly below: Map<number, { readonly text: string; rows: number }>
  /** The table that has this one in a cell. */
  readonly outer: OpenTable | undefined
  width: number
  /** Whether a row of it has headers of the records. */
  hasHeaders: boolean
  /** The number of its last row. */
  line: number
  cells: Array<string>
  struck: Array<StruckCell>
  /** The place after the last `col`, and those of hidden ones. */
  columns: number
  readonly hiddenColumns: Array<number>
  /** Places of hidden cells of the row. */
  hiddenCells: Array<number>
  cell: { readonly column: number; readonly span: number; readonly rows: number } | undefined
}

export interface Reading {
  /** The first table with a filled cell, the first with a row of several, and all with headers of the records. */
  first: OpenTable | undefined
  wide: OpenTable | undefined
  readonly records: Array<OpenTable>
  readonly isOver: (table: OpenTable) => boolean
}

const tidy = (text: string): string =>
  text
    .replaceAll(/[ \t\n\f\r]+/g, " ")
    .replaceAll(/ ?\u2028 ?/g, "\n")
    .replaceAll("\u00a0", " ")
    .trim()

/** Lists the struck-out and hidden parts of a table's row. */
const marksOf = ({ struck, hiddenCells, hiddenColumns }: OpenTable, isHidden: boolean): Partial<TableRow> => {
  const hidden = hiddenCells.length > 0 ? hiddenCells : hiddenColumns
  return {
    ...(struck.length > 0 && { struck }),
    ...(isHidden && { isHidden }),
    ...(hidden.length > 0 && { hiddenCells: hidden }),
  }
}

/** Parses a page piece by piece. */
export function* parseTables(bytes: Uint8Array, type: RecordType | undefined): Generator<Reading> {
  const tables: Array<OpenTable> = []
  const ended = new Set<OpenTable>()
  const reading: Reading = {
    first: undefined,
    wide: undefined,
    records: [],
    isOver: (table) => ended.has(table),
  }
  let text = ""
  let struckText = ""
  const shifted = shiftedHtml()
  let isSheet = false
  let sheet = ""
  /** Characters of style sheets so far. */
  let styled = 0
  const classes = new Map<string, Unshown>()
  /** The outermost element that strikes its text out or hides it, by its depth. */
  let unshown: { readonly depth: number; readonly why: Unshown } | undefined
  /** The depth of the outermost hidden row or group of rows. */
  let hiddenDepth: number | undefined
  let depth = 0
  let skipping = 0
  let met = 0

  const endCell = (table: OpenTable) => {
    if (table.cell === undefined) return
    const { column, span, rows } = table.cell
    const value = tidy(text)
    put(table, column, value)
    const struck = tidy(struckText)
    if (struck !== "" && column < MAX_COLUMNS)
      table.struck.push({ index: column, cell: `${writeLetter(column + 1)}${table.line + 1}`, text: struck })
    if (rows > 1 && span === 1 && value !== "") table.below.set(column, { text: value, rows })
    table.cell = undefined
    text = struckText = ""
  }
  const put = (table: OpenTable, column: number, value: string) => {
    while (table.cells.length < Math.min(column, MAX_COLUMNS)) table.cells.push("")
    if (column <= MAX_COLUMNS) table.cells[column] = value
  }
  const endRow = (table: OpenTable) => {
    endCell(table)
    table.grid.endRow()
    const isFilled = table.cells.some((cell) => cell !== "")
    for (const [column, covering] of table.below) {
      if (isFilled && (table.cells[column] ?? "") === "") put(table, column, covering.text)
      if (--covering.rows === 0) table.below.delete(column)
    }
    const marks = marksOf(table, hiddenDepth !== undefined)
    if (table.cells.length > MAX_COLUMNS) {
      const problem = `has more than ${MAX_COLUMNS} cells, the columns that a file may have`
      table.rows.push({
        line: ++table.line,
        cells: table.cells.slice(0, MAX_COLUMNS),
        problem,
        text: table.cells[0] ?? "",
        ...marks,
      })
    } else table.rows.push({ line: ++table.line, cells: isFilled ? table.cells : [], ...marks })
    table.width = Math.max(table.width, table.cells.filter((cell) => cell !== "").length)
    if (isFilled) reading.first ??= table
    if (table.width >= MIN_WIDTH) reading.wide ??= table
    if (!table.hasHeaders && type !== undefined && table.line <= MAX_HEADERS_SOUGHT)
      if ((table.hasHeaders = namesRecords(type, table.cells))) reading.records.push(table)
    table.cells = []
    table.struck = []
    table.hiddenCells = []
  }

  const startCell = (table: OpenTable, attributes: Readonly<Record<string, string>>) => {
    if (++met > LIMITS.cells) throw tooManyCells()
    endCell(table)
    const span = readSpan(attributes["colspan"])
    const rows = readSpan(attributes["rowspan"])
    table.cell = { column: table.grid.place(span, rows), span, rows }
    text = struckText = ""
    shifted.restart()
  }

  const judge = (name: string, attributes: Readonly<Record<string, string>>) => {
    if (unshown !== undefined) return
    const why = findUnshown(name, attributes, classes)
    if (why === "struck" || (why === "hidden" && !PARTS.has(name))) unshown = { depth, why }
    else if (why === "hidden" && !COLUMNS.has(name)) hiddenDepth ??= depth
    else if (why === "hidden") hideColumn(name, attributes)
  }

  const hideColumn = (name: string, { span }: Readonly<Record<string, string>>) => {
    const table = tables.at(-1)
    if (name !== "col" && table?.cell !== undefined) table.hiddenCells.push(table.cell.column)
    if (name !== "col" || table === undefined) return
    const end = Math.min(table.columns + readSpan(span), MAX_COLUMNS)
    for (let at = table.columns; at < end; at++) table.hiddenColumns.push(at)
  }

  const add = (value: string) => {
    if (unshown?.why === "struck") struckText += value
    else if (unshown === undefined) text += value
  }

  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (++depth > MAX_DEPTH) throw new UnreadableError("unsafe", `nests its content deeper than ${MAX_DEPTH} levels`)
      shifted.open(name, attributes)
      if (skipping > 0 || SKIPPED.has(name)) {
        if (skipping === 0) isSheet = name === "style"
        skipping++
        return
      }
      const table = tables.at(-1)
      if ((name === "td" || name === "th") && table !== undefined) startCell(table, attributes)
      judge(name, attributes)
      if (name === "br") add("\u2028")
      else if (name === "table") {
        const empty = { width: 0, hasHeaders: false, line: 0, cells: [], struck: [], hiddenCells: [], cell: undefined }
        const columns = { columns: 0, hiddenColumns: [] }
        tables.push({ rows: [], grid: makeGrid(), below: new Map(), outer: table, ...empty, ...columns })
      } else if (name === "tr" && table !== undefined) table.grid.startRow()
      else if (name === "col" && table !== undefined)
        table.columns = Math.min(table.columns + readSpan(attributes["span"]), MAX_COLUMNS)
    },
    onclosetag: (name) => {
      depth--
      shifted.close()
      if (skipping > 0) {
        if (--skipping === 0 && isSheet) {
          for (const [called, why] of findUnshownClasses(`<style>${sheet}</style>`)) classes.set(called, why)
          sheet = ""
        }
        return
      }
      const table = tables.at(-1)
      if (table !== undefined) {
        if (name === "td" || name === "th") endCell(table)
        else if (name === "tr") endRow(table)
        else if (name === "p" || name === "div") add("\u2028")
        else if (name === "table") {
          ended.add(table)
          tables.pop()
        }
      }
      if (unshown !== undefined && unshown.depth > depth) unshown = undefined
      if (hiddenDepth !== undefined && hiddenDepth > depth) hiddenDepth = undefined
    },
    ontext: (value) => {
      if (skipping > 0) {
        if (isSheet && (styled += value.length) < MAX_STYLES) sheet += value
      } else if (tables.at(-1)?.cell !== undefined) add(shifted.write(value))
    },
  })
  for (const piece of decodeHtml(bytes)) {
    parser.write(piece)
    yield reading
  }
  parser.end()
  yield reading
}

function* decodeHtml(bytes: Uint8Array): Generator<string> {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 2_048))
  const label = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i.exec(head)?.[1]
  const encodings = { find: findEncoding, guess: guessEncoding }
  const reader = new TextReader({ encodings, encoding: label === undefined ? undefined : findEncoding(label) })
  for (let at = 0; at <= bytes.length; at += PIECE_BYTES) {
    // Decoders refuse shared memory.
    const piece = bytes.slice(at, at + PIECE_BYTES)
    const text = at + PIECE_BYTES > bytes.length ? reader.push(piece) + reader.end() : reader.push(piece)
    if (reader.problem !== undefined) throw new UnreadableError("unsupported", reader.problem)
    yield text
  }
}
