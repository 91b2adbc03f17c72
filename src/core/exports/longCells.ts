import type { ExportFormat } from "./options.ts"

/** The limits of a spreadsheet program, by Excel's specification: UTF-16 code units of a cell, and rows of a sheet with its header. */
export const MAX_CELL_CHARACTERS = 32_767
export const MAX_SHEET_ROWS = 1_048_576

export const WARNING_CODES = ["cell_too_long_for_excel", "too_many_rows_for_excel"] as const

/** A cell that a warning is about. */
export interface ExampleCell {
  /** The row in a spreadsheet whose first row is the header. */
  readonly row: number
  readonly column: string
  readonly characters: number
}

/** A warning for readers of the file. */
export interface ExportWarning {
  readonly code: (typeof WARNING_CODES)[number]
  readonly message: string
  /** The cells or rows concerned. */
  readonly count: number
  readonly examples: ReadonlyArray<ExampleCell>
}

const MAX_EXAMPLES = 5

/** Counts the cells that are longer than `MAX_CELL_CHARACTERS`. */
export class LongCells {
  #count = 0
  readonly #examples: Array<ExampleCell> = []

  /** `rows` is the number of rows before the cell's, without the header. */
  note(rows: number, column: string, characters: number): void {
    if (characters <= MAX_CELL_CHARACTERS) return
    this.#count++
    if (this.#examples.length < MAX_EXAMPLES) this.#examples.push({ row: rows + 2, column, characters })
  }

  /** `rows` is the number of rows in the file, without the header. */
  warnings(format: ExportFormat, rows: number): ReadonlyArray<ExportWarning> {
    const beyond = rows + 1 - MAX_SHEET_ROWS
    const found = [
      { code: "cell_too_long_for_excel", count: this.#count, examples: this.#examples },
      { code: "too_many_rows_for_excel", count: beyond, examples: [] },
    ] as const
    return found
      .filter(({ count }) => count > 0)
      .map((warning) => ({ ...warning, message: MESSAGES[warning.code][format](warning.count.toLocaleString("en")) }))
  }
}

type Message = (count: string) => string

const MESSAGES: Readonly<Record<ExportWarning["code"], Readonly<Record<ExportFormat, Message>>>> = {
  cell_too_long_for_excel: {
    csv: (count) =>
      `Excel shows 32,767 characters of a cell, and ${count} cells are longer. The file has them whole: leave these columns out, or read it with another program.`,
    xlsx: (count) =>
      `A spreadsheet holds 32,767 characters in a cell, and ${count} longer cells are cut. Export csv to have them whole.`,
  },
  too_many_rows_for_excel: {
    csv: (count) =>
      `Excel shows 1,048,576 rows of a CSV file, and ${count} more are in it. Export fewer deals by filters, or export xlsx.`,
    xlsx: (count) => `A sheet holds 1,048,576 rows: ${count} more are on the sheets after the first.`,
  },
}
