import Papa from "papaparse"
import { EXCERPT_LENGTH, MAX_COLUMNS, MAX_LINE, type TableRow } from "../../ports/table.ts"
import { DELIMITERS } from "../../exports/options.ts"
import { isExportHeader } from "../plan/headers/exportColumns.ts"
import { contradict, detectDelimiter, SEPARATOR_LINE } from "./delimiter.ts"
import { type Dialect, detectDialect, readDialect, toPlain } from "./dialect.ts"
import { describeMojibake, mayBeMojibake, mojibakeIn } from "./mojibake.ts"
import { TextReader, type TextOptions } from "./TextReader.ts"

const MIN_PARSE_LENGTH = 65_536

/** Reads the rows of a CSV from chunks of bytes. The beginning of the file decides the delimiter and how quotes are written. */
export class CsvRows {
  readonly #text: TextReader
  readonly #given: string | undefined
  #buffer = ""
  #parsedTo = 0
  #held = ""
  #line = 1
  #parser: Papa.Parser | undefined
  #dialect: Dialect | undefined
  #mayBeMojibake = false
  /** The rows end in CRLF, and cells keep their line ends. */
  #keepsReturns = false
  #problem: string | undefined
  /** Undefined until the first rows are read. */
  delimiter: string | undefined
  /** The delimiter that the first line states, if the rows have another. */
  statedDelimiter: string | undefined

  constructor(options: TextOptions = {}) {
    this.#given = options.delimiter
    this.#text = new TextReader(options)
  }

  get encoding() {
    return this.#text.encoding
  }

  /** Why the rest cannot be read, as the end of a sentence about the file. */
  get problem(): string | undefined {
    return this.#text.problem ?? this.#problem
  }

  settle(): void {
    this.#text.settle()
  }

  push(bytes: Uint8Array): Array<TableRow> {
    this.#take(this.#text.push(bytes), false)
    // An open quote is parsed again from its row's beginning, so a long one waits for more text each time.
    const enough = Math.max(MIN_PARSE_LENGTH, this.#parsedTo / 2)
    return this.#buffer.length - this.#parsedTo < enough ? [] : this.#read(false)
  }

  end(): Array<TableRow> {
    this.#take(this.#text.end(), true)
    return this.#read(true)
  }

  /** Normalizes line ends to `\n` and quotes to those of RFC 4180, and holds back what needs the next chunk for that. */
  #take(text: string, isLast: boolean): void {
    const whole = this.#held + text
    const end = isLast ? whole.length : this.#endOfSettled(whole)
    this.#held = whole.slice(end)
    const settled = whole.slice(0, end)
    // Before the parser is made, the text must show how its lines end.
    const lines = this.#parser === undefined || this.#keepsReturns ? settled : withNewlines(settled)
    this.#buffer += this.#dialect === undefined ? lines : toPlain(lines, this.delimiter!, this.#dialect)
    this.#mayBeMojibake ||= mayBeMojibake(text)
  }

  #endOfSettled(text: string): number {
    if (this.#dialect?.hasTypographicQuotes || this.#dialect?.hasSpacedQuotes)
      return text.length > MAX_LINE ? text.length : text.lastIndexOf("\n") + 1
    const open = this.#dialect?.hasBackslashes ? /(?<![\\\r])[\\\r]*$/ : /\r?$/
    return open.exec(text.slice(-MAX_LINE))!.index + Math.max(0, text.length - MAX_LINE)
  }

