import { FORMULA } from "../common/formula.ts"
import { writeInstant } from "./instant.ts"
import { COPY_HEADER, POSITION_CELLS } from "./page.ts"

/**
 * How the cells of a column come and go: `json` is any JSON value as text, of which strings are written as plain text,
 * `instant` a `timestamptz` as PostgreSQL keeps it.
 */
export type CellKind = "text" | "number" | "instant" | "json" | "structured"

export interface CsvColumn {
  /** The header's cell. */
  readonly selector: string
  readonly kind: CellKind
}

/**
 * How rows are laid out in bytes, integers being big-endian: `copy` is PostgreSQL's binary COPY, `pages` the rows of several,
 * each of which begins with its `Position`, `records` what `record_send` makes of a row, one after the other. A cell is its
 * length (-1: null) and UTF-8, or an instant's eight bytes.
 */
export type Framing = "copy" | "pages" | "records"

/**
 * RFC 4180: UTF-8, CRLF after every row, cells quoted where they must be, byte for byte as papaparse writes them. Takes
 * rows in pieces of any length and answers those that are complete.
 */
export class CsvEncoder {
  /** How many rows were written, without the header. */
  rows = 0
  readonly #ways: Uint8Array
  readonly #layout: Layout
  readonly #safe: boolean
  #begun: boolean
  /** Both are used again and again: thousands of large buffers would keep the collector busy. */
  #in = new Uint8Array(PIECE)
  #out = new Uint8Array(2 * PIECE)
  /** Bytes of a row that is not all there yet. */
  #held = 0
  #at = 0

  constructor(columns: ReadonlyArray<CsvColumn>, framing: Framing, safe: boolean) {
    this.#layout = LAYOUTS[framing]
    const ways = columns.map(({ kind }) =>
      kind === "instant" ? INSTANT : kind === "json" ? JSON_VALUE : kind === "text" && safe ? TEXT : PLAIN,
    )
    this.#ways = Uint8Array.from([...Array<number>(this.#layout.hidden).fill(HIDDEN), ...ways])
    this.#safe = safe
    this.#begun = this.#layout.header === 0
    const header = columns.map(({ selector }) => quotedText(selector, false)).join(",")
    this.#write(encoder.encode(`${header}\r\n`))
  }

  /**
   * Takes what came next. Answers what is written once it is worth passing on, until then nothing. The bytes are good until
   * the next call, which writes in their place.
   */
  encode(bytes: Uint8Array): Uint8Array {
    const length = this.#held + bytes.length
    if (length > this.#in.length) this.#in = grown(this.#in, this.#held, length)
    const source = this.#in
    source.set(bytes, this.#held)
    const view = new DataView(source.buffer, 0, length)
    let from = this.#begun ? 0 : this.#layout.header
    this.#begun ||= length >= from
    // COPY ends with a count of -1.
    while (this.#begun && from + this.#layout.count <= length && view.getInt16(from) !== -1) {
      const next = this.#row(source, view, from)
      if (next === undefined) break
      this.rows++
      from = next
    }
    if (this.#begun) source.copyWithin(0, from, length)
    this.#held = this.#begun ? length - from : length
    return this.#at < PIECE ? NOTHING : this.end()
  }

  /** What is written and was not answered yet. */
  end(): Uint8Array {
    const written = this.#out.subarray(0, this.#at)
    this.#at = 0
    return written
  }

  #write(bytes: Uint8Array) {
    if (this.#at + bytes.length > this.#out.length) this.#out = grown(this.#out, this.#at, this.#at + bytes.length)
    this.#out.set(bytes, this.#at)
    this.#at += bytes.length
  }

  /** Writes the row at `from`; answers where the next begins, or nothing where this one is not all there. */
  #row(source: Uint8Array, view: DataView, from: number): number | undefined {
    const { count, beside, hidden } = this.#layout
    const length = view.byteLength
    const ways = this.#ways
    const begun = this.#at
    let out = this.#out
    let at = begun
    let start = from + count
    for (let column = 0; column < ways.length; column++) {
      start += beside + 4
      const size = start <= length ? view.getInt32(start - 4) : 0
      const end = start + (size > 0 ? size : 0)
      if (end > length) {
        this.#at = begun
        return undefined
      }
      const way = ways[column]!
      if (way === HIDDEN) {
        start = end
        continue
      }
      // Each byte twice or three times, quotes, an apostrophe, a comma, the end of the line.
      const most = at + 3 * (end - start) + 6
      if (most > out.length) out = this.#out = grown(out, at, most)
      if (column > hidden) out[at++] = COMMA
      if (size > 0 && way === INSTANT) {
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
        if (way === JSON_VALUE || (way === TEXT && ODD[source[first]!] === 1) || marks >= PERHAPS) {
          const cell = encoder.encode(this.#cell(decoder.decode(source.subarray(start, end)), way))
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

  /** JSON's strings are written as the text they stand for. */
  #cell(text: string, way: number): string {
    if (way !== JSON_VALUE) return quotedText(text, way === TEXT)
    if (text === "null") return ""
    return text.startsWith('"') ? quotedText(JSON.parse(text) as string, this.#safe) : quotedText(text, false)
  }
}

/** A larger one, at least `size`, that begins with the first `used` bytes of this. */
const grown = (bytes: Uint8Array<ArrayBuffer>, used: number, size: number) => {
  const larger = new Uint8Array(Math.max(bytes.length * 2, size))
  larger.set(bytes.subarray(0, used))
  return larger
}

const quotedText = (text: string, safe: boolean): string => {
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

/** Bytes that are passed on at once, at least. */
const PIECE = 256 * 1024

interface Layout {
  /** Bytes before the first row. */
  readonly header: number
  /** Bytes before a row's first cell. */
  readonly count: number
  /** Bytes before a cell's length. */
  readonly beside: number
  /** Cells before the first that is written. */
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

/** What is looked at in a cell beside its quotes. */
const [PLAIN, TEXT, JSON_VALUE, INSTANT, HIDDEN] = [0, 1, 2, 3, 4]

/** A byte-order mark anywhere, or a space at either end, are quoted as papaparse quotes them. */
const MUST_QUOTE = /[",\r\n\uFEFF]|^ | $/

const [QUOTED, PERHAPS] = [1, 2]
/** Bytes that have a cell quoted, and the one that begins a byte-order mark, among others. */
const MARKS = Uint8Array.from({ length: 256 }, (_, byte) =>
  [CR, LF, QUOTE, COMMA].includes(byte) ? QUOTED : byte === 0xef ? PERHAPS : 0,
)

/** Bytes that may begin a formula, or what is trimmed before one. */
const ODD = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte <= SPACE || byte >= 0x7f || [43, 45, 61, 64].includes(byte) ? 1 : 0,
)
