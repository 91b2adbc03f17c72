/** Tab and line feed are text; NUL, which PostgreSQL refuses, and the rest are not. */
const CONTROLS = new RegExp(String.raw`[\u0000-\u0008\u000B-\u001F\u007F]`, "g")

/** Text that every store takes: no control characters, line feeds only, no half of a surrogate pair, no white space around it. */
export const plain = (text: string) =>
  text
    .replaceAll(/\r\n?|\f/g, "\n")
    .replaceAll(CONTROLS, "")
    .toWellFormed()
    .trim()