  #read(isLast: boolean): Array<TableRow> {
    const rows: Array<TableRow> = []
    this.#parser ??= this.#open(isLast)
    while (this.#buffer !== "" && this.problem === undefined) {
      const result = this.#parser.parse(this.#buffer, 0, !isLast) as Papa.ParseResult<Array<string>>
      const isUnclosed = isLast && result.errors.some(({ code }) => code === "MissingQuotes")
      const { data } = result
      // The last row is unclosed, or the nothing after the last line break.
      if (isUnclosed || (isLast && this.#buffer.endsWith("\n") && data.at(-1)?.join("") === "")) data.pop()
      this.#collect(data, result.errors, rows)
      // Keeps a row with an open quote in the buffer; all rows before it are parsed.
      this.#buffer = this.#buffer.slice(isUnclosed ? startOfNextRow(this.#buffer, data) : result.meta.cursor)
      if (!isUnclosed && this.#buffer.length <= MAX_LINE) break
      this.#dropLine(rows, isUnclosed ? "opens a quotation mark that is never closed" : TOO_LONG)
    }
    this.#parsedTo = this.#buffer.length
    return rows
  }

  #open(isLast: boolean): Papa.Parser {
    const raw = this.#buffer.replace(/^\ufeff+/, "")
    this.#buffer = withNewlines(raw)
    const separator = SEPARATOR_LINE.exec(this.#buffer)
    if (separator !== null) {
      this.#buffer = this.#buffer.slice(separator[0].length)
      this.#line++
    }
    const mojibake = this.#mayBeMojibake ? mojibakeIn(this.#buffer) : undefined
    if (mojibake?.isAll) this.#problem = `has ${describeMojibake(mojibake)}`
    const stated = separator?.[1]
    const used = this.#given === undefined && stated !== undefined ? contradict(this.#buffer, stated) : undefined
    if (used !== undefined) this.statedDelimiter = stated
    const delimiter = this.#given ?? used ?? stated ?? delimiterOfExport(this.#buffer) ?? detectDelimiter(this.#buffer)
    this.delimiter = delimiter
    this.#dialect = detectDialect(this.#buffer, delimiter, isLast)
    this.#keepsReturns = isUntouchedExport(raw, this.#buffer, delimiter)
    if (this.#keepsReturns) {
      this.#buffer = raw
      return new Papa.Parser({ delimiter, newline: "\r\n" })
    }
    const sample = this.#buffer + this.#held
    const end = isLast ? sample.length : this.#endOfSettled(sample)
    this.#buffer = toPlain(withNewlines(sample.slice(0, end)), delimiter, this.#dialect)
    this.#held = sample.slice(end)
    return new Papa.Parser({ delimiter, newline: "\n" })
  }

  #collect(data: Array<Array<string>>, errors: ReadonlyArray<Papa.ParseError>, rows: Array<TableRow>): void {
    const malformed = new Set(errors.map(({ row }) => row))
    const hasDialect = this.#dialect !== undefined && this.#dialect.hasBackslashes
    let lines: ReadonlyArray<string> | undefined
    let at = 0
    for (let index = 0; index < data.length; index++) {
      const cells = data[index]!
      const line = this.#line + at
      let size = 0
      let filled = false
      let height = 1
      for (let column = 0; column < cells.length; column++) {
        let cell = cells[column]!
        size += cell.length
        height += countNewlines(cell)
        if (hasDialect) cells[column] = cell = readDialect(cell)
        else if (cell.startsWith('="') && cell.endsWith('"')) cells[column] = protectedText(cell)
        filled ||= cell.trim() !== ""
      }
      if (filled && this.delimiter === "|" && isRuleLine(cells)) {
        at += height
        continue
      }
      const problem = malformed.has(index) ? MALFORMED : filled ? this.#problemOf(cells, size) : undefined
      if (problem === undefined) {
        rows.push({ line, cells: filled ? cells : NO_CELLS })
      } else {
        lines ??= this.#buffer.split("\n")
        const text = lines.slice(at, at + height).join("\n")
        rows.push({ line, cells: cells.slice(0, MAX_COLUMNS), problem, text: cutExcerpt(text) })
      }
      at += height
    }
    this.#line += at
  }

  #problemOf(cells: ReadonlyArray<string>, size: number): string | undefined {
    if (size > MAX_LINE) return TOO_LONG
    if (cells.length > MAX_COLUMNS) return `has ${cells.length} cells: a file may have ${MAX_COLUMNS} columns`
    const damage = this.#text.damageIn(cells)
    if (damage !== undefined) return damage
    const mojibake = this.#mayBeMojibake ? mojibakeIn(cells.join("\n")) : undefined
    return mojibake === undefined ? undefined : `has ${describeMojibake(mojibake)}`
  }

  /** Refuses the first line of the buffer, so that the rest can be read. */
  #dropLine(rows: Array<TableRow>, problem: string): void {
    const end = this.#buffer.indexOf("\n")
    const text = cutExcerpt(end === -1 ? this.#buffer : this.#buffer.slice(0, end))
    rows.push({ line: this.#line, cells: [text], problem, text })
    this.#buffer = end === -1 ? "" : this.#buffer.slice(end + 1)
    this.#line++
  }
}

/** The header of an export of ours says what separates its cells; their JSON may look like rows of another delimiter. */
const delimiterOfExport = (text: string): string | undefined => {
  const header = text.slice(0, text.indexOf("\n") + 1)
  return DELIMITERS.find((delimiter) => isExportHeader(header.split(delimiter)))
}

const withNewlines = (text: string): string => (text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text)

/** Whether a text is an export of ours as it was written: rows end in CRLF, and cells keep their own line ends. */
const isUntouchedExport = (raw: string, lines: string, delimiter: string): boolean => {
  const end = raw.indexOf("\r\n")
  if (end === -1 || raw.slice(0, end).includes("\n")) return false
  const parseRows = (text: string, newline: "\n" | "\r\n") =>
    (new Papa.Parser({ delimiter, newline }).parse(text, 0, true) as Papa.ParseResult<Array<string>>).data
  if (!isExportHeader(raw.slice(0, end).split(delimiter))) return false
  return parseRows(raw, "\r\n").length === parseRows(lines, "\n").length
}

/** Whether a row is a line that a table of Markdown or of a database's shell draws, such as `|---|:-:|`. */
const isRuleLine = (cells: ReadonlyArray<string>): boolean =>
  cells.every((cell) => !/[^\s:+=-]/.test(cell)) && cells.some((cell) => /--|:-|-:|==/.test(cell))

const NO_CELLS: ReadonlyArray<string> = []
const MALFORMED = "has a quotation mark inside a quoted cell: double it"
const TOO_LONG = `must be at most ${MAX_LINE} characters long, including quoted line breaks`

const cutExcerpt = (text: string): string => readDialect(text.slice(0, EXCERPT_LENGTH)).toWellFormed()

/** Excel writes `="00012"` so that an id keeps its zeros. */
const protectedText = (cell: string): string => {
  const text = cell.slice(2, -1)
  return cell.length > 2 && !text.replaceAll('""', "").includes('"') ? text.replaceAll('""', '"') : cell
}

const countNewlines = (text: string): number => {
  let count = 0
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++
  return count
}

/** The offset of the row after `rows`. */
const startOfNextRow = (text: string, rows: ReadonlyArray<ReadonlyArray<string>>): number => {
  let lines = rows.reduce((sum, row) => sum + 1 + row.reduce((inner, cell) => inner + countNewlines(cell), 0), 0)
  let at = 0
  for (; lines > 0; lines--) at = text.indexOf("\n", at) + 1
  return at
}
