import type { Element } from "../../document.ts"
import { elementList } from "../../elements.ts"
import { couldBeHeader } from "../../tables/header.ts"
import { TableWriter } from "../../tables/TableWriter.ts"
import type { Ruling } from "./page/rulings.ts"
import type { Grid } from "./tables/grids.ts"
import { Hyphens } from "./text/hyphens.ts"
import { countFirst, runningMax } from "../../sorted.ts"
import { divideIntoCells, type Line, joinText } from "./text/lines.ts"
import { findLoneRows } from "./tables/loneRows.ts"
import { inRowOrder } from "./tables/rowOrder.ts"
import { divideAtRuled } from "./tables/ruled.ts"
import { type Table, findTables } from "./tables/tables.ts"

const BULLET = /^(?:[•●○◦▪■□–—*·‣➢✓-]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s+\S/u
const SENTENCE_END = /[.!?:;。！？]["'”’)\]]*$/u

/** The most frequent font size, and the levels of the clearly larger ones, the largest first. */
interface Sizes {
  readonly body: number
  readonly headings: ReadonlyMap<number, number>
  /** Bold lines are rare, and so can be headings. */
  readonly hasBoldHeadings: boolean
}

const MAX_LEVEL = 6

const roundSize = (size: number) => Math.round(size * 2) / 2

const measureSizes = (lines: ReadonlyArray<Line>): Sizes => {
  const letters = new Map<number, number>()
  let all = 0
  let bold = 0
  for (const line of lines.filter(({ angle }) => angle === 0)) {
    const count = joinText(line).length
    if (line.isBold) bold += count
    letters.set(roundSize(line.size), (letters.get(roundSize(line.size)) ?? 0) + count)
    all += count
  }
  const body = [...letters].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0])[0]
  const larger = [...letters].filter(([size]) => size >= body * 1.07)
  const share = larger.reduce((sum, [, count]) => sum + count, 0) / Math.max(all, 1)
  const sorted = larger.map(([size]) => size).sort((a, b) => b - a)
  return {
    body,
    headings: new Map(share > 0.3 ? [] : sorted.map((size, rank) => [size, Math.min(rank + 1, MAX_LEVEL)])),
    hasBoldHeadings: bold < all * 0.3,
  }
}

/** Whether a line of the body's size is bold, short and no sentence. */
const isBoldHeading = (line: Line, sizes: Sizes) => {
  if (line.isBold !== true || !sizes.hasBoldHeadings || line.angle !== 0) return false
  const text = joinText(line)
  return line.size >= sizes.body * 0.95 && text.length <= 80 && !SENTENCE_END.test(text) && !BULLET.test(text)
}

const findLevel = (line: Line, sizes: Sizes) => {
  if (divideIntoCells(line).length > 1) return undefined
  const level = sizes.headings.get(roundSize(line.size))
  if (level !== undefined) return level
  return isBoldHeading(line, sizes) ? Math.min(sizes.headings.size + 1, MAX_LEVEL) : undefined
}

const follows = (last: Line, next: Line, pitch: number) => {
  const down = last.up - next.up
  const alike = last.angle === next.angle && Math.abs(last.size - next.size) < last.size * 0.1
  const overlap = next.start < last.end && next.end > last.start
  return alike && overlap && down > 0 && down <= Math.max(pitch * 1.25, last.size * 1.3)
}

/** Whether a paragraph continues in the next column: the text jumps up and the sentence is unfinished. */
const columnGoesOn = (last: Line, next: Line) =>
  last.angle === next.angle &&
  Math.abs(last.size - next.size) < last.size * 0.05 &&
  next.up > last.up &&
  next.start > last.end &&
  !SENTENCE_END.test(joinText(last)) &&
  /^\p{Ll}/u.test(joinText(next))

/** Whether a line begins another paragraph below `last`, whose paragraph reaches up to `right`. */
const startsAnew = (last: Line, right: number, next: Line) => {
  const short = last.end < right - (right - last.start) * 0.2
  const indented = next.start > last.start + last.size
  return BULLET.test(joinText(next)) || (SENTENCE_END.test(joinText(last)) && (short || indented))
}

/** The usual distance between two body lines of a page. */
const measurePitch = (lines: ReadonlyArray<Line>) => {
  const gaps = lines
    .slice(1)
    .map((line, index) => ({ gap: lines[index]!.up - line.up, size: line.size }))
    .filter(({ gap, size }) => gap > size * 0.8 && gap < size * 2.2)
    .map(({ gap }) => gap)
    .sort((a, b) => a - b)
  return gaps[gaps.length >> 1] ?? 0
}

