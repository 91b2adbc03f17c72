import type * as Stream from "effect/Stream"
import type { BadRequest } from "../../http/errors.ts"

/** A cell of a file that stores kinds. A cell of a text file is a string, as written. */
export interface TypedCell {
  /** The cell as a person sees it, as far as its number format is known. */
  readonly text: string
  /** A number, a boolean, or a date as `2026-03-31` or `2026-03-31T09:30:00`, without a zone. */
  readonly value: number | boolean | { readonly date: string }
  /** The number format of a number, such as `#,##0.00 "€"`. */
  readonly format?: string | undefined
}

export type Cell = string | TypedCell

export interface Row {
  /** The line of the file on which the row begins, or its number in the sheet, from 1. */
  readonly line: number
  readonly cells: ReadonlyArray<Cell>
  /** Why the row cannot be read. `cells` holds what was read of it, for the message. */
  readonly problem?: string | undefined
}

/** How a file was read. */
export interface TableFacts {
  readonly container: "csv" | "ndjson" | "json" | "xlsx" | "html"
  /** `gzip` if the file was compressed. */
  readonly compression?: "gzip" | undefined
  /** The WHATWG name of the encoding of a text. */
  readonly encoding?: string | undefined
  /** The request, a byte order mark, or valid UTF-8 or UTF-16 settle the encoding; everything else is a guess. */
  readonly encodingBy?: "request" | "mark" | "bytes" | "guess" | undefined
  readonly delimiter?: string | undefined
  /** The sheet that was read, and all sheets of the file in their order. */
  readonly sheet?: string | undefined
  readonly sheets?: ReadonlyArray<string> | undefined
}

/** Rows of cells. Blank rows are kept as rows without cells, because they separate blocks of a report. */
export interface Table<E> {
  readonly facts: TableFacts
  readonly rows: Stream.Stream<ReadonlyArray<Row>, E | BadRequest>
}
