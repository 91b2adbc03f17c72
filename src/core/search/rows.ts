import type { Passage } from "./SearchIndex.ts"

type Tabled = Pick<Passage, "text" | "start" | "tables">

/** A part of a passage: a row of a table, or the text between tables. Offsets are in the passage's text. */
interface Segment {
  readonly start: number
  readonly end: number
  /** The labels of a row's columns. */
  readonly labels?: ReadonlyArray<string> | undefined
  /** The texts of the merged cells of rows above that cover the row, by column. */
  readonly merged?: ReadonlyArray<string> | undefined
  readonly header?: true | undefined
}

function* splitSegments({ text, start: offset, tables }: Tabled): Generator<Segment> {
  let at = 0
  for (const { start, end, labels, header, merged = [] } of tables) {
    const first = Math.max(start - offset, at)
    const last = Math.min(end - offset, text.length)
    if (first >= last) continue
    if (first > at) yield { start: at, end: first }
    for (at = first; at < last;) {
      const line = text.indexOf("\n", at)
      const stop = line < 0 || line > last ? last : line
      const cells = merged.find((range) => range.start <= offset + at && offset + at < range.end)?.cells
      yield { start: at, end: stop, labels, header, merged: cells }
      at = stop
      if (at < last) yield { start: at, end: ++at }
    }
  }
  if (at < text.length) yield { start: at, end: text.length }
}

/** A row as a person reads it aloud: "Location: A-12; Expected: 450"; without labels "A-12 | 450". Merged cells fill empty ones. */
const sayRow = (row: string, labels: ReadonlyArray<string>, merged: ReadonlyArray<string>): string => {
  const cells = row.split("\t")
  return Array.from({ length: Math.max(cells.length, merged.length) }, (_, column) => {
    const own = cells[column] ?? ""
    const cell = own.trim() === "" ? (merged[column] ?? "") : own
    const label = (labels[column] ?? "").replace(/\s*:$/, "")
    return cell.trim() === "" || label === "" ? cell : `${label}: ${cell}`
  })
    .filter((cell) => cell.trim() !== "")
    .join(labels.length === 0 ? " | " : "; ")
}

const say = ({ text }: Tabled, { start, end, labels, merged = [] }: Segment) =>
  labels === undefined ? text.slice(start, end) : sayRow(text.slice(start, end), labels, merged)

/** The extent of a row without its empty first cells. */
const cellsOf = ({ text }: Tabled, { start, end }: Segment) => {
  const row = text.slice(start, end)
  return { start: start + row.length - row.trimStart().length, end }
}

/** The text of a passage in which each value of a table follows its label; `from` and `to` select whole rows. */
export const labelRows = (passage: Tabled, from = 0, to = passage.text.length): string => {
  if (passage.tables.length === 0) return passage.text.slice(from, to)
  let said = ""
  for (const segment of splitSegments(passage)) {
    if (segment.end <= from || segment.start >= to) continue
    if (segment.labels !== undefined) said += say(passage, segment)
    else said += passage.text.slice(Math.max(segment.start, from), Math.min(segment.end, to))
  }
  return said
}

/** A sentence or a row of a passage; `text` has the labels of a row. */
export interface Statement {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly isRow?: true | undefined
}

/** Divides a passage into the rows of its tables, headers aside, and what `divide` makes of the text between them. */
export const divideStatements = (
  passage: Tabled,
  divide: (text: string) => ReadonlyArray<Statement>,
): ReadonlyArray<Statement> => {
  if (passage.tables.length === 0) return divide(passage.text)
  return [...splitSegments(passage)].flatMap((segment) => {
    if (segment.header === true) return []
    if (segment.labels !== undefined)
      return [{ ...cellsOf(passage, segment), text: say(passage, segment), isRow: true }]
    return divide(passage.text.slice(segment.start, segment.end)).map(({ start, end, text }) => ({
      start: segment.start + start,
      end: segment.start + end,
      text,
    }))
  })
}

/** Finds the part of a passage from which a part of its labelled text was made: whole rows, and text as it is. */
export const findSource = (
  passage: Tabled,
  from: number,
  to: number,
): { readonly start: number; readonly end: number } => {
  if (passage.tables.length === 0) return { start: from, end: to }
  let said = 0
  let start: number | undefined
  let end = 0
  for (const segment of splitSegments(passage)) {
    const length = say(passage, segment).length
    const isRow = segment.labels !== undefined
    if (from < said + length && to > said) {
      start ??= isRow ? cellsOf(passage, segment).start : segment.start + Math.max(from - said, 0)
      end = isRow ? segment.end : segment.start + Math.min(to - said, length)
    }
    said += length
  }
  return { start: start ?? 0, end }
}
