/**
 * Patterns that no line of the log may hold. Our own messages match none; errors of the database, of libraries and of other
 * servers quote what they were given.
 */
const SECRETS: ReadonlyArray<readonly [pattern: RegExp, replacement: string]> = [
  [/\bsl_(live|test)_\w+/g, "sl_$1_…"],
  [/\bwhsec_[\w+/=-]+/g, "whsec_…"],
  [/\b(bearer|basic) +[\w.~+/=-]+/gi, "$1 …"],
  [/\/(v|exports)\/[\w.~-]+/g, "/$1/…"],
  [/:\/\/[^/\s:@"']+:[^/\s@"']+@/g, "://…@"],
  // An address may have a key in its query.
  [/(https?:\/\/[^\s?"'\\]+)\?[^\s"'\\)]*/g, "$1?…"],
  // PostgreSQL quotes values.
  [/(invalid (?:input syntax|byte sequence|input value) for [^:"\\]{1,60}: )(?:\\?".*?\\?"(?=\s|\\n|"|$)|\S+)/g, "$1…"],
  [/(Key \([^)]*\))=\([^)]*\)/g, "$1=(…)"],
  [/(Failing row contains )\(.*?\)(?=\.|\s|\\n|"|$)/g, "$1(…)"],
]

/** Removes secrets and quoted values from a line of the log. */
export const redact = (line: string): string =>
  SECRETS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line)
