import type { Element } from "../../document.ts"
import { Hyphens } from "./hyphens.ts"
import type { Line } from "./lines.ts"

const BULLET = /^(?:[•●○◦▪■□–—*·‣➢✓-]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s+\S/u
const SENTENCE_END = /[.!?:;。！？]["'”’)\]]*$/u

/** The most frequent font size, and the clearly larger ones, largest first. */
interface Sizes {
  readonly body: number
  readonly headings: ReadonlyArray<number>
}

const roundSize = (size: number) => Math.round(size * 2) / 2

const sizesOf = (lines: ReadonlyArray<Line>): Sizes => {
  const letters = new Map<number, number>()
  let all = 0
  for (const line of lines.filter(({ angle }) => angle === 0)) {
    const count = line.cells.reduce((sum, cell) => sum + cell.length, 0)
    letters.set(roundSize(line.size), (letters.get(roundSize(line.size)) ?? 0) + count)
    all += count
  }
  const body = [...letters].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0])[0]
  const larger = [...letters].filter(([size]) => size >= body * 1.07)
  const share = larger.reduce((sum, [, count]) => sum + count, 0) / Math.max(all, 1)
  return { body, headings: share > 0.3 ? [] : larger.map(([size]) => size).sort((a, b) => b - a) }
}

const levelOf = (line: Line, sizes: Sizes) => {
  const rank = sizes.headings.indexOf(roundSize(line.size))
  return rank < 0 || line.cells.length > 1 ? undefined : Math.min(rank + 1, 6)
}

const textOf = (line: Line) => line.cells.join(" ")

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
  !SENTENCE_END.test(textOf(last)) &&
  /^\p{Ll}/u.test(textOf(next))

const startsAnew = (block: ReadonlyArray<Line>, next: Line) => {
  const last = block.at(-1)!
  const right = Math.max(...block.map((line) => line.end))
  const short = last.end < right - (right - last.start) * 0.2
  const indented = next.start > last.start + last.size
  return BULLET.test(textOf(next)) || (SENTENCE_END.test(textOf(last)) && (short || indented))
}

/** The usual distance between two body lines of a page. */
const pitchOf = (lines: ReadonlyArray<Line>) => {
  const gaps = lines
    .slice(1)
    .map((line, index) => ({ gap: lines[index]!.up - line.up, size: line.size }))
    .filter(({ gap, size }) => gap > size * 0.8 && gap < size * 2.2)
    .map(({ gap }) => gap)
    .sort((a, b) => a - b)
  return gaps[gaps.length >> 1] ?? 0
}

/** The next word would fit on the line, so the author broke the line: an address, a receipt. */
const brokenOnPurpose = (lines: ReadonlyArray<Line>, index: number) => {
  const last = lines[index - 1]!
  const next = lines[index]!
  if (next.up >= last.up) return false
  const right = Math.max(...lines.filter((line) => line.start < last.end).map((line) => line.end))
  const word = /^\S+/.exec(textOf(next))?.[0] ?? ""
  const letter = (last.end - last.start) / Math.max(textOf(last).length, 1)
  return last.end + letter * (word.length + 1) < right - last.size
}

/** Joins lines and removes hyphenation. */
const joinLines = (lines: ReadonlyArray<Line>, hyphens: Hyphens) => {
  const broken = lines.map((_, index) => index > 0 && brokenOnPurpose(lines, index))
  // The longest line of an address fills the width: it stays with the other lines.
  const all = broken.filter(Boolean).length * 2 >= lines.length - 1
  let text = ""
  for (const [index, line] of lines.entries()) {
    const next = textOf(line)
    text = index === 0 ? next : hyphens.join(text, next, all || broken[index] ? "\n" : " ")
  }
  return text
}

const mostlyLetters = (text: string) => (text.match(/\p{L}/gu)?.length ?? 0) * 2 >= text.replaceAll(/\s/g, "").length

/** Whether a line is clearly larger than the body, or slightly larger, alone and not a sentence. */
const isHeading = (block: ReadonlyArray<Line>, sizes: Sizes) => {
  const text = textOf(block[0]!)
  const upright = block[0]!.angle === 0 && mostlyLetters(text)
  const alone = block.length === 1 && text.length <= 80 && !SENTENCE_END.test(text)
  return upright && (block[0]!.size >= sizes.body * 1.15 ? block.length <= 3 : alone)
}

const kindOf = (block: ReadonlyArray<Line>, row: boolean, sizes: Sizes): Element["kind"] => {
  if (row) return "table-row"
  const text = textOf(block[0]!)
  if (levelOf(block[0]!, sizes) !== undefined && isHeading(block, sizes)) return "heading"
  return BULLET.test(text) ? "list-item" : "paragraph"
}

/** A row has cells and a neighbour with cells, or at least three cells. */
const isRow = (lines: ReadonlyArray<Line>, index: number) => {
  const cells = (at: number) => lines[at]?.cells.length ?? 0
  return cells(index) > 2 || (cells(index) === 2 && (cells(index - 1) > 1 || cells(index + 1) > 1))
}

const pageElements = (lines: ReadonlyArray<Line>, sizes: Sizes, hyphens: Hyphens) => {
  const elements: Array<Element> = []
  const pitch = pitchOf(lines)
  let block: Array<Line> = []
  const flush = (row = false) => {
    if (block.length === 0) return
    const level = levelOf(block[0]!, sizes)
    const kind = kindOf(block, row, sizes)
    const text = row ? block[0]!.cells.join("\t") : joinLines(block, hyphens)
    const place = { kind: "page", page: block[0]!.page } as const
    elements.push(kind === "heading" ? { kind, level, text, place } : { kind, text, place })
    block = []
  }
  for (const [index, line] of lines.entries()) {
    const row = isRow(lines, index)
    const last = block.at(-1)
    const goesOn = last !== undefined && !row && (follows(last, line, pitch) || columnGoesOn(last, line))
    if (!goesOn || startsAnew(block, line)) flush()
    block.push(line)
    if (row) flush(true)
  }
  flush()
  return elements
}

/** Finds the headings, paragraphs, list items and table rows of a document's pages. */
export const elementsOf = (pages: ReadonlyArray<ReadonlyArray<Line>>): ReadonlyArray<ReadonlyArray<Element>> => {
  const sizes = sizesOf(pages.flat())
  const hyphens = new Hyphens(pages.map((lines) => lines.map(textOf)))
  return pages.map((lines) => pageElements(lines, sizes, hyphens))
}
