/**
 * Matches text that a spreadsheet runs, or may run after it trims or normalizes it, and such text after apostrophes, so that
 * `unguard` can tell an apostrophe of `guard` from one of the text.
 */
const GUARDED = /^'*(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u

/** Puts an apostrophe before text that a spreadsheet would run. */
export const guard = (text: string): string => (GUARDED.test(text) ? `'${text}` : text)

/** Removes the apostrophe of `guard`: `unguard(guard(text))` is `text`, whatever the text. */
export const unguard = (cell: string): string => (cell.startsWith("'") && GUARDED.test(cell) ? cell.slice(1) : cell)