/** How far the lines of a block reach that start before a place. */
const reachOf = (lines: ReadonlyArray<Line>) => {
  const sorted = lines.toSorted((a, b) => a.start - b.start)
  const ends = runningMax(sorted.map(({ end }) => end))
  return (place: number) => ends[countFirst(sorted, ({ start }) => start < place) - 1] ?? -Infinity
}

/** The next word would fit on the line, so the author broke the line: an address, a receipt. */
const brokenOnPurpose = (last: Line, next: Line, reach: (place: number) => number) => {
  if (next.up >= last.up) return false
  const right = reach(last.end)
  const word = /^\S+/.exec(joinText(next))?.[0] ?? ""
  const letter = (last.end - last.start) / Math.max(joinText(last).length, 1)
  return last.end + letter * (word.length + 1) < right - last.size
}

/** Joins lines and removes hyphenation. */
const joinLines = (lines: ReadonlyArray<Line>, hyphens: Hyphens) => {
  const reach = reachOf(lines)
  const broken = lines.map((line, index) => index > 0 && brokenOnPurpose(lines[index - 1]!, line, reach))
  // The longest line of an address fills the width: it stays with the other lines.
  const all = broken.filter(Boolean).length * 2 >= lines.length - 1
  return hyphens.joinAll(lines.map(joinText), (index) => (all || broken[index] === true ? "\n" : " "))
}

const mostlyLetters = (text: string) => (text.match(/\p{L}/gu)?.length ?? 0) * 2 >= text.replaceAll(/\s/g, "").length

/** Whether a line is clearly larger than the body, or slightly larger or bold, alone and not a sentence. */
const isHeading = (block: ReadonlyArray<Line>, sizes: Sizes) => {
  const text = joinText(block[0]!)
  const upright = block[0]!.angle === 0 && mostlyLetters(text)
  const alone = block.length === 1 && text.length <= 80 && !SENTENCE_END.test(text)
  if (isBoldHeading(block[0]!, sizes)) return upright && block.length <= 2
  return upright && (block[0]!.size >= sizes.body * 1.15 ? block.length <= 3 : alone)
}

const classify = (block: ReadonlyArray<Line>, sizes: Sizes): "heading" | "list-item" | "paragraph" => {
  const text = joinText(block[0]!)
  if (findLevel(block[0]!, sizes) !== undefined && isHeading(block, sizes)) return "heading"
  return BULLET.test(text) ? "list-item" : "paragraph"
}

type Elements = ReturnType<typeof elementList>

/** Adds the paragraphs, headings, list items and lone rows of lines that are no table. */
const addText = (elements: Elements, lines: ReadonlyArray<Line>, sizes: Sizes, pitch: number, hyphens: Hyphens) => {
  let block: Array<Line> = []
  let right = -Infinity
  // Without labels of its own, a row after a table would have those of the table.
  let labels: ReadonlyArray<string> | undefined = []
  const flush = () => {
    if (block.length === 0) return
    const kind = classify(block, sizes)
    const place = { kind: "page", page: block[0]!.page } as const
    elements.add(kind, joinLines(block, hyphens), place, kind === "heading" ? findLevel(block[0]!, sizes) : undefined)
    block = []
    right = -Infinity
  }
  const rows = findLoneRows(lines)
  for (const [index, line] of lines.entries()) {
    const cells = rows[index]
    if (cells !== undefined) {
      flush()
      elements.addRow(cells, { kind: "page", page: line.page }, labels === undefined ? {} : { labels })
      labels = undefined
      continue
    }
    const last = block.at(-1)
    const isApart =
      last !== undefined && last.isBold !== line.isBold && [last, line].some((each) => isBoldHeading(each, sizes))
    const goesOn = last !== undefined && !isApart && (follows(last, line, pitch) || columnGoesOn(last, line))
    if (!goesOn || startsAnew(last, right, line)) flush()
    block.push(line)
    right = Math.max(right, line.end)
  }
  flush()
}

/** A page's header and footer may stand between the parts of a table that goes on. */
const MAX_LINES_BETWEEN = 3

interface Page {
  readonly lines: ReadonlyArray<Line>
  readonly tables: ReadonlyArray<Table>
}

