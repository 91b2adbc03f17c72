/** Tab and line feed are text; PostgreSQL refuses NUL, and the rest are never text. */
const CONTROLS = new RegExp(String.raw`[\u0000-\u0008\u000B-\u001F\u007F]`, "g")

/** Removes what a store refuses: control characters, carriage returns, lone surrogates and surrounding white space. */
export const plain = (text: string) =>
  text
    .replaceAll(/\r\n?|\f/g, "\n")
    .replaceAll(CONTROLS, "")
    .toWellFormed()
    .trim()

/** JSON escapes control characters and lone surrogates; no database stores them. */
const REFUSED = /\\u(?:00|d[89a-f])/

/** JSON whose texts a database stores. */
export const toStorableJson = (value: unknown): string => {
  const json = JSON.stringify(value)
  if (!REFUSED.test(json)) return json
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "string" ? plain(part) : part))
}
