/**
 * Matches text that a spreadsheet runs, or may run after it trims or normalizes it. Write such text after an apostrophe.
 */
export const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u
