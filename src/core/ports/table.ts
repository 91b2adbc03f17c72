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

export interface UncalculatedCell {
  /** Its place among the cells of the row. */
  readonly index: number
  /** Its reference, such as `B7`. */
  readonly cell: string
}

/** Struck-out text of a cell, which is no part of the row's cells. */
export interface StruckCell extends UncalculatedCell {
  readonly text: string
}

export interface TableRow {
  /** The line of the file on which the row begins, or its number in the sheet, from 1. */
  readonly line: number
  readonly cells: ReadonlyArray<Cell>
  /** Why the row cannot be read. `cells` holds what was read of it, for the message. */
  readonly problem?: string | undefined
  /** The cells whose formulas have no value, because the program that wrote the file did not calculate them. */
  readonly uncalculated?: ReadonlyArray<UncalculatedCell> | undefined
  readonly struck?: ReadonlyArray<StruckCell> | undefined
  /** The file hides the row: its programs do not show it. */
  readonly isHidden?: true | undefined
  /** The places of the row's cells in columns that the file hides. */
  readonly hiddenCells?: ReadonlyArray<number> | undefined
  /** The beginning of the row as the file writes it, if it has a problem. */
  readonly text?: string | undefined
}

/** An object of NDJSON or a JSON array, or why it cannot be read. */
export type ReadRecord =
  | {
      /** The line of the file on which the object begins, from 1. */
      readonly line: number
      readonly value: object
      /** The number of characters that the file takes for it. */
      readonly size: number
      /** It may contain a NUL or half a surrogate pair, which the database cannot store. */
      readonly isSuspect: boolean
    }
  | { readonly line: number; readonly problem: string; readonly text: string }

export type Container = "csv" | "ndjson" | "json" | "xlsx" | "html"

/** The request, a byte order mark, or valid UTF-8 or UTF-16 settle the encoding; everything else is a guess. */
export type EncodingBy = "request" | "mark" | "bytes" | "guess"

/**
 * How a file was read. All is known when the file is open, but for one case: a text that is ASCII at its beginning is `utf-8` until its
 * first other character. What it is then stands here before the row of that character arrives.
 */
export interface TableFacts {
  readonly container: Container
  /** `gzip` if the file was compressed. */
  readonly compression?: "gzip" | undefined
  /** The WHATWG name of the encoding of a text. */
  readonly encoding?: string | undefined
  readonly encodingBy?: EncodingBy | undefined
  readonly delimiter?: string | undefined
  /** The delimiter that the first line of a CSV states, as in `sep=;`, if the rows have another. */
  readonly statedDelimiter?: string | undefined
  /** The sheet that was read, and all sheets of the file in their order. */
  readonly sheet?: string | undefined
  readonly sheets?: ReadonlyArray<string> | undefined
  /** Visible sheets that hold a table too, if the request did not choose one. */
  readonly unread?: ReadonlyArray<string> | undefined
  /** The first sheet with a cell, if another was read because this one has no table of the records. */
  readonly passedOver?: string | undefined
}

/** The longest line of a text, and the longest row of a CSV, in characters. */
export const MAX_LINE = 1_048_576

/** Sheets have 16,384; a wide export of a CRM has some 400. */
export const MAX_COLUMNS = 1_000

/** The characters of a row that its problem shows. */
export const EXCERPT_LENGTH = 200

/** Decodes a text, piece by piece. */
export interface StreamDecoder {
  readonly decode: (bytes: Uint8Array, isLast: boolean) => string
}

export interface Encoding {
  /** The WHATWG name. */
  readonly name: string
  readonly decoder: StreamDecoder
}

/** The encoding of a file's text, or why it cannot be, as the end of a sentence about the file. */
export type EncodingOrProblem = Encoding | { readonly problem: string }

/** Encodings other than UTF-8 and UTF-16. */
export interface Encodings {
  /** Finds an encoding by any of its names; undefined if there is none. */
  readonly find: (label: string) => Encoding | undefined
  /** Guesses the encoding of bytes that are neither UTF-8 nor UTF-16. */
  readonly guess: (sample: Uint8Array) => EncodingOrProblem
}
