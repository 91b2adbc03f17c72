/** An answer as its reader sees it. */
export interface Read {
  /** The sentences before the first table or list. */
  readonly headline: string
  /** The first ten rows of the first table, or else of the first list. */
  readonly rows: ReadonlyArray<string>
  readonly text: string
}

/** A reader looks at no more rows. */
const MAX_ROWS = 10

const isTableLine = (line: string) => /^\s*\|.*\|\s*$/.test(line)
const isRule = (line: string) => /^[\s|:-]+$/.test(line)
const isListLine = (line: string) => /^\s*(?:[-*•]|\d{1,2}[.)])\s+/.test(line)

/** Removes the targets of links, the marks of citations, and code. */
const withoutLinks = (markdown: string) =>
  markdown
    .replaceAll(/\[(?:\[?\d+\]?|¹|²|³)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, "$1")
    .replaceAll(/\[\d+\]/g, "")
    .replaceAll(/`[^`]*`/g, "")

export const read = (markdown: string): Read => {
  const text = withoutLinks(markdown).replaceAll("**", "")
  const lines = text.split("\n")
  const table = lines.findIndex(isTableLine)
  const list = lines.findIndex(isListLine)
  const start = table === -1 ? list : table
  const isRow = table === -1 ? isListLine : isTableLine
  const rows: Array<string> = []
  for (let at = start; at !== -1 && at < lines.length && isRow(lines[at]!); at++) rows.push(lines[at]!)
  const rule = rows.findIndex(isRule)
  const first = [table, list].filter((at) => at !== -1)
  return {
    headline: (first.length === 0 ? lines : lines.slice(0, Math.min(...first))).join("\n").trim(),
    rows: (table === -1
      ? rows.map((row) => row.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, ""))
      : rows.slice(rule + 1)
    ).slice(0, MAX_ROWS),
    text,
  }
}

/** Lower case, without accents, with one kind of dash, quote and space. */
export const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("ø", "o")
    .toLowerCase()
    .replaceAll(/[‐-―−]/g, "-")
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[\s\u00a0\u202f]+/g, " ")

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** The first offset of one of these names in a text, as a whole word or its plural; -1 if there is none. */
export const placeOf = (text: string, names: ReadonlyArray<string>): number => {
  const haystack = plain(text)
  const places = names.flatMap((name) => {
    const match = new RegExp(`(?<![\\p{L}\\d])${escape(plain(name))}s?(?![\\p{L}\\d])`, "u").exec(haystack)
    return match === null ? [] : [match.index]
  })
  return places.length === 0 ? -1 : Math.min(...places)
}

/** Whether a text contains a phrase, at the edge of a word. */
export const contains = (text: string, phrase: string | ReadonlyArray<string>): boolean =>
  placeOf(text, typeof phrase === "string" ? [phrase] : phrase) !== -1
