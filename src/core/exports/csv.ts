import { FORMULA } from "../common/formula.ts"
import { writeInstant } from "./instant.ts"
import { COPY_HEADER, POSITION_CELLS } from "./copyPage.ts"

/**
 * The type of a column's cells. `json` is any JSON value as text; its strings are written as plain text. `instant` is a
 * `timestamptz` in PostgreSQL's binary format.
 */
export type CellKind = "text" | "number" | "instant" | "json" | "structured"

export interface CsvColumn {
  /** The header's cell. */
  readonly selector: string
  readonly kind: CellKind
}

/**
 * The binary layout of rows. `copy` is one binary COPY of PostgreSQL. `pages` are the rows of several, each starting with its
 * `Position`. `records` are the results of `record_send`, concatenated. A cell is its length (-1: null) and UTF-8, or the
 * eight bytes of an instant. Integers are big-endian.
 */
export type Framing = "copy" | "pages" | "records"

/**
 * Writes CSV (RFC 4180): UTF-8, CRLF after every row, minimal quoting, byte for byte as papaparse does. Accepts rows in
 * chunks of any length and writes the complete ones.
 */
export class CsvEncoder {
  /** The number of rows written, without the header. */
  rows = 0
  readonly #formats: Uint8Array
  readonly #layout: Layout
  readonly #safe: boolean
  #isPastHeader: boolean
  /** Both buffers are reused: thousands of large ones would keep the garbage collector busy. */
  #in = new Uint8Array(PIECE_BYTES)
  #out = new Uint8Array(2 * PIECE_BYTES)
  /** Bytes in `#in` of a row that is still incomplete. */
  #pending = 0
  #at = 0

  constructor(columns: ReadonlyArray<CsvColumn>, framing: Framing, safe: boolean) {
    this.#layout = LAYOUTS[framing]
    const formats = columns.map(({ kind }) =>
      kind === "instant" ? INSTANT : kind === "json" ? JSON_VALUE : kind === "text" && safe ? TEXT : UNCHECKED,
    )
    this.#formats = Uint8Array.from([...Array<number>(this.#layout.hidden).fill(HIDDEN), ...formats])
    this.#safe = safe
    this.#isPastHeader = this.#layout.header === 0
    const header = columns.map(({ selector }) => quoteText(selector, false)).join(",")
    this.#write(encoder.encode(`${header}\r\n`))
  }

  /**
   * Encodes the next chunk. Returns the output once it reaches `PIECE_BYTES`, and an empty array until then. The next call
   * overwrites the returned bytes.
   */
  encode(bytes: Uint8Array): Uint8Array {
    const length = this.#pending + bytes.length
    if (length > this.#in.length) this.#in = grow(this.#in, this.#pending, length)
    const source = this.#in
    source.set(bytes, this.#pending)
    const view = new DataView(source.buffer, 0, length)
    let from = this.#isPastHeader ? 0 : this.#layout.header
    this.#isPastHeader ||= length >= from
    // COPY ends with a count of -1.
    while (this.#isPastHeader && from + this.#layout.count <= length && view.getInt16(from) !== -1) {
      const next = this.#row(source, view, from)
      if (next === undefined) break
      this.rows++
      from = next
    }
    if (this.#isPastHeader) source.copyWithin(0, from, length)
    this.#pending = this.#isPastHeader ? length - from : length
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

  /** Writes the row at `from`. Returns the offset of the next row, or undefined if this one is incomplete. */
  #row(source: Uint8Array, view: DataView, from: number): number | undefined {
    const { count, beside, hidden } = this.#layout
    const length = view.byteLength
    const formats = this.#formats
    const rowStart = this.#at
    let out = this.#out
    let at = rowStart
    let start = from + count
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
      // At most: every byte three times, two quotes, an apostrophe, a comma and the line end.
      const maxEnd = at + 3 * (end - start) + 6
      if (maxEnd > out.length) out = this.#out = grow(out, at, maxEnd)
      if (column > hidden) out[at++] = COMMA
      if (size > 0 && format === INSTANT) {
        at = writeInstant(view, start, out, at)
      } else if (size > 0) {
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
          at += cell.length
        } else if (marks === 0) {
          at = to
        } else {
          at = quote(source, start, end, out, at)
        }
      }
      start = end
    }
    out[at++] = CR
    out[at++] = LF
    this.#at = at
    return start
  }

  /** Encodes a cell that needs a closer look. JSON strings become plain text. */
  #cell(text: string, format: number): string {
    if (format !== JSON_VALUE) return quoteText(text, format === TEXT)
    if (text === "null") return ""
    return text.startsWith('"') ? quoteText(JSON.parse(text) as string, this.#safe) : quoteText(text, false)
  }
}

/** Returns a buffer of at least `size` bytes that starts with the first `used` bytes of this one. */
const grow = (bytes: Uint8Array<ArrayBuffer>, used: number, size: number) => {
  const larger = new Uint8Array(Math.max(bytes.length * 2, size))
  larger.set(bytes.subarray(0, used))
  return larger
}

const quoteText = (text: string, safe: boolean): string => {
  const formula = safe && FORMULA.test(text)
  if (!formula && !MUST_QUOTE.test(text)) return text
  return `"${formula ? "'" : ""}${text.replaceAll('"', '""')}"`
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

interface Layout {
  /** Bytes before the first row. */
  readonly header: number
  /** Bytes before a row's first cell. */
  readonly count: number
  /** Bytes before a cell's length. */
  readonly beside: number
  /** Leading cells that are not written. */
  readonly hidden: number
}

const LAYOUTS: Record<Framing, Layout> = {
  copy: { header: COPY_HEADER, count: 2, beside: 0, hidden: 0 },
  pages: { header: 0, count: 2, beside: 0, hidden: POSITION_CELLS },
  records: { header: 0, count: 4, beside: 4, hidden: 0 },
}

const NOTHING = new Uint8Array(0)
const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
const [CR, LF, SPACE, QUOTE, COMMA] = [13, 10, 32, 34, 44]

/** Cell formats: how a cell is read and checked. */
const [UNCHECKED, TEXT, JSON_VALUE, INSTANT, HIDDEN] = [0, 1, 2, 3, 4]

/** Like papaparse, quotes a cell with a byte-order mark anywhere, or a space at either end. */
const MUST_QUOTE = /[",\r\n\uFEFF]|^ | $/

const [QUOTED, CHECK] = [1, 2]
/** Bytes that require quotes, and 0xEF, which may start a byte-order mark: such a cell is checked as text. */
const MARKS = Uint8Array.from({ length: 256 }, (_, byte) =>
  [CR, LF, QUOTE, COMMA].includes(byte) ? QUOTED : byte === 0xef ? CHECK : 0,
)

/** Bytes that may start a formula, or the white space that spreadsheets trim before one. */
const MAY_START_FORMULA = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte <= SPACE || byte >= 0x7f || [43, 45, 61, 64].includes(byte) ? 1 : 0,
)
