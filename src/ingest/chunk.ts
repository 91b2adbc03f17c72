import type { Chunk, Chunked, Element, Place, Placed, ReadDocument } from "./document.ts"

const MOST = 1200
/** A last piece shorter than this joins the chunk before it. */
const STUB = 200

interface Piece extends Placed {
  readonly heading: boolean
  readonly headings: ReadonlyArray<string>
  readonly unit: string
}

const sentences = new Intl.Segmenter("en", { granularity: "sentence" })

/** The last place to cut that leaves whole words and whole characters. */
const cutAt = (text: string) => {
  const space = text.slice(0, MOST).search(/\s\S*$/)
  if (space > MOST / 2) return space
  return /[\uD800-\uDBFF]/.test(text[MOST - 1]!) ? MOST - 1 : MOST
}

/** Parts of at most `MOST` units, of whole sentences where they fit, as offsets without the white space around them. */
const split = (text: string): ReadonlyArray<readonly [number, number]> => {
  if (text.length <= MOST) return [[0, text.length]]
  const cuts: Array<number> = []
  const from = () => cuts.at(-1) ?? 0
  let last = 0
  for (const { index, segment } of sentences.segment(text)) {
    const end = index + segment.trimEnd().length
    if (end - from() > MOST && last > from()) cuts.push(last)
    while (end - from() > MOST) cuts.push(from() + cutAt(text.slice(from(), from() + MOST + 1)))
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
  (a.kind === "text" && b.kind === "text")

const GLUED = new Set<Element["kind"]>(["table-row", "list-item"])

const lay = (elements: ReadonlyArray<Element>) => {
  const parts: Array<string> = []
  const pieces: Array<Piece> = []
  const starts: Array<number> = []
  const path: Array<{ readonly level: number; readonly text: string }> = []
  let headings: ReadonlyArray<string> = []
  let offset = 0
  for (const [index, element] of elements.entries()) {
    const { kind, text, place } = element
    const before = elements[index - 1]
    const gap = before === undefined ? "" : before.kind === kind && GLUED.has(kind) ? "\n" : "\n\n"
    const unit = unitOf(element)
    if (before !== undefined && unitOf(before) !== unit) path.length = 0
    if (kind === "heading") {
      const level = element.level ?? 1
      while (path.length > 0 && path.at(-1)!.level >= level) path.pop()
      path.push({ level, text })
    }
    if (kind === "heading" || (before !== undefined && unitOf(before) !== unit)) headings = path.map(({ text }) => text)
    parts.push(gap, text)
    offset += gap.length
    starts.push(offset)
    for (const [start, end] of split(text)) {
      pieces.push({ start: offset + start, end: offset + end, place, heading: kind === "heading", headings, unit })
    }
    offset += text.length
  }
  return { text: parts.join(""), pieces, starts }
}

const group = (pieces: ReadonlyArray<Piece>) => {
  const groups: Array<Array<Piece>> = []
  for (const piece of pieces) {
    const current = groups.at(-1)
    const last = current?.at(-1)
    const size = piece.end - (current?.[0]?.start ?? piece.start)
    const fresh = last === undefined || last.unit !== piece.unit || (piece.heading && !last.heading) || size > MOST
    if (fresh) groups.push([piece])
    else current!.push(piece)
  }
  return groups
}

/** Joins a stub to the chunk before it where both stand under the same headings. */
const withoutStubs = (groups: ReadonlyArray<Array<Piece>>) => {
  const kept: Array<Array<Piece>> = []
  for (const current of groups) {
    const before = kept.at(-1)
    const { start, headings, heading, unit } = current[0]!
    const stub = current.at(-1)!.end - start < STUB && before !== undefined && !heading
    const together = stub && before.at(-1)!.unit === unit && before.at(-1)!.headings === headings
    if (together && current.at(-1)!.end - before[0]!.start <= MOST + STUB) before.push(...current)
    else kept.push([...current])
  }
  return kept
}

const placesOf = (pieces: ReadonlyArray<Piece>) => {
  const places: Array<Placed> = []
  for (const { start, end, place } of pieces) {
    const last = places.at(-1)
    if (last !== undefined && samePlace(last.place, place)) places[places.length - 1] = { ...last, end }
    else places.push({ start, end, place })
  }
  return places
}

/** The whole of a document as one text, and the chunks of it: they follow one another, never overlap, and leave out nothing but white space. */
export const chunk = (document: ReadDocument): Chunked => {
  const { text, pieces, starts } = lay(document.elements)
  const chunks = withoutStubs(group(pieces)).map((pieces): Chunk => {
    const start = pieces[0]!.start
    const end = pieces.at(-1)!.end
    const headings = pieces.find((piece) => !piece.heading)?.headings ?? pieces.at(-1)!.headings
    return { start, end, text: text.slice(start, end), headings, place: pieces[0]!.place, places: placesOf(pieces) }
  })
  return { text, starts, chunks }
}

/** Where the text at an offset stands; between two parts, where the next one does. */
export const locate = (chunk: Chunk, offset: number): Place =>
  (chunk.places.find(({ end }) => offset < end) ?? chunk.places.at(-1))?.place ?? chunk.place