/** Whether the last table of a page goes on as the first table of the next one: the same columns, hardly any lines between. */
const goesOn = (page: Page, next: Page | undefined) => {
  const last = page.tables.at(-1)
  const first = next?.tables[0]
  if (last === undefined || first === undefined || last.spaces.length !== first.spaces.length) return false
  const between = Math.max(page.lines.length - last.end, first.first)
  const isAligned = last.spaces.every(({ start, end }, at) => {
    const other = first.spaces[at]!
    return start < other.end && other.start < end
  })
  return between <= MAX_LINES_BETWEEN && isAligned
}

const keyOf = ({ rows }: Table) => rows[0]!.cells.map(({ text }) => text).join("\t")

/** Whether the second row divides the labels of the first, which cover several columns. */
const isSubdivided = ({ rows: [first, second] }: Table) =>
  second !== undefined &&
  first!.cells.some(({ span = 1 }) => span > 1) &&
  second.cells.length > first!.cells.length &&
  couldBeHeader(second.cells)

/** Marks the first rows that several tables have in common: they are headers, also above texts. */
const markRepeated = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> => {
  const seen = new Map<string, number>()
  for (const table of pages.flatMap(({ tables }) => tables)) seen.set(keyOf(table), (seen.get(keyOf(table)) ?? 0) + 1)
  const isRepeated = (table: Table) =>
    seen.get(keyOf(table))! > 1 &&
    table.rows[0]!.cells.length > 1 &&
    couldBeHeader(table.rows[0]!.cells) &&
    table.rows.every(({ isHeader }) => isHeader !== true)
  const mark = (table: Table): Table => {
    if (!isRepeated(table)) return table
    const count = isSubdivided(table) ? 2 : 1
    return { ...table, rows: table.rows.map((row, index) => (index < count ? { ...row, isHeader: true } : row)) }
  }
  return pages.map(({ lines, tables }) => ({ lines, tables: tables.map(mark) }))
}

/** Puts the lines of each table together and finds the tables, ruled ones first. */
const readPage = (
  lines: ReadonlyArray<Line>,
  grids: ReadonlyArray<Grid>,
  rules: ReadonlyArray<Ruling>,
  join: (text: string, next: string) => string,
): Page => {
  const ordered: Array<ReadonlyArray<Line>> = []
  const tables: Array<Table> = []
  let from = 0
  for (const part of divideAtRuled(lines, grids, join)) {
    const own = part.table === undefined ? inRowOrder(part.lines) : part.lines
    ordered.push(own)
    const found =
      part.table === undefined ? findTables(own, join, rules) : [{ ...part.table, first: 0, end: own.length }]
    for (const table of found) tables.push({ ...table, first: table.first + from, end: table.end + from })
    from += own.length
  }
  return { lines: ordered.flat(), tables }
}

/**
 * Finds the headings, paragraphs, list items and tables of a document's pages. `forms` has the form values of each page, `grids`
 * what its rulings draw, `rules` its horizontal lines.
 */
export const makeElements = (
  lines: ReadonlyArray<ReadonlyArray<Line>>,
  forms: ReadonlyArray<ReadonlyArray<Element>>,
  grids: ReadonlyArray<ReadonlyArray<Grid>> = [],
  rules: ReadonlyArray<ReadonlyArray<Ruling>> = [],
): ReadonlyArray<Element> => {
  const sizes = measureSizes(lines.flat())
  const hyphens = new Hyphens(lines.map((page) => page.map(joinText)))
  const join = (text: string, next: string) => hyphens.join(text, next, " ")
  const pages = markRepeated(lines.map((page, index) => readPage(page, grids[index] ?? [], rules[index] ?? [], join)))
  const elements = elementList()
  const writer = new TableWriter(elements)
  for (const [index, page] of pages.entries()) {
    const pitch = measurePitch(page.lines)
    let at = 0
    for (const table of page.tables) {
      addText(elements, page.lines.slice(at, table.first), sizes, pitch, hyphens)
      const place = { kind: "page", page: page.lines[table.first]!.page } as const
      for (const row of table.rows) writer.row({ ...row, place })
      writer.end({ continues: table === page.tables.at(-1) && goesOn(page, pages[index + 1]) })
      at = table.end
    }
    addText(elements, page.lines.slice(at), sizes, pitch, hyphens)
    for (const { kind, text, place, hidden } of forms[index] ?? []) {
      if (hidden === true) elements.addHidden(text, place)
      else elements.add(kind, text, place)
    }
  }
  return elements.list
}
