/** The longest part of a value that an error or a warning shows, in characters. */
const MAX_SHOWN = 100

/** Cuts a value as an error or a warning shows it. */
export const shorten = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text
