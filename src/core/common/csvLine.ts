import { FORMULA } from "./formula.ts"

/** A line of CSV (RFC 4180). Text that a spreadsheet would run gets a leading apostrophe. Null is an empty cell. */
export const csvLine = (cells: ReadonlyArray<string | number | null>): string => `${cells.map(cell).join()}\r\n`

const cell = (value: string | number | null) => {
  if (value === null || typeof value === "number") return String(value ?? "")
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
