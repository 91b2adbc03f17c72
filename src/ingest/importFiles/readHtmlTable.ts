import { Parser } from "htmlparser2"
import { TextReader } from "../../core/import/table/TextReader.ts"
import { MAX_COLUMNS, type TableRow } from "../../core/ports/table.ts"
import { findEncoding } from "../encodings/findEncoding.ts"
import { guessEncoding } from "../encodings/guess.ts"
import { makeGrid, readSpan } from "../tables/grid.ts"
import { shiftedHtml } from "../shiftedText.ts"
import { UnreadableError } from "../UnreadableError.ts"
import { LIMITS } from "./limits.ts"
import type { RecordType } from "../../core/records/record.ts"
import { MAX_HEADERS_SOUGHT, namesRecords } from "./namesRecords.ts"
import { tooManyCells } from "./readStrings.ts"
import { PART_ROWS, type SheetPart } from "./sheetPart.ts"

const MAX_DEPTH = 1_000
const PIECE_BYTES = 65_536
const SKIPPED: ReadonlySet<string> = new Set(["script", "style", "title"])

/** A table with as many cells in a row is no frame of the page. */
const MIN_WIDTH = 2

interface OpenTable {
  readonly rows: Array<TableRow>
  readonly grid: ReturnType<typeof makeGrid>
  /** Cells that cover rows below, by column. */
  readonly below: Map<number, { readonly text: string; rows: number }>
  width: number
  /** The number of its last row. */
  line: number
  cells: Array<string>
  cell: { readonly column: number; readonly span: number; readonly rows: number } | undefined
}

interface Reading {
  /** The first table with a filled cell, the first with a row of several, and the first with headers of the records. */
  first: OpenTable | undefined
  wide: OpenTable | undefined
  records: OpenTable | undefined
  readonly isOver: (table: OpenTable) => boolean
}

/**
 * Reads the first table of a page that has headers of the records, else the first that has a row of several cells, as Salesforce writes
 * them into files that end in .xls. Rows count from the table's first. A cell over several rows has its value in each of them.
 */
export function* readHtmlTable(
  bytes: Uint8Array,
  { sheet: choice, type }: { readonly sheet?: string | undefined; readonly type?: string | undefined },
): Generator<SheetPart> {
  if (choice !== undefined)
    throw new UnreadableError("unsupported", "is an HTML page, which has no sheets: leave 'sheet' out")
  let found: OpenTable | undefined
  let first: OpenTable | undefined
  let wide: OpenTable | undefined
  let isOver = false
  let isOpened = false
  for (const reading of parse(bytes, type as RecordType | undefined)) {
    ;({ first, wide } = reading)
    // A long table is that of the records, whatever its headers, so that memory stays bounded.
    const isChosen = type === undefined || (wide !== undefined && wide.rows.length >= PART_ROWS)
    found ??= reading.records ?? (isChosen ? wide : undefined)
    isOver = found !== undefined && reading.isOver(found)
    if (found !== undefined && (isOver || found.rows.length >= PART_ROWS)) {
      if (!isOpened) yield {}
      isOpened = true
      yield { rows: found.rows.splice(0) }
    }
    if (isOver) return
  }
  found ??= wide ?? first
  if (found === undefined)
    throw new UnreadableError("empty", "is an HTML page without a table: export the records as CSV or XLSX")
  if (!isOpened) yield {}
  if (found.rows.length > 0) yield { rows: found.rows }
}

/** Parses a page piece by piece. */
function* parse(bytes: Uint8Array, type: RecordType | undefined) {
  const tables: Array<OpenTable> = []
  const ended = new Set<OpenTable>()
  const reading: Reading = {
    first: undefined,
    wide: undefined,
    records: undefined,
    isOver: (table) => ended.has(table),
  }
  let text = ""
  const shifted = shiftedHtml()
  let depth = 0
  let skipping = 0
  let met = 0

  const endCell = (table: OpenTable) => {
    if (table.cell === undefined) return
    const { column, span, rows } = table.cell
    const value = text
      .replaceAll(/[ \t\n\f\r]+/g, " ")
      .replaceAll(/ ?\u2028 ?/g, "\n")
      .replaceAll("\u00a0", " ")
      .trim()
    put(table, column, value)
    if (rows > 1 && span === 1 && value !== "") table.below.set(column, { text: value, rows })
    table.cell = undefined
    text = ""
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
    if (table.cells.length > MAX_COLUMNS) {
      const problem = `has more than ${MAX_COLUMNS} cells, the columns that a file may have`
      table.rows.push({
        line: ++table.line,
        cells: table.cells.slice(0, MAX_COLUMNS),
        problem,
        text: table.cells[0] ?? "",
      })
    } else table.rows.push({ line: ++table.line, cells: isFilled ? table.cells : [] })
    table.width = Math.max(table.width, table.cells.filter((cell) => cell !== "").length)
    if (isFilled) reading.first ??= table
    if (table.width >= MIN_WIDTH) reading.wide ??= table
    if (type !== undefined && table.line <= MAX_HEADERS_SOUGHT && namesRecords(type, table.cells))
      reading.records ??= table
    table.cells = []
  }

  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (++depth > MAX_DEPTH) throw new UnreadableError("unsafe", `nests its content deeper than ${MAX_DEPTH} levels`)
      shifted.open(name, attributes)
      if (skipping > 0 || SKIPPED.has(name)) {
        skipping++
        return
      }
      const table = tables.at(-1)
      if (name === "br") text += "\u2028"
      else if (name === "table") {
        tables.push({ rows: [], grid: makeGrid(), below: new Map(), width: 0, line: 0, cells: [], cell: undefined })
      } else if (name === "tr" && table !== undefined) {
        table.grid.startRow()
      } else if ((name === "td" || name === "th") && table !== undefined) {
        if (++met > LIMITS.cells) throw tooManyCells()
        endCell(table)
        const span = readSpan(attributes["colspan"])
        const rows = readSpan(attributes["rowspan"])
        table.cell = { column: table.grid.place(span, rows), span, rows }
        text = ""
        shifted.restart()
      }
    },
    onclosetag: (name) => {
      depth--
      shifted.close()
      if (skipping > 0) {
        skipping--
        return
      }
      const table = tables.at(-1)
      if (table === undefined) return
      if (name === "td" || name === "th") endCell(table)
      else if (name === "tr") endRow(table)
      else if (name === "p" || name === "div") text += "\u2028"
      else if (name === "table") {
        ended.add(table)
        tables.pop()
      }
    },
    ontext: (value) => {
      if (skipping === 0 && tables.at(-1)?.cell !== undefined) text += shifted.write(value)
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
