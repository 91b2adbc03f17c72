import type { Placed } from "../ports/document.ts"
import type { Passage } from "./SearchIndex.ts"

type Parts = Pick<Passage, "text" | "start" | "tables" | "places">

/** A part of a passage: a row of a table, or the text of one speaker between tables. Offsets are in the passage's text. */
interface Segment {
  readonly start: number
  readonly end: number
  /** Who begins to speak here. */
  readonly speaker?: string | undefined
  /** The labels of a row's columns. */
  readonly labels?: ReadonlyArray<string> | undefined
  /** The texts of the merged cells of rows above that cover the row, by column. */
  readonly merged?: ReadonlyArray<string> | undefined
  readonly header?: true | undefined
}

const speakerOf = (placed: Placed | undefined) =>
  placed !== undefined && "speaker" in placed.place ? placed.place.speaker : undefined

/** The label of the speaker at an offset of a passage; undefined if it has none. */
export const speakerAt = ({ places, start: offset }: Pick<Passage, "places" | "start">, at: number) =>
  speakerOf(places.find(({ start, end }) => start <= offset + at && offset + at < end))

/** The offsets at which somebody begins to speak or to write, with their labels. */
const findTurns = ({ places, start: offset }: Parts) =>
  places.flatMap((placed, n) => {
    const speaker = speakerOf(placed)
    return speaker === speakerOf(places[n - 1]) ? [] : [{ start: Math.max(placed.start - offset, 0), speaker }]
  })

function* splitSegments(passage: Parts): Generator<Segment> {
  const turns = findTurns(passage)
  const { text, start: offset, tables } = passage
  function* splitText(from: number, to: number): Generator<Segment> {
    let start = from
    let speaker: string | undefined
    for (const turn of turns) {
      if (turn.start < from || turn.start >= to) continue
      if (turn.start > start) yield { start, end: turn.start, speaker }
      ;({ start, speaker } = turn)
    }
    yield { start, end: to, speaker }
  }
  let at = 0
  for (const { start, end, labels, header, merged = [] } of tables) {
    const first = Math.max(start - offset, at)
    const last = Math.min(end - offset, text.length)
    if (first >= last) continue
    if (first > at) yield* splitText(at, first)
    for (at = first; at < last;) {
      const line = text.indexOf("\n", at)
      const stop = line < 0 || line > last ? last : line
      const cells = merged.find((range) => range.start <= offset + at && offset + at < range.end)?.cells
      yield { start: at, end: stop, labels, header, merged: cells }
      at = stop
      if (at < last) yield { start: at, end: ++at }
    }
  }
  if (at < text.length) yield* splitText(at, text.length)
}

/** A row as a person reads it aloud: "Location: A-12; Expected: 450"; without labels "A-12 | 450". Merged cells fill empty ones. */
const sayRow = (row: string, labels: ReadonlyArray<string>, merged: ReadonlyArray<string>): string => {
  const cells = row.split("\t")
  return Array.from({ length: Math.max(cells.length, merged.length) }, (_, column) => {
    const own = cells[column] ?? ""
    const cell = own.trim() === "" ? (merged[column] ?? "") : own
    const label = (labels[column] ?? "").replace(/(?<!\s)\s*:$/, "")
    return cell.trim() === "" || label === "" ? cell : `${label}: ${cell}`
  })
    .filter((cell) => cell.trim() !== "")
    .join(labels.length === 0 ? " | " : "; ")
}

/** The name before the words of a turn, unless the text has it. */
const introduce = ({ text }: Parts, { start, speaker }: Segment) =>
  speaker === undefined || text.startsWith(speaker, start) ? "" : `${speaker}: `

const say = (passage: Parts, segment: Segment) => {
  const { start, end, labels, merged = [] } = segment
  const text = passage.text.slice(start, end)
  return labels === undefined ? `${introduce(passage, segment)}${text}` : sayRow(text, labels, merged)
}

/** The extent of a row without its empty first cells. */
const cellsOf = ({ text }: Parts, { start, end }: Segment) => {
  const row = text.slice(start, end)
  return { start: start + row.length - row.trimStart().length, end }
}

/** The text of a passage in which each value of a table follows its label; `from` and `to` select whole rows. */
export const labelRows = (passage: Parts, from = 0, to = passage.text.length): string => {
  if (passage.tables.length === 0) return passage.text.slice(from, to)
  let said = ""
  for (const segment of splitSegments(passage)) {
    if (segment.end <= from || segment.start >= to) continue
    if (segment.labels !== undefined) said += say(passage, segment)
    else said += passage.text.slice(Math.max(segment.start, from), Math.min(segment.end, to))
  }
  return said
}

/** The text of a whole passage as `labelRows` has it, in which the words of each speaker follow their name. */
export const labelAll = (passage: Parts): string =>
  [...splitSegments(passage)].map((segment) => say(passage, segment)).join("")

/** The offsets in the labelled text at which the words of one speaker end. */
export const findBreaks = (passage: Parts): ReadonlyArray<number> => {
  let said = 0
  return [...splitSegments(passage)].flatMap((segment) => {
    const start = said
    said += say(passage, segment).length
    return segment.labels === undefined && start > 0 ? [start] : []
  })
}

/** A sentence or a row of a passage; `text` has the labels of a row. */
export interface Statement {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly isRow?: true | undefined
}

/** Divides a passage into the rows of its tables, headers aside, and what `divide` makes of the words of each speaker between them. */
export const divideStatements = (
  passage: Parts,
  divide: (text: string) => ReadonlyArray<Statement>,
): ReadonlyArray<Statement> => {
  if (passage.tables.length === 0 && passage.places.length < 2) return divide(passage.text)
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
  passage: Parts,
  from: number,
  to: number,
): { readonly start: number; readonly end: number } => {
  let said = 0
  let start: number | undefined
  let end = 0
  for (const segment of splitSegments(passage)) {
    const length = say(passage, segment).length
    const isRow = segment.labels !== undefined
    if (from < said + length && to > said) {
      const words = isRow ? said : said + introduce(passage, segment).length
      start ??= isRow ? cellsOf(passage, segment).start : segment.start + Math.max(from - words, 0)
      end = isRow ? segment.end : segment.start + Math.min(Math.max(to - words, 0), segment.end - segment.start)
    }
    said += length
  }
  return { start: start ?? 0, end }
}
