import type { Element, Place, Placed, ReadAndCut, ReadDocument, TableRange } from "./document.ts"
import { assembleDocument, type Bare, type Cut, type Part, makePart } from "./part.ts"

const MAX_CHUNK_LENGTH = 1200
/** A last piece shorter than this joins the previous chunk. */
const MIN_CHUNK_LENGTH = 200

interface Piece extends Placed {
  readonly heading: boolean
  readonly headings: ReadonlyArray<string>
  readonly unit: string
  /** In a table: the labels of its columns, from the piece's first column on. */
  readonly labels?: ReadonlyArray<string> | undefined
  /** The texts of the merged cells that cover the piece, from its first column on. */
  readonly merged?: ReadonlyArray<string> | undefined
  readonly header?: true | undefined
}

const sentences = new Intl.Segmenter("en", { granularity: "sentence" })

/** The last offset at which a cut splits no word and no character. */
const cutAt = (text: string) => {
  const space = text.slice(0, MAX_CHUNK_LENGTH).search(/\s\S*$/)
  if (space > MAX_CHUNK_LENGTH / 2) return space
  return /[\uD800-\uDBFF]/.test(text[MAX_CHUNK_LENGTH - 1]!) ? MAX_CHUNK_LENGTH - 1 : MAX_CHUNK_LENGTH
}

/** Splits text into parts of at most `MAX_CHUNK_LENGTH` UTF-16 units, at sentence ends where possible; returns offsets without surrounding white space. */
const split = (text: string): ReadonlyArray<readonly [number, number]> => {
  if (text.length <= MAX_CHUNK_LENGTH) return [[0, text.length]]
  const cuts: Array<number> = []
  const from = () => cuts.at(-1) ?? 0
  let last = 0
  for (const { index, segment } of sentences.segment(text)) {
    const end = index + segment.trimEnd().length
    if (end - from() > MAX_CHUNK_LENGTH && last > from()) cuts.push(last)
    while (end - from() > MAX_CHUNK_LENGTH) cuts.push(from() + cutAt(text.slice(from(), from() + MAX_CHUNK_LENGTH + 1)))
    last = index + segment.length
  }
  return [...cuts, text.length].flatMap((end, index): ReadonlyArray<readonly [number, number]> => {
    const start = cuts[index - 1] ?? 0
    const part = text.slice(start, end)
    const trimmed = part.trim()
    const at = start + part.length - part.trimStart().length
    return trimmed === "" ? [] : [[at, at + trimmed.length]]
  })
}

/** Slides and sheets never share a chunk; pages may. */
const unitOf = ({ place }: Element) =>
  place.kind === "slide" ? `slide ${place.slide}` : place.kind === "sheet" ? `sheet ${place.sheet}` : place.kind

const samePlace = (a: Place, b: Place) =>
  (a.kind === "page" && b.kind === "page" && a.page === b.page) ||
  (a.kind === "slide" && b.kind === "slide" && a.slide === b.slide) ||
  (a.kind === "text" && b.kind === "text" && a.speaker === b.speaker)

const NO_LABELS: ReadonlyArray<string> = []
const NOTHING_MERGED: ReadonlyArray<string> = []

const GLUED = new Set<Element["kind"]>(["table-row", "list-item"])

/** Lays out a document's elements as one text. */
class Layout {
  private readonly path: Array<{ readonly level: number; readonly text: string }> = []
  private headings: ReadonlyArray<string> = []
  private before: Element | undefined
  private offset = 0
  /** The labels of the current table. */
  private labels: ReadonlyArray<string> = NO_LABELS
  /** The texts of the merged cells of rows above that cover the current row. */
  private merged: ReadonlyArray<string> = NOTHING_MERGED

  get end(): number {
    return this.offset
  }

  /** Adds an element: returns the gap before it, its offsets, and its pieces. */
  lay(element: Element) {
    const { kind, text, place } = element
    const { before, path } = this
    const gap = before === undefined ? "" : before.kind === kind && GLUED.has(kind) ? "\n" : "\n\n"
    const unit = unitOf(element)
    const turned = before !== undefined && unitOf(before) !== unit
    if (turned) path.length = 0
    if (kind === "heading") {
      const level = element.level ?? 1
      while (path.length > 0 && path.at(-1)!.level >= level) path.pop()
      path.push({ level, text })
    }
    if (kind === "heading" || turned) this.headings = path.map(({ text }) => text)
    const begins = this.offset + gap.length
    this.offset = begins + text.length
    this.before = element
    this.follow(element)
    const { headings, labels, merged } = this
    const pieces = split(text).map(([start, end]): Piece => {
      const piece = { start: begins + start, end: begins + end, place, heading: kind === "heading", headings, unit }
      if (kind !== "table-row") return piece
      const column = start === 0 ? 0 : text.slice(0, start).split("\t").length - 1
      const from = (texts: ReadonlyArray<string>) => (column === 0 ? texts : texts.slice(column))
      return { ...piece, header: element.header, labels: from(labels), merged: from(merged) }
    })
    return { gap, start: begins, end: this.offset, pieces }
  }

