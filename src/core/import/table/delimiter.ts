import Papa from "papaparse"

/** A file without any of them has one column. The last two are the separators of units that old exports use. */
const DELIMITERS = [",", ";", "\t", "|", "^", "~", "\u001f", "\u0001"]

const NAMES: Readonly<Record<string, string>> = { ",": "comma", ";": "semicolon", "\t": "tab" }

/** A delimiter in a sentence: `comma`, `'|'`. */
export const nameDelimiter = (delimiter: string): string => NAMES[delimiter] ?? `'${delimiter}'`

/** Rows that decide, and characters in which they are sought. */
const MAX_ROWS = 200
const MAX_LENGTH = 65_536

/**
 * The delimiter that gives the longest run of rows of one width, outside quotes: titles may be above the header, and a row may have
 * commas in its values. Among equals it is the one with more columns.
 */
export const detectDelimiter = (text: string): string => findRun(text).delimiter

/**
 * The delimiter that the rows have instead of the one that the first line states: their header does not contain that one. Undefined if the
 * statement may be right.
 */
export const contradict = (text: string, stated: string): string | undefined => {
  const { delimiter, first, isAtTop, width } = findRun(text)
  const isHeader = isAtTop || width > 2
  return isHeader && delimiter !== stated && !first.some((cell) => cell.includes(stated)) ? delimiter : undefined
}

interface Run {
  readonly rows: number
  readonly width: number
  readonly first: ReadonlyArray<string>
  /** No other row is above it. */
  readonly isAtTop: boolean
}
const NO_RUN: Run = { rows: 0, width: 0, first: [], isAtTop: false }

const findRun = (text: string): Run & { readonly delimiter: string } => {
  const sample = text.slice(0, MAX_LENGTH)
  const measured = DELIMITERS.filter((delimiter) => sample.includes(delimiter)).map((delimiter) => {
    const parser = new Papa.Parser({ delimiter, newline: "\n", preview: MAX_ROWS })
    const { data } = parser.parse(sample, 0, text.length > MAX_LENGTH) as Papa.ParseResult<Array<string>>
    return { delimiter, ...longestRun(data) }
  })
  return measured.reduce(
    (best, each) => (each.rows > best.rows || (each.rows === best.rows && each.width > best.width) ? each : best),
    { delimiter: ",", ...NO_RUN },
  )
}

/** The longest run of rows of one width above one. Blank rows do not end it. */
const longestRun = (data: ReadonlyArray<ReadonlyArray<string>>): Run => {
  let best = NO_RUN
  let run = NO_RUN
  for (const row of data) {
    if (row.length === 1 && row[0]!.trim() === "") continue
    run =
      row.length === run.width
        ? { ...run, rows: run.rows + 1 }
        : { rows: 1, width: row.length, first: row, isAtTop: run === NO_RUN }
    if (run.width > 1 && (run.rows > best.rows || (run.rows === best.rows && run.width > best.width))) best = run
  }
  return best
}

/** A first line such as `sep=;`, which Excel reads and does not show. */
export const SEPARATOR_LINE = /^"?sep=(.)"?[ \t,;]*\n/i
