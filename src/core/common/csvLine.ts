import { guard } from "./formula.ts"

/**
 * A line of CSV (RFC 4180). Text that a spreadsheet would run gets a leading apostrophe. Semicolons and tabs are quoted, because
 * spreadsheets of many countries split there. Null is an empty cell.
 */
export const csvLine = (cells: ReadonlyArray<string | number | null>): string => `${cells.map(cell).join()}\r\n`

const cell = (value: string | number | null) => {
  if (value === null || typeof value === "number") return String(value ?? "")
  const text = guard(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
