import type { Cell } from "../../tables/header.ts"

/** A row of a table in plain text, or a line that belongs to none. */
export type TextLine = { readonly line: string } | { readonly row: ReadonlyArray<Cell>; readonly isHeader: boolean }

/** Fewer lines in columns are spaced for another reason. */
const MIN_ROWS = 3
/** Longer cells are text in two columns. */
const MAX_MEAN_LENGTH = 40

const MAX_LINE = 1000

/** A line that only draws: "-----", "+----+----+", "|---|---:|". */
const RULE = /^[\s|+:=_\-─-╿]{3,}$/u
const BARS = /[|│┃║]/u
/** Bars around the cells of a line. */
const BARRED = /^\s*[|│┃║].*[|│┃║]\s*$/u
/** A tab between two texts. */
const TABBED = /\S[ ]*\t+[ ]*\S/
/** Two spaces between two texts. */
const SPACED = /\S {2,}\S/

const cellsOf = (texts: ReadonlyArray<string>): ReadonlyArray<Cell> =>
  texts.map((text, column) => ({ text: text.trim(), column })).filter(({ text }) => text !== "")

interface Divided {
  readonly cells: ReadonlyArray<Cell>
  readonly isHeader: boolean
}

/** Divides the lines of a run by `divide`. A rule below the first row makes this a header. */
const divideRun = (
  lines: ReadonlyArray<string>,
  divide: (line: string) => ReadonlyArray<string>,
): ReadonlyArray<Divided> => {
  const first = lines.findIndex((line) => !RULE.test(line))
  const isRuled = RULE.test(lines[first + 1] ?? "")
  return lines.flatMap((line, at) =>
    RULE.test(line) ? [] : [{ cells: cellsOf(divide(line)), isHeader: isRuled && at === first }],
  )
}

const divideByBars = (line: string) => line.trim().split(BARS).slice(1, -1)

/** The first and the last offset of each column: between them every line has at least two spaces. */
const findColumns = (lines: ReadonlyArray<string>): ReadonlyArray<readonly [from: number, to: number]> => {
  const width = lines.reduce((most, { length }) => Math.max(most, length), 0)
  const isBlank = (at: number) => lines.every((line) => (line[at] ?? " ") === " ")
  const columns: Array<readonly [number, number]> = []
  let from = -1
  for (let at = 0; at <= width; at++) {
    if (at < width && !isBlank(at)) {
      if (from < 0) from = at
    } else if (from >= 0 && (at >= width || isBlank(at + 1))) {
      columns.push([from, at])
      from = -1
    }
  }
  return columns
}

/** The rows of lines whose columns are made by spaces; undefined if they have no columns. */
const divideBySpaces = (lines: ReadonlyArray<string>): ReadonlyArray<Divided> | undefined => {
  const texts = lines.filter((line) => !RULE.test(line))
  if (texts.length < MIN_ROWS) return undefined
  const columns = findColumns(texts)
  if (columns.length < 2) return undefined
  const rows = divideRun(lines, (line) => columns.map(([from, to]) => line.slice(from, to)))
  const cells = rows.flatMap(({ cells }) => cells)
  const isText = cells.reduce((sum, { text }) => sum + text.length, 0) / cells.length > MAX_MEAN_LENGTH
  // Text with two spaces between its words has some on every line.
  const isWide = rows.filter(({ cells }) => cells.some(({ text }) => SPACED.test(text))).length * 4 > rows.length
  return isText || isWide ? undefined : rows
}

/** The rows of lines whose cells tabs divide; undefined if they have different numbers of them. */
const divideByTabs = (lines: ReadonlyArray<string>): ReadonlyArray<Divided> | undefined => {
  const counts = new Set(lines.map((line) => line.trimEnd().split("\t").length))
  return lines.length < MIN_ROWS || counts.size > 2 ? undefined : divideRun(lines, (line) => line.split("\t"))
}

type Kind = "bars" | "tabs" | "spaces" | "rule"

const kindOf = (line: string): Kind | undefined => {
  if (line.length > MAX_LINE) return undefined
  if (RULE.test(line)) return "rule"
  if (BARRED.test(line)) return "bars"
  if (TABBED.test(line)) return "tabs"
  return SPACED.test(line) || /^ {6,}\S/.test(line) ? "spaces" : undefined
}

const divide = (kind: Kind, lines: ReadonlyArray<string>) => {
  if (kind === "bars") return lines.length > 1 ? divideRun(lines, divideByBars) : undefined
  return kind === "tabs" ? divideByTabs(lines) : divideBySpaces(lines)
}

/** Finds the tables in the lines of a paragraph of plain text: cells between bars, tabs, or spaces that make columns. */
export const findTextTables = (lines: ReadonlyArray<string>): ReadonlyArray<TextLine> => {
  const found: Array<TextLine> = []
  for (let at = 0; at < lines.length;) {
    let kind: Kind | undefined
    let end = at
    for (; end < lines.length; end++) {
      const next = kindOf(lines[end]!)
      if (next === undefined || (next !== "rule" && kind !== undefined && next !== kind)) break
      if (next !== "rule") kind = next
    }
    const run = lines.slice(at, end)
    const rows = kind === undefined ? undefined : divide(kind, run)
    if (rows === undefined) for (const line of lines.slice(at, Math.max(end, at + 1))) found.push({ line })
    else for (const { cells, isHeader } of rows) found.push({ row: cells, isHeader })
    at = Math.max(end, at + 1)
  }
  return found
}
