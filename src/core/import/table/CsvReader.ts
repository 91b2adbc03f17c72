import Papa from "papaparse"
import type { BadRequest } from "../../http/errors.ts"
import { badRequest } from "../../http/validation.ts"
import { CellProblem, type DateOrder, readCell } from "../plan/cells.ts"
import { delimiterOf } from "./delimiter.ts"
import { type Parsed, type Problem, refused, toEntry } from "../entry.ts"
import { MAX_LINE } from "./LineReader.ts"
import { type Column, columnsOf, type Mapping } from "../plan/mapping.ts"
import type { RecordType } from "../records.ts"
import { TextReader } from "./TextReader.ts"

const MIN_PARSE_LENGTH = 65_536

export interface CsvOptions {
  readonly type: RecordType
  readonly map?: Mapping | undefined
  readonly dates?: DateOrder | undefined
}

/** Parses CSV from chunks. The header row decides the delimiter. Returns records, or why the file cannot be read. */
export class CsvReader {
  readonly #options: CsvOptions
  readonly #text = new TextReader()
  #buffer = ""
  #parsedTo = 0
  #return = false
  #line = 1
  #parser: Papa.Parser | undefined
  #columns: ReadonlyArray<Column> | undefined
  #width = 0

  constructor(options: CsvOptions) {
    this.#options = options
  }

  push(bytes: Uint8Array): Array<Parsed> | BadRequest {
    this.#take(this.#text.push(bytes))
    return this.#buffer.length - this.#parsedTo < MIN_PARSE_LENGTH ? [] : this.#read(false)
  }

  end(): Array<Parsed> | BadRequest {
    this.#take(this.#text.end())
    if (this.#return) this.#buffer += "\n"
    const parsed = this.#read(true)
    return this.#columns === undefined && Array.isArray(parsed)
      ? badRequest({ invalid: [{ field: "body", reason: "must begin with a row of headers" }] })
      : parsed
  }

  /** Normalizes line ends to `\n`. Holds back a `\r` at the end of a chunk, because a `\n` may follow. */
  #take(text: string): void {
    if (text === "") return
    const whole = (this.#return ? "\r" : "") + text
    this.#return = whole.endsWith("\r")
    const settled = this.#return ? whole.slice(0, -1) : whole
    this.#buffer += settled.includes("\r") ? settled.replaceAll(/\r\n?/g, "\n") : settled
  }

  #read(last: boolean): Array<Parsed> | BadRequest {
    const parsed: Array<Parsed> = []
    this.#parser ??= this.#open()
    while (this.#buffer !== "") {
      const result = this.#parser.parse(this.#buffer, 0, !last) as Papa.ParseResult<Array<string>>
      const unclosed = last && result.errors.some(({ code }) => code === "MissingQuotes")
      const malformed = new Set(result.errors.map(({ row }) => row))
      const rows = unclosed ? result.data.slice(0, -1) : result.data
      for (const [index, row] of rows.entries()) {
        const problem = this.#row(row, malformed.has(index), parsed)
        if (problem !== undefined) return problem
      }
      // Keeps a row with an open quote in the buffer; all rows before it are parsed.
      this.#buffer = this.#buffer.slice(unclosed ? startOfNextRow(this.#buffer, rows) : result.meta.cursor)
      if (!unclosed && this.#buffer.length <= MAX_LINE) break
      this.#dropLine(parsed, unclosed ? "opens a quotation mark that is never closed" : TOO_LONG)
    }
    this.#parsedTo = this.#buffer.length
    return parsed
  }

  /** Refuses the first line of the buffer, so that the rest can be read. */
  #dropLine(parsed: Array<Parsed>, reason: string): void {
    parsed.push({ ...refused(this.#line, "record", reason), unreadable: true })
    const end = this.#buffer.indexOf("\n")
    this.#buffer = end === -1 ? "" : this.#buffer.slice(end + 1)
    this.#line++
  }

  #open(): Papa.Parser {
    const hint = /^"?sep=(.)"?\n/i.exec(this.#buffer)
    if (hint !== null) {
      this.#buffer = this.#buffer.slice(hint[0].length)
      this.#line++
    }
    const blank = /^(?:[ \t]*\n)*/.exec(this.#buffer)![0]
    this.#line += blank.split("\n").length - 1
    this.#buffer = this.#buffer.slice(blank.length)
    return new Papa.Parser({ delimiter: hint?.[1] ?? delimiterOf(this.#buffer), newline: "\n" })
  }

  #row(row: ReadonlyArray<string>, malformed: boolean, parsed: Array<Parsed>): BadRequest | undefined {
    const line = this.#line
    const size = row.reduce((sum, cell) => sum + cell.length, 0)
    this.#line += 1 + row.reduce((sum, cell) => sum + countNewlines(cell), 0)
    if (row.every((cell) => cell.trim() === "")) return undefined
    if (this.#columns === undefined) {
      const columns = columnsOf(this.#options.type, row, this.#options.map)
      if (!Array.isArray(columns)) return columns as BadRequest
      this.#columns = columns
      this.#width = row.length
    } else if (malformed) {
      parsed.push(refused(line, "record", "has a quotation mark inside a quoted cell: double it"))
    } else if (size > MAX_LINE) {
      parsed.push({ ...refused(line, "record", TOO_LONG), unreadable: true })
    } else if (this.#text.damaged && row.some((cell) => cell.includes("\ufffd"))) {
      parsed.push(refused(line, "record", "contains bytes that are not UTF-8, although the rest of the file is UTF-8"))
    } else if (row.slice(this.#width).some((cell) => cell.trim() !== "")) {
      parsed.push(refused(line, "record", `has ${row.length} cells where the header has ${this.#width}`))
    } else {
      parsed.push(this.#record(line, row, size, this.#columns))
    }
    return undefined
  }

  #record(line: number, row: ReadonlyArray<string>, size: number, columns: ReadonlyArray<Column>): Parsed {
    const { type, dates = "ISO" } = this.#options
    const record: Record<string, unknown> = { type }
    const problems: Array<Problem> = []
    for (const { field, path, kind, cells } of columns) {
      const text =
        cells.length === 1
          ? (row[cells[0]!] ?? "").trim()
          : cells
              .map((cell) => (row[cell] ?? "").trim())
              .filter((cell) => cell !== "")
              .join(" - ")
      if (text === "") continue
      const value = readCell(kind, text, dates)
      if (value instanceof CellProblem) problems.push({ field, reason: value.reason })
      put(record, path, value)
    }
    if (problems.length > 0) return { line, problems }
    return toEntry(line, record, size, true)
  }
}

const TOO_LONG = `must be at most ${MAX_LINE} characters long, including quoted line breaks`

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

const put = (record: Record<string, unknown>, path: ReadonlyArray<string>, value: unknown): void => {
  const [first = "", ...rest] = path
  if (rest.length === 0) {
    Object.defineProperty(record, first, { value, enumerable: true, configurable: true, writable: true })
    return
  }
  const inner = Object.hasOwn(record, first) ? record[first] : {}
  if (!Object.hasOwn(record, first)) put(record, [first], inner)
  put(inner as Record<string, unknown>, rest, value)
}
