import Papa from "papaparse"

/** How a CSV writes quotation marks, other than as RFC 4180 does. */
export interface Dialect {
  /** A backslash escapes the character behind it, as MySQL exports. */
  readonly hasBackslashes: boolean
  /** Cells are in typographic quotation marks, as a word processor made them. */
  readonly hasTypographicQuotes: boolean
  /** Spaces stand between the delimiter and the quotation marks, as people and some programs write lists. */
  readonly hasSpacedQuotes: boolean
}

/** Takes the place of an escaped quotation mark, so that the parser does not see it. A character for private use. */
const ESCAPED_QUOTE = "\ue0f2"

/**
 * Finds the dialect that the beginning of a file proves: without it rows are malformed or of different widths, and with it they are not.
 * So a file that uses neither throughout stays what it is, and its rows report their problems.
 */
export const detectDialect = (sample: string, delimiter: string, isWhole: boolean): Dialect => {
  const hasBackslashes = sample.includes('\\"')
  const hasTypographicQuotes = /[“„”]/.test(sample)
  const hasSpacedQuotes = delimiter !== "\t" && spacedCell(delimiter).test(sample)
  if (!hasBackslashes && !hasTypographicQuotes && !hasSpacedQuotes) return PLAIN
  const faults = (dialect: Dialect) => faultsIn(toPlain(sample, delimiter, dialect), delimiter, isWhole)
  const asWritten = faults(PLAIN)
  // Quotation marks around a whole cell behind a space are no part of its text, even where the sample has no fault.
  const spaced = { ...PLAIN, hasSpacedQuotes: true }
  if (hasSpacedQuotes && faults(spaced) <= asWritten) return spaced
  if (asWritten === 0) return PLAIN
  const candidates = [
    { ...PLAIN, hasBackslashes: true },
    { ...PLAIN, hasTypographicQuotes: true },
  ].filter((each) => (each.hasBackslashes ? hasBackslashes : hasTypographicQuotes))
  return candidates.find((each) => faults(each) === 0) ?? PLAIN
}

const PLAIN: Dialect = { hasBackslashes: false, hasTypographicQuotes: false, hasSpacedQuotes: false }

/** Malformed rows, and rows that have more cells than most. */
const faultsIn = (text: string, delimiter: string, isWhole: boolean): number => {
  const { data, errors } = new Papa.Parser({ delimiter, newline: "\n" }).parse(text, 0, !isWhole) as Papa.ParseResult<
    Array<string>
  >
  const counts = new Map<number, number>()
  for (const { length } of data) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1)
  const [width = 1] = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [1, 0])
  // The header counts as most: a single row after it may be the one with too many.
  const most = data[0] !== undefined && data[0].length > 1 ? Math.min(width, data[0].length) : width
  return errors.length + data.filter(({ length }) => length > most).length
}

/** Rewrites text as RFC 4180 has it. `text` must end between two rows, or at least not behind a backslash. */
export const toPlain = (text: string, delimiter: string, dialect: Dialect): string => {
  if (dialect.hasBackslashes) {
    return text.replaceAll(/\\([\s\S])/g, (all, next: string) =>
      next === '"' ? ESCAPED_QUOTE : next === "\\" || next === "\n" ? next : all,
    )
  }
  if (dialect.hasSpacedQuotes) return text.replaceAll(spacedCell(delimiter), "$1$2")
  return dialect.hasTypographicQuotes ? text.replaceAll(typographicCell(delimiter), `$1"$2"`) : text
}

const escaped = (delimiter: string) => (/[\^|]/.test(delimiter) ? `\\${delimiter}` : delimiter)

/** A quoted cell of one line behind spaces. */
const spacedCell = (delimiter: string) =>
  new RegExp(`(^|${escaped(delimiter)})[ \t]+("(?:[^"\n]|"")*")[ \t]*(?=${escaped(delimiter)}|$)`, "gm")

/** Cells of lines that have straight quotation marks are left alone: one could hold the other. */
const typographicCell = (delimiter: string) => {
  const mark = escaped(delimiter)
  return new RegExp(`(^|${mark})[“„]([^“„”"\\n]*)[”“](?=${mark}|$)`, "gm")
}

/** A cell as its dialect means it. */
export const readDialect = (cell: string): string =>
  cell === "\\N" ? "" : cell.includes(ESCAPED_QUOTE) ? cell.replaceAll(ESCAPED_QUOTE, '"') : cell