  /** Takes over the labels and merged cells that an element states. */
  private follow({ kind, header, labels, merged }: Element) {
    if (kind !== "table-row" || header === true) {
      this.labels = NO_LABELS
      this.merged = NOTHING_MERGED
    } else {
      if (labels !== undefined) this.labels = labels
      if (merged !== undefined) this.merged = merged
    }
  }
}

type Group = Array<Piece>

const startsAnew = (group: Group, piece: Piece) => {
  const last = group.at(-1)!
  return last.unit !== piece.unit || (piece.heading && !last.heading) || piece.end - group[0]!.start > MAX_CHUNK_LENGTH
}

/** Whether a short group joins the previous one: both have the same headings. */
const joins = (before: Group, group: Group) => {
  const { start, headings, heading, unit } = group[0]!
  const { end } = group.at(-1)!
  const last = before.at(-1)!
  const together = end - start < MIN_CHUNK_LENGTH && !heading && last.unit === unit && last.headings === headings
  return together && end - before[0]!.start <= MAX_CHUNK_LENGTH + MIN_CHUNK_LENGTH
}

const joinPlaces = (pieces: ReadonlyArray<Piece>) => {
  const places: Array<Placed> = []
  for (const { start, end, place } of pieces) {
    const last = places.at(-1)
    if (last !== undefined && samePlace(last.place, place)) places[places.length - 1] = { ...last, end }
    else places.push({ start, end, place })
  }
  return places
}

/** The runs of rows that the same merged cells cover. */
const joinMerged = (pieces: ReadonlyArray<Piece>) => {
  const ranges: Array<NonNullable<TableRange["merged"]>[number]> = []
  for (const { start, end, merged = NOTHING_MERGED } of pieces) {
    const last = ranges.at(-1)
    if (last !== undefined && last.cells === merged && start === last.end + 1)
      ranges[ranges.length - 1] = { ...last, end }
    else if (merged.length > 0) ranges.push({ start, end, cells: merged })
  }
  return ranges
}

const findTables = (pieces: ReadonlyArray<Piece>) => {
  const tables: Array<Array<Piece>> = []
  for (const piece of pieces) {
    if (piece.labels === undefined) continue
    const last = tables.at(-1)?.at(-1)
    if (last?.labels === piece.labels && last.header === piece.header && piece.start === last.end + 1)
      tables.at(-1)!.push(piece)
    else tables.push([piece])
  }
  return tables.map((rows): TableRange => {
    const { start, labels = NO_LABELS, header } = rows[0]!
    const merged = joinMerged(rows)
    const range = { start, end: rows.at(-1)!.end, labels, ...(header && { header }) }
    return merged.length === 0 ? range : { ...range, merged }
  })
}

const findCut = (pieces: Group): Cut => ({
  start: pieces[0]!.start,
  end: pieces.at(-1)!.end,
  headings: pieces.find((piece) => !piece.heading)?.headings ?? pieces.at(-1)!.headings,
  place: pieces[0]!.place,
  places: joinPlaces(pieces),
  tables: findTables(pieces),
})

/** Cuts a document that arrives in parts, in order; the next part, or `end`, returns the chunks at a part's end. */
export class Cutter {
  private readonly layout = new Layout()
  private done: Group | undefined
  private group: Group | undefined

  take(elements: ReadonlyArray<Element>): Part {
    const texts: Array<string> = []
    const bare: Array<Bare> = []
    const cuts: Array<Cut> = []
    for (const element of elements) {
      if (element.hidden === true) {
        bare.push({ ...element, start: this.layout.end, end: this.layout.end })
        continue
      }
      const { text, ...rest } = element
      const { gap, start, end, pieces } = this.layout.lay(element)
      texts.push(gap, text)
      bare.push({ ...rest, start, end })
      for (const piece of pieces) {
        if (this.group !== undefined && !startsAnew(this.group, piece)) this.group.push(piece)
        else {
          this.close(cuts)
          this.group = [piece]
        }
      }
    }
    return makePart(texts.join(""), bare, cuts)
  }

  end(): Part {
    const cuts: Array<Cut> = []
    this.close(cuts)
    if (this.done !== undefined) cuts.push(findCut(this.done))
    return makePart("", [], cuts)
  }

  private close(cuts: Array<Cut>) {
    if (this.group === undefined) return
    if (this.done !== undefined && joins(this.done, this.group)) this.done.push(...this.group)
    else {
      if (this.done !== undefined) cuts.push(findCut(this.done))
      this.done = this.group
    }
    this.group = undefined
  }
}

/** Cuts a document into ordered, disjoint chunks that omit only white space. */
export const chunk = ({ elements, warnings }: ReadDocument): ReadAndCut => {
  const cutter = new Cutter()
  return assembleDocument([cutter.take(elements), cutter.end()], warnings)
}
