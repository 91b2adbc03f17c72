import { guard } from "../common/formula.ts"
import { type CellKind, type FileColumn, Frames, type Framing, grow } from "./frames.ts"
import { writeInstant } from "./instant.ts"
import { LongCells, MAX_CELL_CHARACTERS } from "./longCells.ts"
import type { CsvOptions } from "./options.ts"

/**
 * Writes CSV (RFC 4180): UTF-8, CRLF after every row, minimal quoting, byte for byte as papaparse does. Accepts rows in
 * chunks of any length and writes the complete ones.
 */
export class CsvEncoder {
  readonly longCells = new LongCells()
  readonly #frames: Frames
  readonly #columns: ReadonlyArray<FileColumn>
  readonly #formats: Uint8Array
  readonly #safe: boolean
  readonly #delimiter: number
  readonly #hasComma: boolean
  /** Reused, like the buffer of `Frames`. */
  #out = new Uint8Array(2 * PIECE_BYTES)
  #at = 0

  constructor(columns: ReadonlyArray<FileColumn>, framing: Framing, options: CsvOptions = {}) {
    const { csvSafe = true, bom = false, delimiter = ",", decimal = "." } = options
    this.#frames = new Frames(framing)
    this.#columns = columns
    this.#safe = csvSafe
    this.#delimiter = delimiter.charCodeAt(0)
    this.#hasComma = decimal === ","
    const formats = columns.map(({ kind }) => this.#chooseFormat(kind))
    this.#formats = Uint8Array.from([...Array<number>(this.#frames.layout.hidden).fill(HIDDEN), ...formats])
    const header = columns.map(({ selector }) => quoteText(selector, false)).join(delimiter)
    this.#write(encoder.encode(`${bom ? "\uFEFF" : ""}${header}\r\n`))
  }

  /** The number of rows written, without the header. */
  get rows(): number {
    return this.#frames.rows
  }

  /**
   * Encodes the next chunk. Returns the output once it reaches `PIECE_BYTES`, and an empty array until then. The next call
   * overwrites the returned bytes.
   */
  encode(bytes: Uint8Array): Uint8Array {
    this.#frames.read(bytes, (source, view, from) => this.#row(source, view, from))
    return this.#at < PIECE_BYTES ? NOTHING : this.end()
  }

  /** Returns the output that `encode` has not returned yet. */
  end(): Uint8Array {
    const written = this.#out.subarray(0, this.#at)
    this.#at = 0
    return written
  }

  #write(bytes: Uint8Array) {
    if (this.#at + bytes.length > this.#out.length) this.#out = grow(this.#out, this.#at, this.#at + bytes.length)
    this.#out.set(bytes, this.#at)
    this.#at += bytes.length
  }

  #chooseFormat(kind: CellKind): number {
    if (kind === "instant") return INSTANT
    if (kind === "json") return JSON_VALUE
    if (kind === "number" && this.#hasComma) return COMMA_NUMBER
    return kind === "text" && this.#safe ? TEXT : UNCHECKED
  }

  /** Writes a cell that may need quotes at `at`. Returns its end. */
  #text(source: Uint8Array, start: number, end: number, format: number, at: number): number {
    const out = this.#out
    let marks = source[start] === SPACE || source[end - 1] === SPACE ? QUOTED : 0
    let first = start
    while (first < end - 1 && source[first] === SPACE) first++
    let to = at
    for (let index = start; index < end; index++) {
      const byte = source[index]!
      out[to++] = byte
      marks |= MARKS[byte]!
    }
    if (format === JSON_VALUE || (format === TEXT && MAY_START_FORMULA[source[first]!] === 1) || marks >= CHECK) {
      const cell = encoder.encode(this.#cell(decoder.decode(source.subarray(start, end)), format))
      out.set(cell, at)
      return at + cell.length
    }
    return marks === 0 ? to : quote(source, start, end, out, at)
  }

  /** Writes the row at `from`. Returns the offset of the next row, or undefined if this one is incomplete. */
  #row(source: Uint8Array, view: DataView, from: number): number | undefined {
    const { count, beside, hidden } = this.#frames.layout
    const length = view.byteLength
    const formats = this.#formats
    const rowStart = this.#at
    let out = this.#out
    let at = rowStart
    let start = from + count
    let long: Array<readonly [column: number, characters: number]> | undefined
    for (let column = 0; column < formats.length; column++) {
      start += beside + 4
      const size = start <= length ? view.getInt32(start - 4) : 0
      const end = start + (size > 0 ? size : 0)
      if (end > length) {
        this.#at = rowStart
        return undefined
      }
      const format = formats[column]!
      if (format === HIDDEN) {
        start = end
        continue
      }
      // At most: every byte three times, two quotes, an apostrophe, a delimiter and the line end.
      const maxEnd = at + 3 * (end - start) + 6
      if (maxEnd > out.length) out = this.#out = grow(out, at, maxEnd)
      if (column > hidden) out[at++] = this.#delimiter
      if (size > MAX_CELL_CHARACTERS)
        (long ??= []).push([column - hidden, charactersOf(source.subarray(start, end), format)])
      if (size > 0 && format === INSTANT) {
        at = writeInstant(view, start, out, at)
      } else if (format === COMMA_NUMBER) {
        for (let index = start; index < end; index++) out[at++] = source[index] === DOT ? COMMA : source[index]!
      } else if (size > 0) {
        at = this.#text(source, start, end, format, at)
      }
      start = end
    }
    out[at++] = CR
    out[at++] = LF
    this.#at = at
    long?.forEach(([column, characters]) => this.longCells.note(this.rows, this.#columns[column]!.selector, characters))
    return start
  }

  /** Encodes a cell that needs a closer look. JSON strings become plain text. */
  #cell(text: string, format: number): string {
    if (format !== JSON_VALUE) return quoteText(text, format === TEXT)
    if (text === "null") return ""
    if (text.startsWith('"')) return quoteText(JSON.parse(text) as string, this.#safe)
    return this.#hasComma && JSON_NUMBER.test(text) ? text.replace(".", ",") : quoteText(text, false)
  }
}

const JSON_NUMBER = /^-?\d/

/** The length of a cell's text. A JSON string is written as plain text. */
const charactersOf = (bytes: Uint8Array, format: number): number => {
  const text = decoder.decode(bytes)
  return format === JSON_VALUE && text.startsWith('"') ? (JSON.parse(text) as string).length : text.length
}

const quoteText = (text: string, safe: boolean): string => {
  const guarded = safe ? guard(text) : text
  if (guarded === text && !MUST_QUOTE.test(text)) return text
  return `"${guarded.replaceAll('"', '""')}"`
}

const quote = (source: Uint8Array, start: number, end: number, out: Uint8Array, from: number): number => {
  let at = from
  out[at++] = QUOTE
  for (let index = start; index < end; index++) {
    const byte = source[index]!
    if (byte === QUOTE) out[at++] = QUOTE
    out[at++] = byte
  }
  out[at++] = QUOTE
  return at
}

/** The encoder returns its output in pieces of at least this size. */
const PIECE_BYTES = 256 * 1024

const NOTHING = new Uint8Array(0)
const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
const [TAB, LF, CR, SPACE, QUOTE, APOSTROPHE, COMMA, DOT, SEMICOLON] = [9, 10, 13, 32, 34, 39, 44, 46, 59]

/** Cell formats: how a cell is read and checked. */
const [UNCHECKED, TEXT, JSON_VALUE, INSTANT, COMMA_NUMBER, HIDDEN] = [0, 1, 2, 3, 4, 5]

/**
 * Like papaparse, quotes a cell with a byte-order mark anywhere, or a space at either end. Semicolons and tabs are quoted whatever the
 * delimiter, because spreadsheets of many countries split there. Where they do, quotes keep only the first cell of a line whole: a
 * quote inside a cell is text to them.
 */
const MUST_QUOTE = /[",;\t\r\n\uFEFF]|^ | $/

const [QUOTED, CHECK] = [1, 2]
/** Bytes that require quotes, and 0xEF, which may start a byte-order mark: such a cell is checked as text. */
const MARKS = Uint8Array.from({ length: 256 }, (_, byte) =>
  [CR, LF, QUOTE, COMMA, SEMICOLON, TAB].includes(byte) ? QUOTED : byte === 0xef ? CHECK : 0,
)

/** Bytes that may start text that `guard` changes: a formula, the white space that spreadsheets trim before one, or an apostrophe. */
const MAY_START_FORMULA = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte <= SPACE || byte >= 0x7f || [APOSTROPHE, 43, 45, 61, 64].includes(byte) ? 1 : 0,
)
