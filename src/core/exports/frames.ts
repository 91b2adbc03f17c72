import { COPY_HEADER, POSITION_CELLS } from "./copyPage.ts"

/**
 * The type of a column's cells. `json` is any JSON value as text; its strings are written as plain text. `instant` is a
 * `timestamptz` in PostgreSQL's binary format.
 */
export type CellKind = "text" | "number" | "boolean" | "date" | "instant" | "json" | "structured"

export interface FileColumn {
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

export interface Layout {
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

/** Reads the row at `from`. Returns the offset of the next row, or undefined if this one is incomplete. */
type ReadRow = (source: Uint8Array, view: DataView, from: number) => number | undefined

/** Finds the rows in chunks of any length. */
export class Frames {
  /** The number of complete rows so far. */
  rows = 0
  readonly layout: Layout
  #isPastHeader: boolean
  /** Reused: thousands of large buffers would keep the garbage collector busy. */
  #in = new Uint8Array(BUFFER_BYTES)
  /** Bytes in `#in` of a row that is still incomplete. */
  #pending = 0

  constructor(framing: Framing) {
    this.layout = LAYOUTS[framing]
    this.#isPastHeader = this.layout.header === 0
  }

  /** Calls `readRow` for each row that the chunk completes. */
  read(bytes: Uint8Array, readRow: ReadRow): void {
    const length = this.#pending + bytes.length
    if (length > this.#in.length) this.#in = grow(this.#in, this.#pending, length)
    const source = this.#in
    source.set(bytes, this.#pending)
    const view = new DataView(source.buffer, 0, length)
    let from = this.#isPastHeader ? 0 : this.layout.header
    this.#isPastHeader ||= length >= from
    // COPY ends with a count of -1.
    while (this.#isPastHeader && from + this.layout.count <= length && view.getInt16(from) !== -1) {
      const next = readRow(source, view, from)
      if (next === undefined) break
      this.rows++
      from = next
    }
    if (this.#isPastHeader) source.copyWithin(0, from, length)
    this.#pending = this.#isPastHeader ? length - from : length
  }
}

const BUFFER_BYTES = 256 * 1024

/** Returns a buffer of at least `size` bytes that starts with the first `used` bytes of this one. */
export const grow = (bytes: Uint8Array<ArrayBuffer>, used: number, size: number) => {
  const larger = new Uint8Array(Math.max(bytes.length * 2, size))
  larger.set(bytes.subarray(0, used))
  return larger
}
