import type { LaidElement, Place, TextPicture } from "../../ports/document.ts"

/** The text on one page of the viewer, in UTF-16 units. Each element counts `ELEMENT_OVERHEAD` more, for its markup. */
const MAX_PART_LENGTH = 200_000
const ELEMENT_OVERHEAD = 64
/** Longer elements may be split at the end of a part. */
const MAX_UNSPLIT_LENGTH = 20_000

/** An element, or the piece of it that is in a part. */
export type PartElement = LaidElement

/** The highest page, slide and row of a part and its first second: enough to find the part that has a place. */
interface Reach {
  page?: number
  slide?: number
  row?: number
  rows?: Record<string, number>
  time?: number
}

/** The elements on one page of the viewer. */
interface ViewerPart {
  /** The offset of its first element in the document's text. */
  readonly start: number
  readonly elements: ReadonlyArray<PartElement>
  readonly reach: Reach
}

/** Divides a document into parts that a browser renders fast. */
export function* divideIntoParts(elements: Iterable<LaidElement>): Generator<ViewerPart> {
  let current: Array<PartElement> = []
  let size = 0
  let labels: ReadonlyArray<string> | undefined
  let merged: ReadonlyArray<string> | undefined
  for (const element of elements) {
    const { text, start } = element
    labels = labelsAfter(labels, element)
    merged = mergedAfter(merged, element)
    const minLength = text.length <= MAX_UNSPLIT_LENGTH ? text.length + ELEMENT_OVERHEAD : MAX_UNSPLIT_LENGTH
    for (let from = 0; from < text.length;) {
      if (size + minLength > MAX_PART_LENGTH) {
        yield joinElements(current)
        current = []
        size = 0
      }
      const to = alignToCharacter(text, from + MAX_PART_LENGTH - size - ELEMENT_OVERHEAD)
      // A page that begins inside a table repeats its labels and merged cells.
      const isFirst = current.length === 0 && element.header !== true
      const repeated = isFirst && { ...(labels && { labels }), ...(merged && { merged }) }
      const picture = element.picture !== undefined && { picture: cutPicture(element.picture, from, to) }
      current.push({ ...element, ...repeated, ...picture, text: text.slice(from, to), start: start + from })
      size += to - from + ELEMENT_OVERHEAD
      from = to
    }
  }
  if (size > 0) yield joinElements(current)
}

/** The boxes of the words that begin in a piece of an element. */
const cutPicture = ({ boxes, ...picture }: TextPicture, from: number, to: number): TextPicture => ({
  ...picture,
  boxes: boxes.flatMap(([at, ...rest]) => (at < from || at >= to ? [] : [[at - from, ...rest]])),
})

/** The labels of the table to which an element belongs; undefined outside tables. */
const labelsAfter = (labels: ReadonlyArray<string> | undefined, element: LaidElement) =>
  element.kind === "table-row" ? (element.labels ?? labels) : undefined

/** The merged cells that cover a row. */
export const mergedAfter = (merged: ReadonlyArray<string> | undefined, element: LaidElement) =>
  element.kind === "table-row" && element.header !== true ? (element.merged ?? merged) : undefined

const joinElements = (elements: ReadonlyArray<PartElement>): ViewerPart => ({
  start: elements[0]!.start,
  elements,
  reach: measureReach(elements),
})

/** Limits an offset to the text and moves it out of a surrogate pair. */
const alignToCharacter = (text: string, offset: number) => {
  const inside = Math.min(offset, text.length)
  return /[\uDC00-\uDFFF]/.test(text.charAt(inside)) ? inside - 1 : inside
}

const measureReach = (elements: ReadonlyArray<PartElement>): Reach => {
  const reach: Reach = {}
  const rows = new Map<string, number>()
  for (const { place } of elements) extendReach(reach, rows, place)
  return rows.size === 0 ? reach : { ...reach, rows: Object.fromEntries(rows) }
}

const extendReach = (reach: Reach, rows: Map<string, number>, place: Place) => {
  if (place.kind === "page") reach.page = Math.max(reach.page ?? 0, place.page)
  else if (place.kind === "slide") reach.slide = Math.max(reach.slide ?? 0, place.slide)
  else if (place.kind === "time") reach.time = Math.min(reach.time ?? Infinity, place.start)
  else if (place.kind === "sheet") {
    reach.row = Math.max(reach.row ?? 0, place.row)
    rows.set(place.sheet, Math.max(rows.get(place.sheet) ?? 0, place.row))
  }
}
