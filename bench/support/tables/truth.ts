/** A cell as the file has it. */
export interface TruthCell {
  readonly text: string
  /** The rows that the cell covers. A reading may put its text into any of them. */
  readonly rows: number
  /** Checks whether a reading shows this cell: the same text, or for a number the same value in its format. */
  readonly isShownAs: (shown: string) => boolean
}

export interface TruthRow {
  /** By column of the table; `undefined` where the file has no text, or none that can be judged. */
  readonly cells: ReadonlyArray<TruthCell | undefined>
  /** The row's number in its sheet. */
  readonly number?: number
}

export const KINDS = [
  "xlsx",
  "docx",
  "pptx",
  "pdf, ruled",
  "pdf, printed",
  "pdf, borderless",
  "pdf, printed borderless",
  "pdf, printed documents",
] as const
export type Kind = (typeof KINDS)[number]

export interface TruthTable {
  readonly kind: Kind
  readonly name: string
  /** The label of each column, `undefined` where it is empty. Without `labels` the header is not clear: only the column is judged. */
  readonly labels?: ReadonlyArray<TruthCell | undefined>
  readonly rows: ReadonlyArray<TruthRow>
  /** Maps a column of the table to the column of a reading, one for each way to count columns. Each table is read in one way. */
  readonly countings: ReadonlyArray<(column: number) => number>
  /** Whether the tables of a place come one after another, so that their rows are matched in this order. */
  readonly isOrdered: boolean
  /** The name of the sheet that has the table, or the number of its page or slide. */
  readonly place: string | number | undefined
}

/** Text without the white space, soft hyphens and ligatures that readers write in different ways. */
export const fold = (text: string): string => text.normalize("NFKC").replaceAll(/[\s\u00ad\u200b\ufeff]+/g, "")

/** A cell that a reading must show by its text; `undefined` without text. */
export const textCell = (text: string, rows = 1): TruthCell | undefined => {
  const folded = fold(text)
  return folded === "" ? undefined : { text, rows, isShownAs: (shown) => fold(shown) === folded }
}

/** The labels of header rows of several levels: each column's texts, top to bottom, joined by a space. */
export const joinLabels = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<TruthCell | undefined> =>
  (rows[0] ?? []).map((_, column) =>
    textCell(
      rows
        .map((row) => row[column] ?? "")
        .filter((text) => text !== "")
        .join(" "),
    ),
  )

const NUMBER = /^[-+(]?\s?[$€£]?\s?\d[\d.,\s]*%?\)?$/
const DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/

/** Checks whether a text is a number or a date. */
export const isFigure = (text: string): boolean => NUMBER.test(text.trim()) || DATE.test(text.trim())

/**
 * Checks whether the first row is clearly a header: at least two columns, each with a text of its own that is no number,
 * and at least one column with nothing but numbers or dates below it.
 */
export const isPlainHeader = (
  rows: ReadonlyArray<ReadonlyArray<string>>,
  isNumber: (row: number, column: number) => boolean,
): boolean => {
  const [first = [], ...body] = rows
  const texts = first.map(fold)
  if (texts.length < 2 || texts.includes("") || new Set(texts).size < texts.length) return false
  if (texts.some((_, column) => isNumber(0, column)) || body.length === 0) return false
  return texts.some((_, column) => {
    const filled = body.flatMap((row, at) => ((row[column] ?? "").trim() === "" ? [] : [at + 1]))
    return filled.length > 0 && filled.every((row) => isNumber(row, column))
  })
}

/** Counts columns from the table's first one. */
export const FROM_FIRST: TruthTable["countings"] = [(column) => column]
